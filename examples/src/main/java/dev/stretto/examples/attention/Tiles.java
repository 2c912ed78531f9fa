package dev.stretto.examples.attention;

import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.SharedBytes;

/** Products of swizzled {@link Rows}, whose operands {@code ldmatrix} loads four at a time. */
final class Tiles {
  private Tiles() {}

  /**
   * Where a lane reads 16 rows as left operands, or as right operands transposed: lanes 0 to 15
   * address the rows of the left 8 columns, lanes 16 to 31 those of the right.
   */
  static int across(int lane, int headDim) {
    return Rows.at(lane % 16, lane / 16, headDim);
  }

  /** Where a lane reads 16 rows as right operands: the left and the right columns in turn. */
  static int along(int lane, int headDim) {
    return Rows.at(lane % 8 + lane / 16 * 8, lane / 8 % 2, headDim);
  }

  /** The left operands of sixteen columns, four registers for each 16 rows. */
  static void left(
      SharedBytes tiles, int at, int sixteen, int fragments, int headDim, int[] to, int first) {
    for (int i = 0; i < fragments; i++) {
      int rows = 16 * i * Rows.bytes(headDim);
      Ptx.ldmatrixX4(to, first + 4 * i, tiles, Rows.after(at, sixteen) + rows);
    }
  }

  /**
   * Adds the products of sixteen columns of queries and keys to scores.
   *
   * @param left the queries' operands, starting at {@code first}
   * @param at where the keys are, as {@link #along} computes it
   * @param columns how many keys there are
   */
  static void scores(
      boolean bfloat,
      SharedBytes tiles,
      int at,
      int sixteen,
      int[] left,
      int first,
      int fragments,
      float[] scores,
      int columns,
      int headDim) {
    for (int keys = 0; keys < columns / 16; keys++) {
      int[] right = new int[4];
      int rows = 16 * keys * Rows.bytes(headDim);
      Ptx.ldmatrixX4(right, 0, tiles, Rows.after(at, sixteen) + rows);
      for (int i = 0; i < fragments; i++) {
        int to = Fragments.at(2 * i, 2 * keys, columns);
        Fragments.multiply(bfloat, scores, to, left, first + 4 * i, right, 0);
        Fragments.multiply(bfloat, scores, to + 4, left, first + 4 * i, right, 2);
      }
    }
  }

  /**
   * Adds the products of sixteen powers and values to a result.
   *
   * @param at where the values are, as {@link #across} computes it
   */
  static void product(
      boolean bfloat,
      SharedBytes tiles,
      int at,
      int sixteen,
      int[] left,
      int fragments,
      float[] out,
      int headDim) {
    for (int columns = 0; columns < headDim / 16; columns++) {
      int[] right = new int[4];
      int rows = 16 * sixteen * Rows.bytes(headDim);
      Ptx.ldmatrixX4Trans(right, 0, tiles, Rows.after(at, columns) + rows);
      for (int i = 0; i < fragments; i++) {
        int to = Fragments.at(2 * i, 2 * columns, headDim);
        Fragments.multiply(bfloat, out, to, left, 4 * i, right, 0);
        Fragments.multiply(bfloat, out, to + 4, left, 4 * i, right, 2);
      }
    }
  }
}
