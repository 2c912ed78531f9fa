package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.ThreadBlock;

/**
 * Processes scores in attention: a thread's part of two rows of a product, by a warp or a warp
 * group. Rows are spread over four lanes; elements {@code 4 * j} and {@code 4 * j + 1} belong to
 * the upper row, the following two to the lower one.
 */
final class Scores {
  private Scores() {}

  /** Hides scores that do not count: those of later keys, and of keys after the last one. */
  static void mask(float[] scores, int first, int lastUpper, int lastLower, @Const int n) {
    for (int j = 0; j < n / 2; j++) {
      int column = j / 4 * 8 + j % 2;
      int left = ((j & 2) == 0 ? lastUpper : lastLower) - first;
      scores[j] = column > left ? Float.NEGATIVE_INFINITY : scores[j];
    }
  }

  /** Hides scores that do not count: those of keys before the first one. */
  static void maskBefore(float[] scores, int first, int firstUpper, int firstLower, @Const int n) {
    for (int j = 0; j < n / 2; j++) {
      int column = j / 4 * 8 + j % 2;
      int left = ((j & 2) == 0 ? firstUpper : firstLower) - first;
      scores[j] = column < left ? Float.NEGATIVE_INFINITY : scores[j];
    }
  }

  /**
   * Turns scores into weights: powers of 2 of their distance below the greatest one so far.
   *
   * @param shrink receives the factor by which results of earlier scores have to shrink
   */
  static void soften(
      ThreadBlock block,
      float[] scores,
      float[] most,
      float[] sum,
      float[] shrink,
      float scale,
      @Const int n) {
    for (int half = 0; half < 2; half++) {
      float greatest = Math.max(scores[2 * half], scores[2 * half + 1]);
      float other = Math.max(scores[4 + 2 * half], scores[4 + 2 * half + 1]);
      for (int j = 8; j < n / 2; j += 8) {
        greatest = Math.max(greatest, Math.max(scores[j + 2 * half], scores[j + 2 * half + 1]));
        other = Math.max(other, Math.max(scores[j + 4 + 2 * half], scores[j + 5 + 2 * half]));
      }
      greatest = Math.max(greatest, other);
      greatest = Math.max(greatest, block.warp().shuffleXor(greatest, 1));
      greatest = Math.max(greatest, block.warp().shuffleXor(greatest, 2));
      greatest = Math.max(greatest, most[half]);
      // If no key counts yet, all weights are 0.
      float top = greatest == Float.NEGATIVE_INFINITY ? 0 : greatest * scale;
      shrink[half] = Ptx.ex2ApproxFtzF32(Math.fma(most[half], scale, -top));
      most[half] = greatest;
      float all = sum[half] * shrink[half];
      float rest = 0;
      for (int j = 2 * half; j < n / 2; j += 4) {
        scores[j] = Ptx.ex2ApproxFtzF32(Math.fma(scores[j], scale, -top));
        scores[j + 1] = Ptx.ex2ApproxFtzF32(Math.fma(scores[j + 1], scale, -top));
        all += scores[j];
        rest += scores[j + 1];
      }
      sum[half] = all + rest;
    }
  }

  /** Rounds weights: four numbers become two registers of a left matrix. */
  static void pack(float[] scores, int[] weights, @Const int n, @Const boolean bf16) {
    for (int j = 0; j < n / 4; j++) {
      weights[j] = pair(scores[2 * j], scores[2 * j + 1], bf16);
    }
  }

  static int pair(float lower, float upper, @Const boolean bf16) {
    return bf16 ? Ptx.cvtRnBf16x2F32(upper, lower) : Ptx.cvtRnF16x2F32(upper, lower);
  }
}
