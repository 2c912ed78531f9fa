package dev.stretto.bench;

/**
 * How often the jobs of {@link AsyncJobs} run: as in the C++ program, or rarely enough for a
 * virtual device.
 *
 * @param batches counted batches, for jobs that are only submitted
 * @param pairs of an allocation and a free in a batch; they fit in a stream's launch queue
 * @param launches of a graph, or batches of copies, in a batch
 * @param samples counted samples, for jobs that are awaited
 * @param longSamples counted samples, for jobs that take long
 * @param warmUpNanos how long a job is repeated before it is measured, since the JIT compiles late
 * @param longNanos of a kernel that runs for longer than a thread polls
 */
record AsyncSize(
    int batches,
    int pairs,
    int launches,
    int samples,
    int longSamples,
    long warmUpNanos,
    long longNanos) {
  static final AsyncSize FULL = new AsyncSize(60, 250, 8, 2000, 60, 1_500_000_000, 10_000_000);

  static final AsyncSize SMALL = new AsyncSize(3, 20, 2, 5, 3, 0, 100_000);

  static AsyncSize named(String name) {
    return switch (name) {
      case "full" -> FULL;
      case "small" -> SMALL;
      default ->
          throw new IllegalArgumentException(
              "no such size: " + name + "; there are full and small");
    };
  }
}
