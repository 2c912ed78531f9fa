package dev.stretto.examples.attention;

import dev.stretto.kernel.FastMath;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.Warp;

/**
 * A softmax that takes its numbers block by block: the greatest score so far of each row that a
 * thread has a part of, and the sum of the powers so far.
 *
 * <p>Powers are of two: {@code exp(scale * (s - max))} is {@code exp2(scale2 * s - scale2 * max)},
 * a multiplication with an addition and one instruction. A thread has two rows of each fragment of
 * 16 rows; four lanes share a row.
 */
final class Softmax {
  private static final float LOG2_E = 1.4426950408889634f;
  private static final float LN_2 = 0.6931471805599453f;

  private final float scale2;
  private final float[] max;
  private final float[] shift;
  private final float[] sum;

  Softmax(int fragments, float scale) {
    this.scale2 = scale * LOG2_E;
    this.max = new float[2 * fragments];
    this.shift = new float[2 * fragments];
    this.sum = new float[2 * fragments];
    for (int row = 0; row < 2 * fragments; row++) {
      max[row] = Float.NEGATIVE_INFINITY;
    }
  }

  /** Where the two numbers of a row begin, in the fragments of 8 columns each. */
  static int at(int row, int column8, int columns) {
    return 4 * (row / 2 * (columns / 8) + column8) + row % 2 * 2;
  }

  /**
   * Hides the scores of keys that a row does not see.
   *
   * @param seen how many columns from the thread's first one the first row sees
   * @param more how many more each following row sees, which is the eighth after the one before
   */
  static void mask(float[] scores, int rows, int columns, int seen, int more) {
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        // Of each eight columns a thread has two.
        if (column % 8 < 2) {
          int at = at(row, column / 8, columns) + column % 8;
          scores[at] = column - row * more < seen ? scores[at] : Float.NEGATIVE_INFINITY;
        }
      }
    }
  }

  /**
   * Looks at a block of scores. What was summed up until now has to be multiplied by the result.
   *
   * @param masked whether a row may have seen no key at all yet
   * @return a factor for each row
   */
  float[] raise(Warp warp, float[] scores, int columns, boolean masked) {
    float[] factors = new float[max.length];
    for (int row = 0; row < max.length; row++) {
      float top = max[row];
      for (int column = 0; column < columns / 8; column++) {
        int at = at(row, column, columns);
        top = Math.max(top, Math.max(scores[at], scores[at + 1]));
      }
      top = Math.max(top, warp.shuffleXor(top, 1));
      top = Math.max(top, warp.shuffleXor(top, 2));
      float used = masked && top == Float.NEGATIVE_INFINITY ? 0 : top;
      factors[row] = Ptx.ex2ApproxFtzF32((max[row] - used) * scale2);
      shift[row] = -used * scale2;
      max[row] = top;
      sum[row] *= factors[row];
    }
    return factors;
  }

  float[] raiseSometimes(Warp warp, float[] scores, int columns, float[] out, int dim, boolean masked, float threshold) {
    float[] tops = new float[max.length];
    boolean grows = false;
    for (int row = 0; row < max.length; row++) {
      float top = Math.max(scores[at(row, 0, columns)], scores[at(row, 0, columns) + 1]);
      for (int column = 1; column < columns / 8; column++) {
        int at = at(row, column, columns);
        top = Math.max(top, Math.max(scores[at], scores[at + 1]));
      }
      tops[row] = top;
      grows |= (top - max[row]) * scale2 > threshold;
    }
    if (warp.any(grows)) {
      for (int row = 0; row < max.length; row++) {
        float top = Math.max(max[row], tops[row]);
        top = Math.max(top, warp.shuffleXor(top, 1));
        top = Math.max(top, warp.shuffleXor(top, 2));
        float used = masked && top == Float.NEGATIVE_INFINITY ? 0 : top;
        float factor = Ptx.ex2ApproxFtzF32((max[row] - used) * scale2);
        shift[row] = -used * scale2;
        max[row] = top;
        sum[row] *= factor;
        for (int n = 0; n < dim / 8; n++) {
          int e = Softmax.at(row, n, dim);
          out[e] *= factor;
          out[e + 1] *= factor;
        }
      }
    }
    return tops;
  }

  /** The powers of a row's two scores, which are added up and packed. */
  int powers(boolean bfloat, float[] scores, int at, int row) {
    float first = Ptx.ex2ApproxFtzF32(Math.fma(scores[at], scale2, shift[row]));
    float second = Ptx.ex2ApproxFtzF32(Math.fma(scores[at + 1], scale2, shift[row]));
    sum[row] += first + second;
    return Fragments.pack(bfloat, first, second);
  }

  /** The sum of a row's powers, over all four lanes. */
  float total(Warp warp, int row) {
    float two = sum[row] + warp.shuffleXor(sum[row], 1);
    return two + warp.shuffleXor(two, 2);
  }

  /** The natural logarithm of the sum of a row's scaled scores' powers. */
  float logSumExp(float total, int row) {
    return total == 0
        ? Float.NEGATIVE_INFINITY
        : LN_2 * (max[row] * scale2 + FastMath.log2(total));
  }
}
