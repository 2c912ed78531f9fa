// Generated from tools/families/HistogramKernel.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/** The kernels that count ints in bins of one width. */
final class IntHistogram {
  private static final int THREADS = BlockCounts.THREADS;
  private static final int WIDTH = IntElements.WIDTH;

  /** So many accesses of 16 bytes are on their way for each thread. */
  private static final int ROWS = 4;

  private static final int ITEMS = ROWS * WIDTH;

  /** So many elements does a block read at once. */
  static final int TILE = THREADS * ITEMS;

  private IntHistogram() {}

  /**
   * {@return the bin of a number, or one that there is not} Exact: the quotient by a factor is
   * right or one too small.
   *
   * @param range how many ints the bins are for together
   * @param factor 2<sup>64</sup> / range, rounded down
   */
  private static int bin(int item, int bins, int lower, long range, long factor) {
    int distance = item - lower;
    if (Integer.compareUnsigned(distance, (int) range) >= 0) {
      return -1;
    }
    long product = (distance & 0xffffffffL) * bins;
    long quotient = Math.unsignedMultiplyHigh(product, factor);
    return (int) (product - quotient * range >= range ? quotient + 1 : quotient);
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
      GlobalInts in,
      GlobalLongs counts,
      int lower,
      long range,
      long factor,
      @Const int copies,
      @Const boolean aligned) {
    BlockCounts.clear(block, counts, copies);
    int bins = (int) counts.length();
    long length = in.length();
    int inRow = block.threadIndexX() * WIDTH;
    long tiles = aligned ? length / TILE : 0;
    for (long tile = block.blockIndexX(); tile < tiles; tile += block.gridSizeX()) {
      long at = tile * TILE + inRow;
      int[] items = new int[ITEMS];
      for (int row = 0; row < ROWS; row++) {
        int rows = row * THREADS * WIDTH;
        IntElements.load(in, at + rows, items, row * WIDTH);
      }
      for (int i = 0; i < ITEMS; i++) {
        BlockCounts.count(block, counts, copies, bin(items[i], bins, lower, range, factor));
      }
    }
    long step = (long) block.gridSizeX() * THREADS;
    for (long i = tiles * TILE + block.globalIndexX(); i < length; i += step) {
      BlockCounts.count(block, counts, copies, bin(in.get(i), bins, lower, range, factor));
    }
    BlockCounts.add(block, counts, copies);
  }
}
