package dev.stretto.examples.attention;

import dev.stretto.kernel.FastMath;
import dev.stretto.kernel.Warp;

/**
 * A softmax that takes its numbers block by block: for both rows that a lane has a part of, it
 * keeps the greatest scaled score and the sum of the powers so far. Four lanes share a row.
 */
final class Softmax {
  private final float[] max = {Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY};
  private final float[] sum = new float[2];

  /**
   * Turns a block of scores into powers relative to the greatest score so far, and rescales what
   * was relative to an earlier one.
   *
   * @param out the result of the powers of earlier blocks, with {@code headDim} columns
   */
  void take(Warp warp, float scale, float[] scores, int columns, float[] out, int headDim) {
    for (int row = 0; row < 2; row++) {
      float top = Float.NEGATIVE_INFINITY;
      for (int eight = 0; eight < columns / 8; eight++) {
        int at = Fragments.at(row, eight, columns);
        top = Math.max(top, Math.max(scores[at], scores[at + 1]));
      }
      top = Math.max(top, warp.shuffleXor(top, 1));
      top = Math.max(top, warp.shuffleXor(top, 2));
      top = Math.max(max[row], top * scale);
      // A row that has seen no key yet: nothing may become NaN.
      float base = top == Float.NEGATIVE_INFINITY ? 0 : top;
      float factor = FastMath.exp(max[row] - base);
      max[row] = top;
      sum[row] *= factor;
      Fragments.scale(out, row, headDim, factor);
      for (int eight = 0; eight < columns / 8; eight++) {
        int at = Fragments.at(row, eight, columns);
        for (int i = at; i < at + 2; i++) {
          scores[i] = FastMath.exp(scores[i] * scale - base);
          sum[row] += scores[i];
        }
      }
    }
  }

  /** The greatest scaled score of a row. */
  float max(int row) {
    return max[row];
  }

  /** The sum of a row's powers, over all four lanes. */
  float total(Warp warp, int row) {
    float two = sum[row] + warp.shuffleXor(sum[row], 1);
    return two + warp.shuffleXor(two, 2);
  }
}
