package dev.stretto.bench.kernel;

/** The data, a function of index and seed; the same in C++. */
final class Pattern {
  private Pattern() {}

  static int hash(int index, int seed) {
    int x = index + seed * 0x9E3779B9;
    x ^= x >>> 16;
    x *= 0x7FEB352D;
    x ^= x >>> 15;
    x *= 0x846CA68B;
    return x ^ x >>> 16;
  }

  /**
   * -64 to 63. A 64th of it is a bfloat16, and sums of thousands of products of two of those are
   * exact floats.
   */
  static int small(int index, int seed) {
    return (hash(index, seed) >>> 25) - 64;
  }

  static float smallFloat(int index, int seed) {
    return small(index, seed) / 64f;
  }

  /** Two neighbours in a row of bfloat16 numbers, the left one in the lower half. */
  static int smallPair(int pair, int seed) {
    int left = Float.floatToRawIntBits(smallFloat(2 * pair, seed));
    int right = Float.floatToRawIntBits(smallFloat(2 * pair + 1, seed));
    return left >>> 16 | (right & 0xffff0000);
  }

  /** -1 to 1, 24 bits. */
  static float fineFloat(int index, int seed) {
    return (hash(index, seed) >>> 8) / (float) (1 << 23) - 1;
  }
}
