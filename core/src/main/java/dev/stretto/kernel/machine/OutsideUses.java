package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How threads of other blocks of a cluster use a block's shared memory. The block has to have begun
 * before the first use, and not to have ended before the last one. CUDA C++ Programming Guide,
 * "Distributed Shared Memory".
 */
final class OutsideUses implements SharedStorage.Uses {
  private final HappensBefore order;
  private final int block;
  private final int firstRank;
  private final int endRank;
  private final IntSupplier live;

  /** When each thread of the cluster last used the memory, by its own clock; 0 if never. */
  private final int[] last;

  private final @Nullable CallPath[] lines;

  /** Threads that know that the block has begun. */
  private final BitSet knowing = new BitSet();

  /**
   * Creates the record of a block.
   *
   * @param block its number in the cluster
   * @param firstRank the rank of its first thread in the cluster
   * @param threads how many it has
   * @param live how many of them have not returned
   */
  OutsideUses(HappensBefore order, int block, int firstRank, int threads, IntSupplier live) {
    this.order = order;
    this.block = block;
    this.firstRank = firstRank;
    this.endRank = firstRank + threads;
    this.live = live;
    this.last = new int[order.threads()];
    this.lines = new CallPath[order.threads()];
  }

  /** Called when a block begins: nobody has used its memory. */
  void begin() {
    Arrays.fill(last, 0);
    Arrays.fill(lines, null);
    knowing.clear();
  }

  @Override
  public boolean areFromOutside() {
    return isFromOutside(Coroutine.current("a copy"));
  }

  @Override
  public void uses() {
    Coroutine thread = Coroutine.current("an access to shared memory");
    if (!isFromOutside(thread)) {
      return;
    }
    if (live.getAsInt() == 0) {
      throw order.misuse(
          CopyRule.EXIT_BEFORE_READ,
          thread
              + " uses the shared memory of block "
              + block
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

  private void requireBegun(Coroutine thread) {
    for (int rank = firstRank; rank < endRank; rank++) {
      if (order.knows(thread, rank, 1)) {
        knowing.set(thread.rank());
        return;
      }
    }
    throw order.misuse(
        CopyRule.MISSING_BARRIER,
        thread
            + " uses the shared memory of block "
            + block
            + " of the cluster, which may not have begun: put cluster.sync() before the first use");
  }

  private boolean isFromOutside(Coroutine thread) {
    return thread.rank() < firstRank || thread.rank() >= endRank;
  }

  /** Called when the block's last thread returns. */
  void leave() {
    for (int rank = 0; rank < last.length; rank++) {
      if (last[rank] > 0 && !order.isKnownToAny(firstRank, endRank, rank, last[rank])) {
        throw order.misuse(
            CopyRule.EXIT_BEFORE_READ,
            "block "
                + block
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
