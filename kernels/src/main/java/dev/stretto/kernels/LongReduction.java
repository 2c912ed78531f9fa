// Generated from tools/families/Reduction.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalLongs;

/** The kernel that makes one of many longs. */
final class LongReduction {
  static final int THREADS = 256;

  /** So many accesses of 16 bytes are on their way for each thread. */
  private static final int ROWS = 4;

  private static final int WIDTH = LongElements.WIDTH;
  private static final int ITEMS = ROWS * WIDTH;

  /** So many elements does a block read at once. */
  static final int TILE = THREADS * ITEMS;

  private LongReduction() {}

  /**
   * Each block makes one of every so many tiles, always in the same order.
   *
   * @param out has an element for each block
   * @param aligned whether 16 bytes can be read at once
   */
  @Kernel(maxThreads = THREADS, minBlocks = 4)
  static void reduce(
      ThreadBlock block,
      GlobalLongs in,
      GlobalLongs out,
      @Const int operation,
      @Const boolean aligned) {
    long[] mine = new long[WIDTH];
    for (int k = 0; k < WIDTH; k++) {
      mine[k] = LongElements.identity(operation);
    }
    int thread = block.threadIndexX();
    int inRow = thread * WIDTH;
    long length = in.length();
    long tiles = aligned ? length / TILE : 0;
    for (long tile = block.blockIndexX(); tile < tiles; tile += block.gridSizeX()) {
      long at = tile * TILE + inRow;
      long[] items = new long[ITEMS];
      for (int row = 0; row < ROWS; row++) {
        int rows = row * THREADS * WIDTH;
        LongElements.load(in, at + rows, items, row * WIDTH);
      }
      for (int i = 0; i < ITEMS; i++) {
        mine[i % WIDTH] = LongElements.combine(operation, mine[i % WIDTH], items[i]);
      }
    }
    long step = (long) block.gridSizeX() * THREADS;
    for (long i = tiles * TILE + block.globalIndexX(); i < length; i += step) {
      mine[0] = LongElements.combine(operation, mine[0], in.get(i));
    }
    for (int k = 1; k < WIDTH; k++) {
      mine[0] = LongElements.combine(operation, mine[0], mine[k]);
    }
    long ofBlock = ofBlock(block, operation, mine[0]);
    if (thread == 0) {
      out.set(block.blockIndexX(), ofBlock);
    }
  }

  /** {@return the values of a block's threads in one, for the first warp} */
  private static long ofBlock(ThreadBlock block, int operation, long mine) {
    Warp warp = block.warp();
    SharedLongs ofWarps = block.sharedLongs(THREADS / 32);
    long ofWarp = LongElements.reduce(warp, operation, mine);
    if (warp.lane() == 0) {
      ofWarps.set(warp.index(), ofWarp);
    }
    block.sync();
    long identity = LongElements.identity(operation);
    int lane = warp.lane();
    boolean takes = warp.index() == 0 && lane < THREADS / 32;
    return LongElements.reduce(warp, operation, takes ? ofWarps.get(lane) : identity);
  }
}
