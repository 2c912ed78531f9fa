package dev.stretto.timeline;

import java.util.Arrays;

/** The numbers below a timeline drawn in characters. */
final class TextAxis {
  private static final int LEAST_DISTANCE = 9;

  private TextAxis() {}

  /** Times may be any numbers at all, so they are computed as doubles. */
  static String draw(long fromNanos, long toNanos, int width) {
    double whole = Math.max(1, (double) toNanos - fromNanos);
    double nanosPerUnit = whole >= 10e9 ? 1e9 : whole >= 1e6 ? 1e6 : 1e3;
    String unit = nanosPerUnit == 1e9 ? " s" : nanosPerUnit == 1e6 ? " ms" : " µs";
    double step = step(whole, width);
    char[] line = new char[width + unit.length()];
    Arrays.fill(line, ' ');
    int end = 0;
    double first = Math.ceil(fromNanos / step) * step;
    for (int i = 0; i < width; i++) {
      double tick = first + i * step;
      String label = label(tick / nanosPerUnit);
      long column = Math.round((tick - fromNanos) * width / whole);
      if (tick > toNanos || column + label.length() + unit.length() > width) {
        break;
      }
      if (column >= end) {
        label.getChars(0, label.length(), line, (int) column);
        end = (int) column + label.length();
      }
    }
    unit.getChars(0, unit.length(), line, end);
    return new String(line, 0, Math.min(width, end + unit.length()));
  }

  /** The smallest of 1, 2, 5, 10, 20, … nanoseconds that leaves room for the numbers. */
  private static double step(double whole, int width) {
    double power = 1;
    while (true) {
      for (double step : new double[] {power, 2 * power, 5 * power}) {
        if (step * width / whole >= LEAST_DISTANCE) {
          return step;
        }
      }
      power *= 10;
    }
  }

  private static String label(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
