package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.ThreadBlock;

/** Turns scores of E4M3 numbers into weights that are such numbers, as {@link Scores} has them. */
final class Fp8Scores {
  /** Weights are times 2 to this power, so that small ones keep their bits. */
  static final float BITS = 7;

  /** How much greater a score may be: weights are less than 2 to the power of 8.75, not 448. */
  private static final float SLACK = 1.75f;

  /** A thread's scores of so many keys have the same factors. */
  private static final int SCORES = Factors.KEYS / 2;

  private Fp8Scores() {}

  // @start region="scores"
  /**
   * Like {@code raise} of {@link Scores}, where a score counts as more if its value's factor is
   * greater.
   *
   * @param ofScores what {@link Factors} has for each of its runs of keys
   */
  static boolean raise(
      ThreadBlock block,
      float[] scores,
      float[] most,
      float[] sum,
      float[] shrink,
      float[] ofScores,
      float[] logs,
      @Const int half,
      @Const int n) {
    float greatest = Float.NEGATIVE_INFINITY;
    for (int i = 0; i < n / Factors.KEYS; i++) {
      int at = i * SCORES + 2 * half;
      float some = Math.max(scores[at], scores[at + 1]);
      float other = Math.max(scores[at + 4], scores[at + 5]);
      for (int j = at + 8; j < (i + 1) * SCORES; j += 8) {
        some = Math.max(some, Math.max(scores[j], scores[j + 1]));
        other = Math.max(other, Math.max(scores[j + 4], scores[j + 5]));
      }
      greatest = Math.max(greatest, Math.fma(Math.max(some, other), ofScores[i], logs[i]));
    }
    return Scores.raise(block, greatest, most, sum, shrink, SLACK, half);
  }

  /**
   * Turns the scores of one of two rows into weights of values that have factors themselves, which
   * are not in the sums.
   */
  static void soften(
      float[] scores,
      float[] most,
      float[] sum,
      float[] ofScores,
      float[] logs,
      float[] inverses,
      @Const int half,
      @Const int n) {
    float base = Scores.base(most[half]) - BITS;
    float all = sum[half];
    for (int i = 0; i < n / Factors.KEYS; i++) {
      float from = logs[i] - base;
      float some = 0;
      float rest = 0;
      for (int j = i * SCORES + 2 * half; j < (i + 1) * SCORES; j += 4) {
        scores[j] = Ptx.ex2ApproxFtzF32(Math.fma(scores[j], ofScores[i], from));
        scores[j + 1] = Ptx.ex2ApproxFtzF32(Math.fma(scores[j + 1], ofScores[i], from));
        some += scores[j];
        rest += scores[j + 1];
      }
      all = Math.fma(some + rest, inverses[i], all);
    }
    sum[half] = all;
  }

  /**
   * Rounds weights to E4M3: eight numbers of two rows, of four columns each, become two registers
   * of a left matrix. A thread has columns 2 i, 2 i + 1, 2 i + 8 and 2 i + 9 where the matrix has 4
   * i to 4 i + 3; {@link Transposer} has values in the same order.
   */
  static void pack(float[] scores, int[] weights, @Const int n) {
    for (int j = 0; j < n / 8; j++) {
      int at = j / 2 * 8 + j % 2 * 2;
      weights[j] =
          Ptx.cvtRnSatfiniteE4m3x2F32(scores[at + 5], scores[at + 4], scores[at + 1], scores[at]);
    }
  }
  // @end
}
