package dev.stretto.driver.virtual;

import java.util.Comparator;

/** A launch whose blocks have not all begun on the modelled device. */
final class WaitingLaunch {
  /** Urgent ones first, then in the order in which they came. */
  static final Comparator<WaitingLaunch> IN_ORDER =
      Comparator.<WaitingLaunch>comparingInt(launch -> launch.moment.priority())
          .thenComparingLong(launch -> launch.arrivalNanos)
          .thenComparingLong(launch -> launch.moment.number());

  /**
   * A grid of more waves is modelled with this many at least, each of which stands for several: the
   * end is the same, and a grid of millions of blocks takes no longer to model.
   */
  private static final int FINEST_WAVES = 64;

  /**
   * A thousand blocks begin in so much time, over the whole device; on an H200, of 32 to 512
   * threads each.
   */
  private static final long NANOS_PER_THOUSAND_BLOCKS = 615;

  /**
   * How long a block takes at least that loads from global memory and stores what it has computed:
   * so do blocks of 256 to 1,024 threads on an H200, if each thread loads one float.
   */
  private static final long LEAST_MEMORY_NANOS = 850;

  /**
   * What a launch asks of a device.
   *
   * @param needs what a block takes
   * @param blocks how many blocks there are
   * @param blocksTogether how many have to begin together: those of a cluster or of a cooperative
   *     launch, else 1
   * @param memoryNanos how long the memory needs for it, alone
   * @param operationNanos how long the arithmetic units need for it, alone
   * @param waits for how long blocks waited by the timer, by their clusters' numbers; further ones
   *     as if these repeated
   * @param blocksPerCluster how many blocks a cluster has
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Demand(
      BlockNeeds needs,
      long blocks,
      long blocksTogether,
      long memoryNanos,
      long operationNanos,
      long[] waits,
      long blocksPerCluster) {}

  private final Moment moment;
  private final Demand demand;
  private final long arrivalNanos;

  /** How many blocks each one stands for that is placed. */
  private final long each;

  private final boolean isUniform;
  private long begun;
  private int running;
  private long startNanos = Long.MAX_VALUE;
  private long endNanos;

  /**
   * Creates a launch of which no block has begun.
   *
   * @param capacity how many of its blocks an empty device holds
   */
  WaitingLaunch(Moment moment, Demand demand, long arrivalNanos, long capacity) {
    this.moment = moment;
    this.demand = demand;
    this.arrivalNanos = arrivalNanos;
    this.isUniform = isUniform(demand.waits());
    long waves = demand.blocks() / capacity;
    this.each = isUniform && demand.blocksTogether() == 1 ? Math.max(1, waves / FINEST_WAVES) : 1;
  }

  private static boolean isUniform(long[] waits) {
    for (long each : waits) {
      if (each != waits[0]) {
        return false;
      }
    }
    return true;
  }

  Moment moment() {
    return moment;
  }

  BlockNeeds needs() {
    return demand.needs();
  }

  long arrivalNanos() {
    return arrivalNanos;
  }

  /** {@return how many blocks have to begin together} */
  long together() {
    return demand.blocksTogether();
  }

  /** {@return how many blocks have not begun, at most an int's} */
  int left() {
    return (int) Math.min(Integer.MAX_VALUE, (demand.blocks() - begun + each - 1) / each);
  }

  /** {@return whether a block has begun} */
  boolean hasBegun() {
    return begun > 0;
  }

  /** {@return whether all blocks wait equally long} */
  boolean isUniform() {
    return isUniform;
  }

  /** {@return how long the nth block from now on waits by the timer} */
  long waitNanos(int nth) {
    long[] waits = demand.waits();
    if (waits.length == 0) {
      return 0;
    }
    return each * waits[(int) ((begun + nth) / demand.blocksPerCluster() % waits.length)];
  }

  /** {@return in how much time some of its blocks begin} */
  long startNanos(int count) {
    return count * each * NANOS_PER_THOUSAND_BLOCKS / 1_000;
  }

  /** {@return how long a block takes at least, or those that it stands for} */
  long leastNanos() {
    return demand.memoryNanos() > 0 ? each * LEAST_MEMORY_NANOS : 0;
  }

  /** {@return how long the memory needs for some of its blocks} */
  long memoryNanos(int count) {
    return part(demand.memoryNanos(), count);
  }

  /** {@return how long the arithmetic units need for some of its blocks} */
  long operationNanos(int count) {
    return part(demand.operationNanos(), count);
  }

  private long part(long nanos, int count) {
    // As a difference of two sums, so that all parts together are the whole.
    double before = (double) nanos * begun / demand.blocks();
    double after =
        (double) nanos * Math.min(demand.blocks(), begun + count * each) / demand.blocks();
    return Math.round(after) - Math.round(before);
  }

  /** Notes that blocks begin, which end together. */
  void begins(int count, long start, long end) {
    begun = Math.min(demand.blocks(), begun + count * each);
    startNanos = Math.min(startNanos, start);
    endNanos = Math.max(endNanos, end);
    running++;
  }

  /** Notes that blocks that began together have ended; returns whether none is left. */
  boolean ends() {
    running--;
    return running == 0 && left() == 0;
  }

  /** {@return when the first block began} */
  long startNanos() {
    return startNanos;
  }

  /** {@return when the last of the blocks that have begun ends} */
  long endNanos() {
    return endNanos;
  }
}
