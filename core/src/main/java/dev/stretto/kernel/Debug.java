package dev.stretto.kernel;

import java.io.PrintStream;

/**
 * Prints from a kernel, to help find errors: a line for each thread that executes the call. A GPU
 * keeps the lines in a buffer of about a mebibyte and prints them when the host awaits something;
 * lines that do not fit are lost. A virtual device prints them immediately. The order among threads
 * is undefined, and the two may format numbers slightly differently.
 */
public final class Debug {
  private Debug() {}

  /**
   * Prints a line: the label, a space and the value.
   *
   * @param label a constant
   * @param value any value
   */
  public static void print(@Const String label, int value) {
    line(label, Integer.toString(value));
  }

  /**
   * Prints a line: the label, a space and the value.
   *
   * @param label a constant
   * @param value any value
   */
  public static void print(@Const String label, long value) {
    line(label, Long.toString(value));
  }

  /**
   * Prints a line: the label, a space and the value.
   *
   * @param label a constant
   * @param value any value
   */
  public static void print(@Const String label, float value) {
    line(label, Float.toString(value));
  }

  /**
   * Prints a line: the label, a space and the value.
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
