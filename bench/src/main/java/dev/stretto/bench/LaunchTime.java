package dev.stretto.bench;

import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import java.util.Arrays;

/** The device time of launches that are long enough for the host to stay ahead of them. */
final class LaunchTime {
  private static final int ROUNDS = 7;
  private static final int WARM_UPS = 2;
  private static final long WARM_UP_NANOS = 1_000_000_000;

  private LaunchTime() {}

  /** {@return the time of one launch on an idle device, in milliseconds} */
  static double once(Stream stream, Runnable enqueue) {
    return round(stream, enqueue, 1);
  }

  /**
   * {@return the median of a launch's time in several rounds, in milliseconds} Java is warm by
   * then.
   *
   * @param launches in a round
   */
  static double median(Stream stream, Runnable enqueue, int launches) {
    long begun = System.nanoTime();
    for (int i = 0; i < WARM_UPS || System.nanoTime() - begun < WARM_UP_NANOS; i++) {
      double _ = round(stream, enqueue, launches);
    }
    double[] rounds = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      rounds[i] = round(stream, enqueue, launches);
    }
    Arrays.sort(rounds);
    return rounds[ROUNDS / 2];
  }

  private static double round(Stream stream, Runnable enqueue, int launches) {
    if (launches > 1) {
      // Before the timed ones, so that the device is busy while those are enqueued.
      enqueue.run();
    }
    try (TimedEvent begin = stream.recordTimed()) {
      for (int i = 0; i < launches; i++) {
        enqueue.run();
      }
      try (TimedEvent end = stream.recordTimed()) {
        end.await();
        return begin.nanosTo(end) / launches * 1e-6;
      }
    }
  }
}
