package dev.stretto.cli;

import java.util.List;

/**
 * The result of a test, or one of its figures.
 *
 * @param name of the test, and of the figure if there are several
 * @param unit of the values
 * @param meaning what a row and a column are, and which bytes count
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
  /** The number of samples; a value is their median. */
  static final int SAMPLES = 3;

  /**
   * One place of a matrix.
   *
   * @param number NaN if nothing can be measured
   * @param route the route of the bytes, or empty if there is no choice
   */
  record Value(double number, String route) {
    static final Value NONE = new Value(Double.NaN, "");

    boolean isMeasured() {
      return !Double.isNaN(number);
    }
  }
}
