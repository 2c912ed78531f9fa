// Generated from tools/families/HistogramKernel.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalLongs;

/** The kernels that count floats in bins of one width. */
final class FloatHistogram {
  private static final int THREADS = BlockCounts.THREADS;
  private static final int WIDTH = FloatElements.WIDTH;

  /** So many accesses of 16 bytes are on their way for each thread. */
  private static final int ROWS = 4;

  private static final int ITEMS = ROWS * WIDTH;

  /** So many elements does a block read at once. */
  static final int TILE = THREADS * ITEMS;

  private FloatHistogram() {}

  /** {@return the bin of a number, or -1} */
  private static int bin(float item, int bins, float lower, float upper, float factor) {
    if (!(item >= lower && item < upper)) {
      return -1;
    }
    return Math.min((int) ((item - lower) * factor), bins - 1);
  }

  /**
   * Counts in shared memory, and then adds to the counts of all blocks.
   *
   * @param copies how often a block has each bin, so that lanes do not wait for each other
   * @param aligned whether 16 bytes can be read at once
   */
  @Kernel(maxThreads = THREADS, minBlocks = 6)
  static void count(
      ThreadBlock block,
      GlobalFloats in,
      GlobalLongs counts,
      float lower,
      float upper,
      float factor,
      @Const int copies,
      @Const boolean aligned) {
    BlockCounts.clear(block, counts, copies);
    int bins = (int) counts.length();
    long length = in.length();
    int inRow = block.threadIndexX() * WIDTH;
    long tiles = aligned ? length / TILE : 0;
    for (long tile = block.blockIndexX(); tile < tiles; tile += block.gridSizeX()) {
      long at = tile * TILE + inRow;
      float[] items = new float[ITEMS];
      for (int row = 0; row < ROWS; row++) {
        int rows = row * THREADS * WIDTH;
        FloatElements.load(in, at + rows, items, row * WIDTH);
      }
      for (int i = 0; i < ITEMS; i++) {
        BlockCounts.count(block, counts, copies, bin(items[i], bins, lower, upper, factor));
      }
    }
    long step = (long) block.gridSizeX() * THREADS;
    for (long i = tiles * TILE + block.globalIndexX(); i < length; i += step) {
      BlockCounts.count(block, counts, copies, bin(in.get(i), bins, lower, upper, factor));
    }
    BlockCounts.add(block, counts, copies);
  }
}
