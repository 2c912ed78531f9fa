package dev.stretto.cli;

import java.util.List;

/**
 * The measurement for one place of a matrix.
 *
 * @param row of the matrix
 * @param column of the matrix
 * @param figure the figure to report
 * @param flows all flows that run at the same time
 */
record BandwidthCell(int row, int column, Figure figure, List<Flow> flows) {
  /** The same measurement of copies by kernels. */
  BandwidthCell copiedByKernels() {
    return new BandwidthCell(
        row, column, figure, flows.stream().map(Flow::copiedByKernel).toList());
  }

  /** The figure to report of flows that run at the same time. */
  enum Figure {
    /** The rate of the first flow; the others are background load. */
    MEASURED,
    /** The rate of all bytes, from the beginning of the first flow to the end of the last. */
    TOTAL,
    /** Each flow's rate, and their sum: three matrices. */
    EACH
  }
}
