// Generated from tools/families/Reduction.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalFloats;

/** The kernel that makes one of many floats. */
final class FloatReduction {
  static final int THREADS = 256;

  /** So many accesses of 16 bytes are on their way for each thread. */
  private static final int ROWS = 4;

  private static final int WIDTH = FloatElements.WIDTH;
  private static final int ITEMS = ROWS * WIDTH;

  /** So many elements does a block read at once. */
  static final int TILE = THREADS * ITEMS;

  private FloatReduction() {}

  /**
   * Each block makes one of every so many tiles, always in the same order.
   *
   * @param out has an element for each block
   * @param aligned whether 16 bytes can be read at once
   */
  @Kernel(maxThreads = THREADS, minBlocks = 4)
  static void reduce(
      ThreadBlock block,
      GlobalFloats in,
      GlobalFloats out,
      @Const int operation,
      @Const boolean aligned) {
    float[] mine = new float[WIDTH];
    for (int k = 0; k < WIDTH; k++) {
      mine[k] = FloatElements.identity(operation);
    }
    int thread = block.threadIndexX();
    int inRow = thread * WIDTH;
    long length = in.length();
    long tiles = aligned ? length / TILE : 0;
    for (long tile = block.blockIndexX(); tile < tiles; tile += block.gridSizeX()) {
      long at = tile * TILE + inRow;
      float[] items = new float[ITEMS];
      for (int row = 0; row < ROWS; row++) {
        int rows = row * THREADS * WIDTH;
        FloatElements.load(in, at + rows, items, row * WIDTH);
      }
      for (int i = 0; i < ITEMS; i++) {
        mine[i % WIDTH] = FloatElements.combine(operation, mine[i % WIDTH], items[i]);
      }
    }
    long step = (long) block.gridSizeX() * THREADS;
    for (long i = tiles * TILE + block.globalIndexX(); i < length; i += step) {
      mine[0] = FloatElements.combine(operation, mine[0], in.get(i));
    }
    for (int k = 1; k < WIDTH; k++) {
      mine[0] = FloatElements.combine(operation, mine[0], mine[k]);
    }
    float ofBlock = ofBlock(block, operation, mine[0]);
    if (thread == 0) {
      out.set(block.blockIndexX(), ofBlock);
    }
  }

  /** {@return the values of a block's threads in one, for the first warp} */
  private static float ofBlock(ThreadBlock block, int operation, float mine) {
    Warp warp = block.warp();
    SharedFloats ofWarps = block.sharedFloats(THREADS / 32);
    float ofWarp = FloatElements.reduce(warp, operation, mine);
    if (warp.lane() == 0) {
      ofWarps.set(warp.index(), ofWarp);
    }
    block.sync();
    float identity = FloatElements.identity(operation);
    int lane = warp.lane();
    boolean takes = warp.index() == 0 && lane < THREADS / 32;
    return FloatElements.reduce(warp, operation, takes ? ofWarps.get(lane) : identity);
  }
}
