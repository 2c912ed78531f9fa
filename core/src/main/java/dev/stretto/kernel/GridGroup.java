package dev.stretto.kernel;

/**
 * All threads of a launch: the equivalent of {@code cooperative_groups::grid_group} in CUDA C++.
 * {@code Grid.cooperative()} makes a launch all of whose blocks run at the same time, so that they
 * may wait for each other. CUDA C++ Programming Guide, "Grid Synchronization".
 *
 * <p>The counts and ranks can be asked in every launch, {@link #sync()} only in a cooperative one:
 * a kernel that calls it cannot be launched otherwise.
 */
public final class GridGroup {
  private final ThreadBlock block;

  /** Whether the thread is the first of its block; asked once for each group. */
  private final boolean isFirst;

  GridGroup(ThreadBlock block) {
    this.block = block;
    this.isFirst = (block.threadIndexX() | block.threadIndexY() | block.threadIndexZ()) == 0;
  }

  /** {@return the number of blocks} */
  public int blocks() {
    return block.gridSizeX() * block.gridSizeY() * block.gridSizeZ();
  }

  /** {@return the block's number, 0 to {@code blocks() - 1}: x varies fastest, then y, then z} */
  public int blockRank() {
    return (block.blockIndexZ() * block.gridSizeY() + block.blockIndexY()) * block.gridSizeX()
        + block.blockIndexX();
  }

  /** {@return the number of threads} */
  public long size() {
    return (long) blocks() * block.size();
  }

  /** {@return the thread's number, 0 to {@code size() - 1}: block after block} */
  public long threadRank() {
    return (long) blockRank() * block.size() + block.threadRank();
  }

  /**
   * Waits until all threads of all blocks have called it. Each then sees what the others wrote
   * before, to global memory and, within its block, to shared memory. No thread may return before
   * the last time that the others call it.
   *
   * @throws IllegalStateException on a virtual device, if the launch is not cooperative
   */
  public void sync() {
    waitForAll(arrive());
  }

  /**
   * Arrives at {@link #sync()}'s barrier and waits for the threads of the block only. All threads
   * of the block call it, and {@link #waitForAll} next.
   *
   * @return what {@link #waitForAll} takes
   * @throws IllegalStateException on a virtual device, if the launch is not cooperative
   */
  public int arrive() {
    block.sync();
    int before = 0;
    if (isFirst) {
      boolean isFirstBlock = (block.blockIndexX() | block.blockIndexY() | block.blockIndexZ()) == 0;
      before = PtxGrid.gridBarrierArrive(isFirstBlock ? PtxGrid.PHASE - (blocks() - 1) : 1);
    }
    return before;
  }

  /**
   * Waits until all threads of all blocks have arrived.
   *
   * @param arrival what {@link #arrive()} returned to this thread
   */
  public void waitForAll(int arrival) {
    if (isFirst) {
      while (!PtxGrid.gridBarrierTest(arrival)) {
        // until all blocks have arrived
      }
    }
    block.sync();
  }
}
