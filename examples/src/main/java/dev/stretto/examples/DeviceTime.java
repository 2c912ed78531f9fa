package dev.stretto.examples;

import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import java.util.Arrays;

/** Measures how long work takes on a device, with the device's own events. */
final class DeviceTime {
  private static final int ROUNDS = 5;

  /** How long a GPU needs to reach its full clock rate. */
  private static final long WARM_UP_NANOS = 50_000_000;

  private DeviceTime() {}

  /** {@return the median of some rounds, in nanoseconds} */
  static double nanos(Stream stream, Runnable enqueue) {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < WARM_UP_NANOS) {
      enqueue.run();
      stream.await();
    }
    double[] rounds = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      try (TimedEvent start = stream.recordTimed()) {
        enqueue.run();
        try (TimedEvent end = stream.recordTimed()) {
          end.await();
          rounds[i] = start.nanosTo(end);
        }
      }
    }
    Arrays.sort(rounds);
    return rounds[ROUNDS / 2];
  }
}
