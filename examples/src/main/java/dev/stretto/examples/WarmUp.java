package dev.stretto.examples;

import dev.stretto.Device;
import dev.stretto.timeline.Timeline;

/**
 * Warms up before an example measures on a GPU. Java is slow at first: it loads classes, interprets
 * them and compiles them while they run, and a kernel is assembled at its first launch. The
 * modelled clock of a virtual device is not affected.
 */
final class WarmUp {
  private static final long NANOS = 1_000_000_000;

  private WarmUp() {}

  /** Runs some work for a second, unless the device is virtual. */
  static void of(Device device, Runnable work) {
    long begin = System.nanoTime();
    while (!device.isVirtual() && System.nanoTime() - begin < NANOS) {
      work.run();
      device.await();
    }
  }

  /** Runs some work for a second, recorded as it will be later, unless the device is virtual. */
  static void recorded(Device device, Runnable work) {
    of(
        device,
        () -> {
          try (Timeline timeline = Timeline.record(device)) {
            work.run();
            device.await();
            timeline.spans();
          }
        });
  }
}
