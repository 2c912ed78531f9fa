// Generated from tools/families/Sort.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/** Digits of 8 bits of keys of 4 bytes, and the kernels that count them before the first pass. */
final class IntDigits {
  /** So many digits does a key have; each takes a pass. */
  static final int PASSES = 4;

  static final int VALUES = 256;
  static final int THREADS = 256;

  private static final int WIDTH = IntElements.WIDTH;
  private static final int ROWS = 4;
  private static final int ITEMS = ROWS * WIDTH;

  /** So many keys does a block read at once. */
  static final int TILE = THREADS * ITEMS;

  /** How often a block has each count, so that lanes seldom wait for each other. */
  private static final int COPIES = 8;

  private static final int INFINITY = 0x7f800000;

  private IntDigits() {}

  /** {@return a key's bits, changed so that keys are ordered as these are without a sign} */
  static int ordered(int key, int order) {
    int bits = key ^ Integer.MIN_VALUE;
    if ((order & KeyOrder.FLOATING) != 0) {
      int sign = key >> (Integer.SIZE - 1);
      bits = key ^ (sign | Integer.MIN_VALUE);
      // Each NaN is the greatest, as in Java.
      bits = (key & Integer.MAX_VALUE) > INFINITY ? -1 : bits;
    }
    return (order & KeyOrder.DESCENDING) != 0 ? ~bits : bits;
  }

  /** {@return the digit from a bit on} */
  static int digit(int key, int shift, int order) {
    return (ordered(key, order) >>> shift) & (VALUES - 1);
  }

  /**
   * Counts how often each digit has each value.
   *
   * @param counts zeros, 256 for each pass
   */
  @Kernel(maxThreads = THREADS, minBlocks = 4)
  static void count(
      ThreadBlock block,
      GlobalInts in,
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
      int[] items = new int[ITEMS];
      for (int row = 0; row < ROWS; row++) {
        int rows = row * THREADS * WIDTH;
        IntElements.load(in, at + rows, items, row * WIDTH);
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

  private static void count(SharedInts own, int copy, int key, int order) {
    int bits = ordered(key, order);
    for (int pass = 0; pass < PASSES; pass++) {
      int digit = (bits >>> (8 * pass)) & (VALUES - 1);
      Atomics.add(own, (pass * VALUES + digit) * COPIES + copy, 1);
    }
  }
}
