package dev.stretto.examples.attention;

import dev.stretto.kernel.Mma;
import dev.stretto.kernel.Ptx;

/**
 * Matrices spread over the registers of a warp, as {@code mma.sync} expects them. Of a 16x8 matrix
 * of floats a lane has four: columns {@code lane % 4 * 2} and the next, in rows {@code lane / 4}
 * and {@code lane / 4 + 8}. Wider and higher matrices consist of several of those, one row of
 * fragments after the other.
 */
final class Fragments {
  private Fragments() {}

  /**
   * The index of a lane's two numbers in a row.
   *
   * @param row one of the lane's rows, each eight rows after the previous one
   * @param eight the number of a group of eight columns
   * @param columns how many columns there are
   */
  static int at(int row, int eight, int columns) {
    return 4 * (row / 2 * (columns / 8) + eight) + row % 2 * 2;
  }

  /** Two 16-bit numbers in a register, the first one in the lower half. */
  static int pack(boolean bfloat, float first, float second) {
    return bfloat ? Ptx.cvtRnBf16x2F32(second, first) : Ptx.cvtRnF16x2F32(second, first);
  }

  /** Adds the product of a 16x16 and a 16x8 matrix to a 16x8 matrix. */
  static void multiply(
      boolean bfloat, float[] sums, int atSums, int[] left, int atLeft, int[] right, int atRight) {
    if (bfloat) {
      Mma.bf16(sums, atSums, left, atLeft, right, atRight);
    } else {
      Mma.f16(sums, atSums, left, atLeft, right, atRight);
    }
  }

  /**
   * Hides the scores of keys that a row does not see.
   *
   * @param rows how many rows of scores a lane has
   * @param columns how many keys there are
   * @param seen how many of them its first row sees, counted from the lane's first one
   * @param more how many more each following row sees
   */
  static void mask(float[] scores, int rows, int columns, int seen, int more) {
    for (int row = 0; row < rows; row++) {
      for (int eight = 0; eight < columns / 8; eight++) {
        for (int i = 0; i < 2; i++) {
          int at = at(row, eight, columns) + i;
          boolean sees = 8 * eight + i - row * more < seen;
          scores[at] = sees ? scores[at] : Float.NEGATIVE_INFINITY;
        }
      }
    }
  }

  /** Multiplies a row by a factor. */
  static void scale(float[] matrix, int row, int columns, float factor) {
    for (int eight = 0; eight < columns / 8; eight++) {
      int at = at(row, eight, columns);
      matrix[at] *= factor;
      matrix[at + 1] *= factor;
    }
  }

  /** Sixteen columns of a 16-row matrix of floats, as the left operand of a product. */
  static int[] left(boolean bfloat, float[] matrix, int columns, int sixteen) {
    int[] left = new int[4];
    for (int i = 0; i < 4; i++) {
      int from = at(i % 2, 2 * sixteen + i / 2, columns);
      left[i] = pack(bfloat, matrix[from], matrix[from + 1]);
    }
    return left;
  }
}
