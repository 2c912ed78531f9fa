// Generated from tools/families/Elements.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.Int4;

/**
 * What kernels do with ints: moving 16 bytes at once, combining, and handing one to a later block.
 */
final class IntElements {
  /** So many are 16 bytes. */
  static final int WIDTH = 4;

  /** So many words of 64 bits hand one to another block. */
  static final int WORDS = 1;

  /** The half of such a word that is not the value; so a word of zeros is none yet. */
  private static final long IS_THERE = 1L << 32;

  private IntElements() {}

  /** {@return what changes nothing} */
  static int identity(int operation) {
    if (operation == Operation.SUM) {
      return 0;
    }
    return operation == Operation.MIN ? Integer.MAX_VALUE : Integer.MIN_VALUE;
  }

  static int combine(int operation, int a, int b) {
    if (operation == Operation.SUM) {
      return a + b;
    }
    return operation == Operation.MIN ? Math.min(a, b) : Math.max(a, b);
  }

  /** Reads 16 bytes. */
  static void load(GlobalInts in, long index, int[] items, int at) {
    Int4 vector = in.get4(index);
    items[at] = vector.x();
    items[at + 1] = vector.y();
    items[at + 2] = vector.z();
    items[at + 3] = vector.w();
  }

  /** Writes 16 bytes. */
  static void store(GlobalInts out, long index, int[] items, int at) {
    out.set4(index, new Int4(items[at], items[at + 1], items[at + 2], items[at + 3]));
  }

  /** {@return all lanes' values in one, in pairs: the same on each lane} */
  static int reduce(Warp warp, int operation, int value) {
    int result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = combine(operation, result, warp.shuffleXor(result, distance));
    }
    return result;
  }

  /** {@return the values of this lane and those before it in one} */
  static int inclusive(Warp warp, int operation, int value) {
    int result = value;
    for (int distance = 1; distance < 32; distance <<= 1) {
      int before = warp.shuffleUp(result, distance);
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
  static void publish(GlobalLongs words, long place, int value) {
    Atomics.add(words, place, IS_THERE | (value & 0xffffffffL));
  }

  /** {@return a value that another block hands over, once it is there} */
  static int await(GlobalLongs words, long place) {
    return (int) word(words, place);
  }

  private static long word(GlobalLongs words, long at) {
    long word = Atomics.loadAcquire(words, at);
    while (word == 0) {
      word = Atomics.loadAcquire(words, at);
    }
    return word;
  }
}
