package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The barrier of all blocks of a cooperative launch, as the clusters see it that one host thread
 * runs. The word at which they meet lies where all host threads of the launch find it. Its highest
 * bit changes when all blocks have arrived.
 */
public final class GridBarrier {
  private static final int PHASE = 0x80000000;
  private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();
  private static final long WORD_AT = Integer.BYTES;
  private static final VarHandle RETURNED = ValueLayout.JAVA_LONG.varHandle();
  private static final long RETURNED_AT = Long.BYTES;

  private final boolean isCooperative;
  private final MemorySegment memory;
  private final GridPhases phases;

  /**
   * Creates a barrier.
   *
   * @param memory 16 bytes of the launch
   * @param watch watches the global memory that the launch uses; null if nobody does
   */
  public GridBarrier(LaunchExtents extents, MemorySegment memory, @Nullable GlobalRaces watch) {
    this.isCooperative = extents.shape().isCooperative();
    this.memory = memory;
    this.phases = watch == null ? new GridPhases() : watch.gridPhases();
  }

  /**
   * Lets a block arrive, of which a thread has met all others.
   *
   * @param known what the block makes known; null if nothing
   * @param summand 1 for all blocks but one; with that of the other one the highest bit changes
   * @return the word before
   */
  int arrive(@Nullable OtherClusters known, int summand) {
    if (!isCooperative) {
      throw new IllegalStateException(
          "block.grid().sync() in a launch that is not cooperative: its blocks may not all be there"
              + " to arrive. Launch with Grid.cooperative()");
    }
    synchronized (phases) {
      phases.arrives(known);
      int old = (int) WORD.getAndAdd(memory, WORD_AT, summand);
      if (((old ^ (old + summand)) & PHASE) != 0) {
        phases.ends();
      }
      return old;
    }
  }

  /**
   * Whether all blocks have arrived.
   *
   * @param arrival the word before a block arrived
   */
  boolean isOver(int arrival) {
    return (((int) WORD.getVolatile(memory, WORD_AT) ^ arrival) & PHASE) != 0;
  }

  /** What all blocks knew that met last; null if nothing. */
  @Nullable OtherClusters known() {
    return phases.known();
  }

  /** The number of a cluster all of whose threads have returned; -1 if there is none yet. */
  long returned() {
    return (long) RETURNED.getVolatile(memory, RETURNED_AT) - 1;
  }

  /** Notes that all threads of a cluster have returned. */
  void hasReturned(long cluster) {
    if (isCooperative) {
      RETURNED.setVolatile(memory, RETURNED_AT, cluster + 1);
    }
  }
}
