// Generated from tools/families/Elements.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.Double2;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalLongs;

/**
 * What kernels do with doubles: moving 16 bytes at once, combining, and handing one to a later
 * block.
 */
final class DoubleElements {
  /** So many are 16 bytes. */
  static final int WIDTH = 2;

  /** So many words of 64 bits hand one to another block. */
  static final int WORDS = 2;

  /** The half of such a word that is not the value; so a word of zeros is none yet. */
  private static final long IS_THERE = 1L << 32;

  private DoubleElements() {}

  /** {@return what changes nothing} */
  static double identity(int operation) {
    if (operation == Operation.SUM) {
      return 0;
    }
    return operation == Operation.MIN ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
  }

  static double combine(int operation, double a, double b) {
    if (operation == Operation.SUM) {
      return a + b;
    }
    return operation == Operation.MIN ? Math.min(a, b) : Math.max(a, b);
  }

  /** Reads 16 bytes. */
  static void load(GlobalDoubles in, long index, double[] items, int at) {
    Double2 vector = in.get2(index);
    items[at] = vector.x();
    items[at + 1] = vector.y();
  }

  /** Writes 16 bytes. */
  static void store(GlobalDoubles out, long index, double[] items, int at) {
    out.set2(index, new Double2(items[at], items[at + 1]));
  }

  /** {@return all lanes' values in one, in pairs: the same on each lane} */
  static double reduce(Warp warp, int operation, double value) {
    double result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = combine(operation, result, warp.shuffleXor(result, distance));
    }
    return result;
  }

  /** {@return the values of this lane and those before it in one} */
  static double inclusive(Warp warp, int operation, double value) {
    double result = value;
    for (int distance = 1; distance < 32; distance <<= 1) {
      double before = warp.shuffleUp(result, distance);
      if (warp.lane() >= distance) {
        result = combine(operation, before, result);
      }
    }
    return result;
  }

  /**
   * Hands a value to other blocks. Each word says by itself that it is there, so no other access
   * has to be ordered with it. The words are zeros before; nothing waits for an addition's end.
   */
  static void publish(GlobalLongs words, long place, double value) {
    long bits = Double.doubleToRawLongBits(value);
    Atomics.add(words, 2 * place, IS_THERE | (bits & 0xffffffffL));
    Atomics.add(words, 2 * place + 1, IS_THERE | bits >>> 32);
  }

  /** {@return a value that another block hands over, once it is there} */
  static double await(GlobalLongs words, long place) {
    long bits = (word(words, 2 * place) & 0xffffffffL) | word(words, 2 * place + 1) << 32;
    return Double.longBitsToDouble(bits);
  }

  private static long word(GlobalLongs words, long at) {
    long word = Atomics.loadAcquire(words, at);
    while (word == 0) {
      word = Atomics.loadAcquire(words, at);
    }
    return word;
  }
}
