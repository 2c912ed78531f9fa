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
  /** How much greater than what weights are measured by a score may be, as a power of 2. */
  private static final float SLACK = 2;

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
   * Finds out how great the scores of one of two rows are, and raises what weights are measured by
   * if some row of the warp has a much greater one than all before. A weight may so be up to 2 to
   * the power of {@link #SLACK}, which saves most of the raises. It must not be more: a weight of 1
   * is exact, and some rows have one key that outweighs the others.
   *
   * @param most what weights are measured by, times the scale; negative infinity before the first
   *     key
   * @param sum of the weights so far, shrinks with it
   * @param shrink receives the factor by which results of earlier scores have to shrink
   * @return whether it was raised, the same for all lanes
   */
  static boolean raise(
      ThreadBlock block,
      float[] scores,
      float[] most,
      float[] sum,
      float[] shrink,
      float scale,
      @Const int half,
      @Const int n) {
    float some = Math.max(scores[2 * half], scores[2 * half + 1]);
    float other = Math.max(scores[4 + 2 * half], scores[4 + 2 * half + 1]);
    for (int j = 8; j < n / 2; j += 8) {
      some = Math.max(some, Math.max(scores[j + 2 * half], scores[j + 2 * half + 1]));
      other = Math.max(other, Math.max(scores[j + 4 + 2 * half], scores[j + 5 + 2 * half]));
    }
    return raise(block, Math.max(some, other) * scale, most, sum, shrink, SLACK, half);
  }

  /** Raises it if some row of the warp has a score greater by more than the slack, or a NaN. */
  static boolean raise(
      ThreadBlock block,
      float greatest,
      float[] most,
      float[] sum,
      float[] shrink,
      @Const float slack,
      @Const int half) {
    boolean raised = block.warp().any(!(greatest <= most[half] + slack));
    if (raised) {
      float all = Math.max(greatest, block.warp().shuffleXor(greatest, 1));
      all = Math.max(all, block.warp().shuffleXor(all, 2));
      all = Math.max(all, most[half]);
      shrink[half] = Ptx.ex2ApproxFtzF32(most[half] - base(all));
      sum[half] *= shrink[half];
      most[half] = all;
    }
    return raised;
  }

  /** What scores are compared with: if no key counts yet, all weights are 0. */
  static float base(float most) {
    return most == Float.NEGATIVE_INFINITY ? 0 : most;
  }

  /** Turns the scores of one of two rows into weights, and adds them. */
  static void soften(
      float[] scores, float[] most, float[] sum, float scale, @Const int half, @Const int n) {
    float base = base(most[half]);
    float all = sum[half];
    float rest = 0;
    for (int j = 2 * half; j < n / 2; j += 4) {
      scores[j] = Ptx.ex2ApproxFtzF32(Math.fma(scores[j], scale, -base));
      scores[j + 1] = Ptx.ex2ApproxFtzF32(Math.fma(scores[j + 1], scale, -base));
      all += scores[j];
      rest += scores[j + 1];
    }
    sum[half] = all + rest;
  }

  /** Shrinks the results of one of two rows. */
  static void shrink(float[] out, float[] shrink, @Const int half, @Const int dim) {
    for (int j = 2 * half; j < dim / 2; j += 4) {
      out[j] *= shrink[half];
      out[j + 1] *= shrink[half];
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
