package dev.stretto.kernel.math;

/** The bits of 2/π, and operations to multiply by some of them. */
final class DevicePi {
  private DevicePi() {}

  /**
   * {@return 64 bits of 2/π} Word 0 precedes the point; word 19 is the last that a double needs. A
   * chain of selections, since a kernel has no tables.
   */
  static long wordOfInverse(int index) {
    long word = 0;
    word = index == 1 ? 0xa2f9836e4e441529L : word;
    word = index == 2 ? 0xfc2757d1f534ddc0L : word;
    word = index == 3 ? 0xdb6295993c439041L : word;
    word = index == 4 ? 0xfe5163abdebbc561L : word;
    word = index == 5 ? 0xb7246e3a424dd2e0L : word;
    word = index == 6 ? 0x06492eea09d1921cL : word;
    word = index == 7 ? 0xfe1deb1cb129a73eL : word;
    word = index == 8 ? 0xe88235f52ebb4484L : word;
    word = index == 9 ? 0xe99c7026b45f7e41L : word;
    word = index == 10 ? 0x3991d639835339f4L : word;
    word = index == 11 ? 0x9c845f8bbdf9283bL : word;
    word = index == 12 ? 0x1ff897ffde05980fL : word;
    word = index == 13 ? 0xef2f118b5a0a6d1fL : word;
    word = index == 14 ? 0x6d367ecf27cb09b7L : word;
    word = index == 15 ? 0x4f463f669e5fea2dL : word;
    word = index == 16 ? 0x7527bac7ebe5f17bL : word;
    word = index == 17 ? 0x3d0739f78a5292eaL : word;
    word = index == 18 ? 0x6bfb5fb11f8d5d08L : word;
    word = index == 19 ? 0x56033046fc7b6babL : word;
    return word;
  }

  /** {@return the upper 64 bits of both words, shifted to the left by 0 to 63} */
  static long join(long word, long next, int shift) {
    return (word << shift) | ((next >>> 1) >>> (63 - shift));
  }

  /** {@return the upper half of the product, both unsigned} */
  static long multiplyHigh(long a, long b) {
    long aLow = a & 0xffffffffL;
    long bLow = b & 0xffffffffL;
    long aHigh = a >>> 32;
    long bHigh = b >>> 32;
    long left = aHigh * bLow + ((aLow * bLow) >>> 32);
    long right = aLow * bHigh + (left & 0xffffffffL);
    return aHigh * bHigh + (left >>> 32) + (right >>> 32);
  }
}
