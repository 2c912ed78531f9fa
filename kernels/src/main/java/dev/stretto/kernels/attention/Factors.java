package dev.stretto.kernels.attention;

import dev.stretto.kernel.FastMath;
import dev.stretto.kernel.Ptx;

/**
 * The factors of a block of keys and values that are E4M3 numbers, for each run of 64 keys: all of
 * a run have the same.
 */
final class Factors {
  /** Keys of a run. */
  static final int KEYS = 64;

  /** Runs of a block. */
  static final int RUNS = Fp8WarpGroups.KEYS / KEYS;

  /** Factors of values that are less than 2 to this power of their reference count as that. */
  private static final float LEAST = -100;

  private static final int RUNS_OF_FACTOR = Scales.ROWS / KEYS;

  private Factors() {}

  // @start region="factors"
  /** The block of keys with the factor of a run, if it is not one behind the last key. */
  static int place(int run, int last) {
    return Math.min(run / RUNS_OF_FACTOR, last);
  }

  /**
   * Loads those of a block.
   *
   * @param i the block's number
   * @param base where the factors of its head begin
   * @param last the number of the head's last factor
   * @param scale what all scores are multiplied with
   * @param reference the binary logarithm of some factor of values of this head
   * @param ofScores receives what scores are multiplied with
   * @param logs receives the binary logarithms of the factors of values, less the reference
   * @param inverses receives what the powers of 2 of those are the inverses of
   */
  static void load(
      Scales scales,
      int i,
      int base,
      int last,
      float scale,
      float reference,
      float[] ofScores,
      float[] logs,
      float[] inverses) {
    for (int run = 0; run < RUNS; run++) {
      int at = base + place(RUNS * i + run, last);
      ofScores[run] = scale * scales.keys().get(at);
      logs[run] = Math.max(LEAST, FastMath.log2(scales.values().get(at)) - reference);
      inverses[run] = Ptx.ex2ApproxFtzF32(-logs[run]);
    }
  }
  // @end
}
