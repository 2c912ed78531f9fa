package dev.stretto.bench;

/**
 * How often the jobs of {@link AsyncJobs} run: as the C++ program has it, or seldom enough for a
 * virtual device.
 *
 * @param batches that count, of what is only submitted
 * @param pairs of an allocation and a free in a batch; they fit in a stream's launch queue
 * @param launches of a graph, or batches of copies, in a batch
 * @param samples that count, of what is awaited
 * @param longSamples of what takes long
 * @param warmUpNanos for which a job is repeated before it is measured: the compiler comes late
 * @param longNanos of a kernel that takes longer than a thread polls for
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
