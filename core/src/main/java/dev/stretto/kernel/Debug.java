package dev.stretto.kernel;

import java.io.PrintStream;

/**
 * Printing from a kernel, for finding errors: a line for each thread that gets there. A GPU keeps
 * the lines in a buffer of about a mebibyte and prints them when the host awaits something; what
 * does not fit is lost. On a virtual device they are printed at once. The order among threads is
 * undefined, and numbers may look a little different on the two.
 */
public final class Debug {
  private Debug() {}

  /**
   * Prints a line: the label, a blank and the value.
   *
   * @param label a constant
   * @param value any value
   */
  public static void print(@Const String label, int value) {
    line(label, Integer.toString(value));
  }

  /**
   * Prints a line: the label, a blank and the value.
   *
   * @param label a constant
   * @param value any value
   */
  public static void print(@Const String label, long value) {
    line(label, Long.toString(value));
  }

  /**
   * Prints a line: the label, a blank and the value.
   *
   * @param label a constant
   * @param value any value
   */
  public static void print(@Const String label, float value) {
    line(label, Float.toString(value));
  }

  /**
   * Prints a line: the label, a blank and the value.
   *
   * @param label a constant
   * @param value any value
   */
  public static void print(@Const String label, double value) {
    line(label, Double.toString(value));
  }

  private static void line(String label, String value) {
    PrintStream out = System.out;
    out.println(label + " " + value);
  }
}
