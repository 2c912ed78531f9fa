package dev.stretto.timeline;

import java.util.Arrays;

/** The numbers below a timeline of characters. */
final class TextAxis {
  private static final int LEAST_DISTANCE = 9;

  private TextAxis() {}

  static String draw(long fromNanos, long toNanos, int width) {
    long whole = Math.max(1, toNanos - fromNanos);
    double nanosPerUnit = whole >= 10_000_000_000L ? 1e9 : whole >= 1_000_000 ? 1e6 : 1e3;
    String unit = nanosPerUnit == 1e9 ? " s" : nanosPerUnit == 1e6 ? " ms" : " µs";
    long step = step(whole, width);
    char[] line = new char[width + unit.length()];
    Arrays.fill(line, ' ');
    int end = 0;
    long first = Math.ceilDiv(fromNanos, step) * step;
    for (long tick = first; tick <= toNanos; tick += step) {
      String label = label(tick / nanosPerUnit);
      int column = (int) Math.round((double) (tick - fromNanos) * width / whole);
      if (column + label.length() + unit.length() > width) {
        break;
      }
      label.getChars(0, label.length(), line, column);
      end = column + label.length();
    }
    unit.getChars(0, unit.length(), line, end);
    return new String(line, 0, Math.min(width, end + unit.length()));
  }

  /** The smallest of 1, 2, 5, 10, 20, … nanoseconds that leaves room for the numbers. */
  private static long step(long whole, int width) {
    long power = 1;
    while (true) {
      for (long step : new long[] {power, 2 * power, 5 * power}) {
        if ((double) step * width / whole >= LEAST_DISTANCE) {
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
