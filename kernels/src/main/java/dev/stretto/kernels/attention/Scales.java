package dev.stretto.kernels.attention;

import dev.stretto.memory.GlobalFloats;

/**
 * What numbers are multiplied with: a factor for each block of 128 rows of a head.
 *
 * @param queries of Q, head by head
 * @param keys of K
 * @param values of V
 * @param ofScores of all scores, times the logarithm of e to base 2
 */
record Scales(GlobalFloats queries, GlobalFloats keys, GlobalFloats values, float ofScores) {
  /** Rows of a block. */
  static final int ROWS = 128;

  /** How many blocks so many rows are. */
  static int blocks(int rows) {
    return (rows + ROWS - 1) / ROWS;
  }
}
