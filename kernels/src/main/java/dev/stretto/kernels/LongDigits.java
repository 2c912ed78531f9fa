// Generated from tools/families/Sort.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalLongs;

/** Digits of 8 bits of keys of 8 bytes, and the kernels that count them before the first pass. */
final class LongDigits {
  /** So many digits does a key have; each takes a pass. */
  static final int PASSES = 8;

  static final int VALUES = 256;
  static final int THREADS = 256;

  private static final int WIDTH = LongElements.WIDTH;
  private static final int ROWS = 4;
  private static final int ITEMS = ROWS * WIDTH;

  /** So many keys does a block read at once. */
  static final int TILE = THREADS * ITEMS;

  /** How often a block has each count, so that lanes seldom wait for each other. */
  private static final int COPIES = 4;

  private static final long INFINITY = 0x7ff0000000000000L;

  private LongDigits() {}

  /** {@return a key's bits, changed so that keys are ordered as these are without a sign} */
  static long ordered(long key, int order) {
    long bits = key ^ Long.MIN_VALUE;
    if ((order & KeyOrder.FLOATING) != 0) {
      long sign = key >> (Long.SIZE - 1);
      bits = key ^ (sign | Long.MIN_VALUE);
      // Each NaN is the greatest, as in Java.
      bits = (key & Long.MAX_VALUE) > INFINITY ? -1 : bits;
    }
    return (order & KeyOrder.DESCENDING) != 0 ? ~bits : bits;
  }

  /** {@return the digit from a bit on} */
  static int digit(long key, int shift, int order) {
    return (int) (ordered(key, order) >>> shift) & (VALUES - 1);
  }

  /**
   * Counts how often each digit has each value.
   *
   * @param counts zeros, 256 for each pass
   */
  @Kernel(maxThreads = THREADS, minBlocks = 4)
  static void count(
      ThreadBlock block,
      GlobalLongs in,
      GlobalLongs counts,
      @Const int order,
      @Const boolean aligned) {
    SharedInts own = block.sharedInts(PASSES * VALUES * COPIES);
    int thread = block.threadIndexX();
    for (int i = thread; i < PASSES * VALUES * COPIES; i += THREADS) {
      own.set(i, 0);
    }
    block.sync();
    int copy = thread % COPIES;
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
        count(own, copy, items[i], order);
      }
    }
    long step = (long) block.gridSizeX() * THREADS;
    for (long i = tiles * TILE + block.globalIndexX(); i < length; i += step) {
      count(own, copy, in.get(i), order);
    }
    block.sync();
    for (int value = thread; value < PASSES * VALUES; value += THREADS) {
      int sum = 0;
      for (int i = 0; i < COPIES; i++) {
        sum += own.get(value * COPIES + (i + thread) % COPIES);
      }
      if (sum != 0) {
        Atomics.add(counts, value, (long) sum);
      }
    }
  }

  private static void count(SharedInts own, int copy, long key, int order) {
    long bits = ordered(key, order);
    for (int pass = 0; pass < PASSES; pass++) {
      int digit = (int) (bits >>> (8 * pass)) & (VALUES - 1);
      Atomics.add(own, (pass * VALUES + digit) * COPIES + copy, 1);
    }
  }
}
