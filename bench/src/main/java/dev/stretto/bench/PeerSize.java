package dev.stretto.bench;

/**
 * The sizes of the jobs between devices and how often they run: as in the C++ program, or small
 * enough for virtual devices.
 *
 * @param bytes of every copy between a pair
 * @param smallBytes of a copy whose latency is measured
 * @param exchangeBytes from each device to each other one
 * @param broadcastBytes sent along the chain
 * @param chunkBytes of the broadcast at a time
 * @param collectiveBytes the most that a collective operation is measured with, as NCCL counts them
 * @param samples counted samples
 * @param latencySamples counted samples of latencies
 * @param latencyWarmUps before those; Java needs many, since the JIT compiles late
 * @param warmUpNanos how long a job that the host's clock measures is repeated before it is
 *     measured
 * @param busyBlocks of a kernel that keeps a multiprocessor busy
 * @param busySteps of such a kernel, to find out how long one takes
 * @param busyNanos how long such a kernel should run; 0 for the time of {@code busySteps}
 */
record PeerSize(
    long bytes,
    long smallBytes,
    long exchangeBytes,
    long broadcastBytes,
    long chunkBytes,
    long collectiveBytes,
    int samples,
    int latencySamples,
    int latencyWarmUps,
    long warmUpNanos,
    int busyBlocks,
    int busySteps,
    long busyNanos) {
  static final PeerSize FULL =
      new PeerSize(
          1L << 30,
          4096,
          256 << 20,
          4L << 30,
          16 << 20,
          1L << 30,
          9,
          2000,
          20_000,
          1_500_000_000,
          8,
          20_000,
          5_000_000);

  /** The last chunk is not a full one. */
  static final PeerSize SMALL =
      new PeerSize(9 << 20, 4096, 1 << 20, 10 << 20, 4 << 20, 4 << 20, 3, 20, 20, 0, 1, 20, 0);

  static PeerSize named(String name) {
    return switch (name) {
      case "full" -> FULL;
      case "small" -> SMALL;
      default ->
          throw new IllegalArgumentException(
              "no such size: " + name + "; there are full and small");
    };
  }
}
