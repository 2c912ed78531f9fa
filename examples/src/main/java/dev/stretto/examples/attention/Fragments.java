package dev.stretto.examples.attention;

import dev.stretto.kernel.Ptx;

/**
 * Matrices spread over the registers of a warp, as {@code mma.sync} wants them. Of a 16x8 matrix of
 * floats a lane has four: columns {@code lane % 4 * 2} and the next of rows {@code lane / 4} and
 * {@code lane / 4 + 8}.
 */
final class Fragments {
  private Fragments() {}

  /** Two numbers of 16 bits in a register, the first one lower. */
  static int pack(boolean bfloat, float first, float second) {
    return bfloat ? Ptx.cvtRnBf16x2F32(second, first) : Ptx.cvtRnF16x2F32(second, first);
  }

  /** Adds the product of a 16x16 and a 16x8 matrix to a 16x8 matrix. */
  static void multiply(
      boolean bfloat, float[] sums, int atSums, int[] left, int atLeft, int[] right, int atRight) {
    if (bfloat) {
      Ptx.mmaM16N8K16Bf16(sums, atSums, left, atLeft, right, atRight);
    } else {
      Ptx.mmaM16N8K16F16(sums, atSums, left, atLeft, right, atRight);
    }
  }
}
