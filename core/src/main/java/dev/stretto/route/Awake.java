package dev.stretto.route;

/**
 * For how long threads that tell of completions stay awake after the last: to be woken takes a
 * thread longer than most of what others wait for, and a sleep of some microseconds as long. What
 * they burn meanwhile is a core each, and for a while only, as a thread does that spins in {@code
 * cuEventSynchronize}.
 */
final class Awake {
  /**
   * With fewer cores, or carriers of virtual threads, those that stay busy are missed more than the
   * time that they save.
   */
  private static final int FEWEST_CORES = 8;

  private static final int CORES = Runtime.getRuntime().availableProcessors();

  /** So long as a platform thread polls before it is parked. */
  private static final long LONG_NANOS = 3_000_000;

  /** For how long, 0 for not at all. */
  static final long NANOS =
      Long.getLong(
          "dev.stretto.awakeNanos",
          Math.min(CORES, Integer.getInteger("jdk.virtualThreadScheduler.parallelism", CORES))
                  < FEWEST_CORES
              ? 0
              : LONG_NANOS);

  private Awake() {}
}
