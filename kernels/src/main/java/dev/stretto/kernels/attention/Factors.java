package dev.stretto.kernels.attention;

import dev.stretto.kernel.FastMath;
import dev.stretto.kernel.Ptx;
import dev.stretto.memory.GlobalFloats;

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
  /** The factor of the first run of a block of keys, or the last one. */
  static int first(int i, int last) {
    return Math.min(RUNS * i / RUNS_OF_FACTOR, last);
  }

  /**
   * Loads both factors of a block.
   *
   * @param factors of keys or of values
   * @param i the block's number
   * @param base where the factors of its head begin
   * @param last the number of the head's last factor
   * @param loaded receives them
   */
  static void load(GlobalFloats factors, int i, int base, int last, float[] loaded) {
    loaded[0] = factors.get(base + first(i, last));
    loaded[1] = factors.get(base + Math.min(first(i, last) + 1, last));
  }

  /**
   * Prepares those of a block.
   *
   * @param i the block's number
   * @param scale what all scores are multiplied with
   * @param reference the binary logarithm of some factor of values of this head
   * @param ofScores receives what scores are multiplied with
   * @param logs receives the binary logarithms of the factors of values, less the reference
   * @param inverses receives what the powers of 2 of those are the inverses of
   */
  static void prepare(
      float[] ofKeys,
      float[] ofValues,
      int i,
      float scale,
      float reference,
      float[] ofScores,
      float[] logs,
      float[] inverses) {
    float upper = Math.max(LEAST, FastMath.log2(ofValues[0]) - reference);
    float lower = Math.max(LEAST, FastMath.log2(ofValues[1]) - reference);
    float ofUpper = Ptx.ex2ApproxFtzF32(-upper);
    float ofLower = Ptx.ex2ApproxFtzF32(-lower);
    for (int run = 0; run < RUNS; run++) {
      boolean first = (RUNS * i + run) / RUNS_OF_FACTOR == RUNS * i / RUNS_OF_FACTOR;
      ofScores[run] = scale * (first ? ofKeys[0] : ofKeys[1]);
      logs[run] = first ? upper : lower;
      inverses[run] = first ? ofUpper : ofLower;
    }
  }
  // @end
}
