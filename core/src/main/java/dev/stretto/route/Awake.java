package dev.stretto.route;

import dev.stretto.settings.Settings;

/**
 * How long threads that report completions stay awake after the last one. Waking a thread takes
 * longer than most of the work that others wait for, and a sleep of some microseconds takes just as
 * long. Each of these threads keeps a core busy for that time, as a thread that spins in {@code
 * cuEventSynchronize} does.
 */
final class Awake {
  /** The time in nanoseconds; 0 for not at all. */
  static final long NANOS = Settings.AWAKE_NANOS.value();

  /** Whether virtual threads may nap on their carriers. */
  static final boolean ON_CARRIERS = NANOS > 0 && Settings.hasSpareCarriers();

  private Awake() {}

  /** Keeps the calling thread busy for so long. */
  static void spin(long nanos) {
    long until = System.nanoTime() + nanos;
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
  }
}
