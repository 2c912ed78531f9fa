package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * How threads of other blocks of a cluster use a block's shared memory. The block has to have begun
 * before the first use, and not to have ended before the last one. CUDA C++ Programming Guide,
 * "Distributed Shared Memory".
 */
final class OutsideUses {
  private final HappensBefore order;
  private final BlockState home;

  /** When each thread of the cluster last used the memory, by its own clock; 0 if never. */
  private final int[] last;

  private final @Nullable CallPath[] lines;

  /** Threads that know that the block has begun. */
  private final BitSet knowing = new BitSet();

  OutsideUses(HappensBefore order, BlockState home) {
    this.order = order;
    this.home = home;
    this.last = new int[order.threads()];
    this.lines = new CallPath[order.threads()];
  }

  /** Called when a block begins: nobody has used its memory. */
  void begin() {
    Arrays.fill(last, 0);
    Arrays.fill(lines, null);
    knowing.clear();
  }

  /** Whether a thread belongs to another block than the memory. */
  boolean isFrom(DeviceThread thread) {
    return thread.block() != home;
  }

  /** Called before the running thread uses some of the memory. */
  void uses(DeviceThread thread) {
    if (!isFrom(thread)) {
      return;
    }
    if (home.liveThreads() == 0) {
      throw order.misuse(
          CopyRule.EXIT_BEFORE_READ,
          thread
              + " uses the shared memory of block "
              + home.number()
              + " of the cluster, whose threads have all returned: put cluster.sync() behind this"
              + " use, before that block returns");
    }
    if (!order.isActive()) {
      return;
    }
    if (order.knowsAll() && !knowing.get(thread.rank())) {
      requireBegun(thread);
    }
    last[thread.rank()] = order.now(thread);
    lines[thread.rank()] = order.line();
  }

  private void requireBegun(DeviceThread thread) {
    for (int rank = home.firstRank(); rank < home.endRank(); rank++) {
      if (order.knows(thread, rank, 1)) {
        knowing.set(thread.rank());
        return;
      }
    }
    throw order.misuse(
        CopyRule.MISSING_BARRIER,
        thread
            + " uses the shared memory of block "
            + home.number()
            + " of the cluster, which may not have begun: put cluster.sync() before the first use");
  }

  /** Called when the block's last thread returns. */
  void leave() {
    for (int rank = 0; rank < last.length; rank++) {
      if (last[rank] > 0 && !home.knows(order, rank, last[rank])) {
        throw order.misuse(
            CopyRule.EXIT_BEFORE_READ,
            "block "
                + home.number()
                + " of the cluster returns while thread "
                + rank
                + " of another block may still use its shared memory"
                + CallPath.inBrackets(lines[rank])
                + ": put cluster.sync() between"
                + " that use and the return");
      }
    }
  }
}
