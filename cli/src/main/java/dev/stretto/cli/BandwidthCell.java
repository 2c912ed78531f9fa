package dev.stretto.cli;

import java.util.List;

/**
 * What is measured for one place of a matrix.
 *
 * @param row of the matrix
 * @param column of the matrix
 * @param figure what counts
 * @param flows all that run at the same time
 */
record BandwidthCell(int row, int column, Figure figure, List<Flow> flows) {
  /** What counts of flows that run at the same time. */
  enum Figure {
    /** The first; the others disturb it. */
    MEASURED,
    /** All bytes, from the beginning of the first to the end of the last. */
    TOTAL,
    /** Each by itself, and their sum: three matrices. */
    EACH
  }
}
