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

  /**
   * What blocks make known to each other. A block that arrives again before another one has waited
   * makes nothing known to that: on a GPU it may, by chance.
   */
  static final class Phases {
    private @Nullable OtherClusters now;
    private @Nullable OtherClusters before;
  }

  private final LaunchExtents extents;
  private final MemorySegment memory;
  private final Phases phases;

  /**
   * Creates a barrier.
   *
   * @param memory 16 bytes of the launch
   * @param watch watches the global memory that the launch uses; null if nobody does
   */
  public GridBarrier(LaunchExtents extents, MemorySegment memory, @Nullable GlobalRaces watch) {
    this.extents = extents;
    this.memory = memory;
    this.phases = watch == null ? new Phases() : watch.gridPhases();
  }

  private void requireCooperative() {
    if (!extents.shape().isCooperative()) {
      throw new IllegalStateException(
          "block.grid().sync() in a launch that is not cooperative: its blocks may not all be there"
              + " to arrive. Launch with Grid.cooperative()");
    }
  }

  /**
   * Lets a block arrive, of which a thread has met all others.
   *
   * @param summand 1 for all blocks but one; with that of the other one the highest bit changes
   * @return the word before
   */
  public int arrive(DeviceThread thread, int summand) {
    requireCooperative();
    thread.cluster().progresses();
    OtherClusters known = thread.order().releaseToAll(thread);
    synchronized (phases) {
      phases.now = OtherClusters.joined(phases.now, known);
      int old = (int) WORD.getAndAdd(memory, WORD_AT, summand);
      if (((old ^ (old + summand)) & PHASE) != 0) {
        phases.before = phases.now;
        phases.now = null;
      }
      return old;
    }
  }

  /**
   * Looks whether all blocks have arrived.
   *
   * @param arrival the word before the thread's block arrived
   * @throws IllegalStateException if they cannot any more, since a block has returned
   */
  public boolean isOver(DeviceThread thread, int arrival) {
    long returned = (long) RETURNED.getVolatile(memory, RETURNED_AT) - 1;
    if ((((int) WORD.getVolatile(memory, WORD_AT) ^ arrival) & PHASE) != 0) {
      synchronized (phases) {
        thread.order().acquireFromAll(thread, phases.before);
      }
      return true;
    }
    if (returned >= 0) {
      throw new IllegalStateException(
          "block.grid().sync() waits for "
              + thread.cluster().describe(returned)
              + ", which has returned: all blocks of the launch have to call it equally often");
    }
    DeviceThread.sleep();
    return false;
  }

  /** Notes that all threads of a cluster have returned. */
  void hasReturned(long cluster) {
    if (extents.shape().isCooperative()) {
      RETURNED.setVolatile(memory, RETURNED_AT, cluster + 1);
    }
  }
}
