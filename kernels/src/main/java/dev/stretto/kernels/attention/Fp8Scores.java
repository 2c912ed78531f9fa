package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.ThreadBlock;

/** Turns scores of E4M3 numbers into weights that are such numbers, as {@link Scores} has them. */
final class Fp8Scores {
  /** Weights are times 2 to this power, so that small ones keep their bits. */
  static final float BITS = 8;

  /** A thread's scores of so many keys have the same factors. */
  private static final int SCORES = Factors.KEYS / 2;

  private Fp8Scores() {}

  // @start region="scores"
  /**
   * Finds the greatest scores so far, where a score counts as more if its value's factor is
   * greater.
   *
   * @param most the greatest ones so far
   * @param tops receives what weights are the powers of 2 of the distances from
   * @param shrink receives the factor by which results of earlier scores have to shrink
   * @param ofScores what {@link Factors} has for each of its runs of keys
   */
  static void tops(
      ThreadBlock block,
      float[] scores,
      float[] most,
      float[] tops,
      float[] shrink,
      float[] ofScores,
      float[] logs,
      @Const int n) {
    for (int half = 0; half < 2; half++) {
      float greatest = most[half];
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
      greatest = Math.max(greatest, block.warp().shuffleXor(greatest, 1));
      greatest = Math.max(greatest, block.warp().shuffleXor(greatest, 2));
      // If no key counts yet, all weights are 0.
      tops[half] = greatest == Float.NEGATIVE_INFINITY ? 0 : greatest - BITS;
      shrink[half] = Ptx.ex2ApproxFtzF32(most[half] - BITS - tops[half]);
      most[half] = greatest;
    }
  }

  /**
   * Turns the scores of one of two rows into weights of values that have factors themselves, which
   * are not in the sums.
   */
  static void soften(
      float[] scores,
      float[] tops,
      float[] sum,
      float[] shrink,
      float[] ofScores,
      float[] logs,
      float[] inverses,
      @Const int half,
      @Const int n) {
    float all = sum[half] * shrink[half];
    for (int i = 0; i < n / Factors.KEYS; i++) {
      float from = logs[i] - tops[half];
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
