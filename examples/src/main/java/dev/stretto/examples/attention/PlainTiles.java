package dev.stretto.examples.attention;

import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedShorts;

/**
 * Products of rows that lie in shared memory as in global memory, whose operands each lane loads by
 * itself. {@link Rows} fixes that the eight rows that a warp reads at once begin in the same bank;
 * {@code ldmatrix} fixes that values come two bytes at a time.
 */
final class PlainTiles {
  private PlainTiles() {}

  /**
   * The scores of 16 queries and some keys.
   *
   * @param words the rows, two numbers per word
   * @param queryRow the first query's row
   * @param keyRow the first key's row
   */
  static float[] scores(
      boolean bfloat,
      SharedInts words,
      int queryRow,
      int keyRow,
      int columns,
      int headDim,
      int lane) {
    float[] scores = new float[columns / 2];
    int inRow = lane / 4 * (headDim / 2) + lane % 4;
    for (int sixteen = 0; sixteen < headDim / 16; sixteen++) {
      int[] left = new int[4];
      int query = queryRow * (headDim / 2) + inRow + 8 * sixteen;
      for (int i = 0; i < 4; i++) {
        left[i] = words.get(query + i % 2 * 8 * (headDim / 2) + i / 2 * 4);
      }
      for (int eight = 0; eight < columns / 8; eight++) {
        int key = (keyRow + 8 * eight) * (headDim / 2) + inRow + 8 * sixteen;
        int[] right = {words.get(key), words.get(key + 4)};
        Fragments.multiply(bfloat, scores, 4 * eight, left, 0, right, 0);
      }
    }
    return scores;
  }

  /**
   * Adds the product of powers and values to a result.
   *
   * @param numbers the rows
   * @param valueRow the first value's row
   */
  static void product(
      boolean bfloat,
      SharedShorts numbers,
      int valueRow,
      float[] powers,
      int columns,
      float[] out,
      int headDim,
      int lane) {
    for (int sixteen = 0; sixteen < columns / 16; sixteen++) {
      int[] left = Fragments.left(bfloat, powers, columns, sixteen);
      int from = (valueRow + 16 * sixteen + lane % 4 * 2) * headDim + lane / 4;
      for (int eight = 0; eight < headDim / 8; eight++) {
        int[] right = new int[2];
        for (int half = 0; half < 2; half++) {
          int upper = from + 8 * half * headDim + 8 * eight;
          int lower = upper + headDim;
          right[half] = (numbers.get(upper) & 0xffff) | (numbers.get(lower) << 16);
        }
        Fragments.multiply(bfloat, out, 4 * eight, left, 0, right, 0);
      }
    }
  }
}
