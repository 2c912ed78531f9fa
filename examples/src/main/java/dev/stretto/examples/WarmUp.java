package dev.stretto.examples;

import dev.stretto.Device;
import dev.stretto.timeline.Timeline;

/**
 * What an example does before it measures on a GPU. Java is slow at first: it loads classes,
 * interprets them and compiles them while they run, and a kernel is assembled at its first launch.
 * The clock of a virtual device is modelled and does not see that.
 */
final class WarmUp {
  private static final int TIMES = 500;

  private WarmUp() {}

  /** Does some work again and again, recorded as it will be, unless the device is virtual. */
  static void of(Device device, Runnable work) {
    for (int i = 0; i < TIMES && !device.isVirtual(); i++) {
      try (Timeline timeline = Timeline.record(device)) {
        work.run();
        device.await();
        timeline.spans();
      }
    }
  }
}
