package dev.stretto.cli;

import java.util.List;

/**
 * What a test found, or one of its figures.
 *
 * @param name of the test, and of the figure where there are several
 * @param unit of the values
 * @param meaning what a row and a column are, and what counts
 * @param rows their names
 * @param columns their names
 * @param values rows of columns
 * @param bytes of a copy, or of the memory that a kernel reads
 */
record BandwidthMatrix(
    String name,
    String unit,
    String meaning,
    List<String> rows,
    List<String> columns,
    List<List<Value>> values,
    long bytes) {
  /** Samples of which a value is the median. */
  static final int SAMPLES = 3;

  /**
   * One place of a matrix.
   *
   * @param number NaN where nothing can be measured
   * @param route how the bytes went, or empty where there is no choice
   */
  record Value(double number, String route) {
    static final Value NONE = new Value(Double.NaN, "");

    boolean isMeasured() {
      return !Double.isNaN(number);
    }
  }
}
