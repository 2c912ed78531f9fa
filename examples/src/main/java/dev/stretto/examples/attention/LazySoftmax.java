package dev.stretto.examples.attention;

import dev.stretto.kernel.FastMath;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.Warp;

/**
 * A {@link Softmax} of more rows that saves unnecessary work. Powers have base 2: {@code exp(scale
 * * (s - max))} is {@code exp2(scale2 * s - scale2 * max)}, one fused multiply-add and one
 * instruction for the power. The sums of earlier blocks are rescaled only if one of the warp's rows
 * has a greater score than before, which becomes rare as rows have seen more keys.
 */
final class LazySoftmax {
  private static final float LOG2_E = 1.442695f;
  private static final float LN_2 = 0.6931472f;

  private final float scale2;

  /**
   * The offset that makes the greatest scaled score of a row 0; infinite as long as there is none.
   */
  private final float[] minus;

  private final float[] sum;

  /**
   * Creates a softmax.
   *
   * @param rows how many rows a lane has a part of
   * @param scale of the scores, positive
   */
  LazySoftmax(int rows, float scale) {
    this.scale2 = scale * LOG2_E;
    this.minus = new float[rows];
    this.sum = new float[rows];
    for (int row = 0; row < rows; row++) {
      minus[row] = Float.POSITIVE_INFINITY;
    }
  }

  /** Processes a block of scores, and rescales the result so far if necessary. */
  void look(Warp warp, float[] scores, int columns, float[] out, int headDim, boolean masked) {
    float[] least = new float[minus.length];
    boolean grows = false;
    for (int row = 0; row < minus.length; row++) {
      int first = Fragments.at(row, 0, columns);
      float top = Math.max(scores[first], scores[first + 1]);
      for (int eight = 1; eight < columns / 8; eight++) {
        int at = Fragments.at(row, eight, columns);
        top = Math.max(top, Math.max(scores[at], scores[at + 1]));
      }
      least[row] = -top * scale2;
      grows |= least[row] < minus[row];
    }
    if (warp.any(grows)) {
      for (int row = 0; row < minus.length; row++) {
        float now = Math.min(minus[row], least[row]);
        now = Math.min(now, warp.shuffleXor(now, 1));
        now = Math.min(now, warp.shuffleXor(now, 2));
        float factor = Ptx.ex2ApproxFtzF32(finite(now, masked) - minus[row]);
        minus[row] = now;
        sum[row] *= factor;
        Fragments.scale(out, row, headDim, factor);
      }
    }
  }

  /**
   * The powers of sixteen keys, as the left operand of a product: two registers for the first
   * eight, two for the others.
   */
  void powers(
      boolean bfloat, float[] scores, int columns, int sixteen, int[] left, boolean masked) {
    for (int row = 0; row < minus.length; row++) {
      float add = finite(minus[row], masked);
      for (int half = 0; half < 2; half++) {
        int at = Fragments.at(row, 2 * sixteen + half, columns);
        float first = Ptx.ex2ApproxFtzF32(Math.fma(scores[at], scale2, add));
        float second = Ptx.ex2ApproxFtzF32(Math.fma(scores[at + 1], scale2, add));
        sum[row] += first + second;
        left[row / 2 * 4 + 2 * half + row % 2] = Fragments.pack(bfloat, first, second);
      }
    }
  }

  /** If keys are hidden, a row may have seen none yet: nothing may become NaN. */
  private static float finite(float minus, boolean masked) {
    return masked && minus == Float.POSITIVE_INFINITY ? 0 : minus;
  }

  /** The sum of a row's powers, over all four lanes. */
  float total(Warp warp, int row) {
    float two = sum[row] + warp.shuffleXor(sum[row], 1);
    return two + warp.shuffleXor(two, 2);
  }

  /** The logarithm of the sum of the exponentials of a row's scaled scores. */
  float logSumExp(float total, int row) {
    return total == 0 ? Float.NEGATIVE_INFINITY : LN_2 * (FastMath.log2(total) - minus[row]);
  }
}
