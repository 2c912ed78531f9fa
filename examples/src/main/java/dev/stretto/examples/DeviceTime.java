package dev.stretto.examples;

import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import java.util.Arrays;

/** How long a device takes for something, by its own events. */
final class DeviceTime {
  private static final int ROUNDS = 5;

  private DeviceTime() {}

  /** {@return the median of some rounds, in nanoseconds} */
  static double nanos(Stream stream, Runnable enqueue) {
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
