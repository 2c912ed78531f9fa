package dev.stretto.timeline;

import dev.stretto.Observer.Kind;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Draws the spans of one row; each character stands for an equal part of the time.
 *
 * @param fromNanos the time at which the row begins
 * @param toNanos the time at which it ends
 * @param width how many characters it has
 */
record TextRow(long fromNanos, long toNanos, int width) {
  private static final String SYMBOLS = "><#=%rwx^.";

  /**
   * A character is drawn if at least this fraction of its time is occupied; the rest carries over
   * to the next characters.
   */
  private static final double ENOUGH = 0.35;

  private static int symbol(Kind kind) {
    return switch (kind) {
      case HOST_TO_DEVICE -> 0;
      case DEVICE_TO_HOST -> 1;
      case KERNEL -> 2;
      case DEVICE_TO_DEVICE, FILL -> 3;
      case GRAPH -> 4;
      case READ -> 5;
      case WRITE -> 6;
      case PEER -> 7;
      case WRITE_VALUE -> 8;
      case WAIT_VALUE, WAIT_EVENT -> 9;
    };
  }

  String draw(List<Span> spans) {
    char[] cells = new char[width];
    Arrays.fill(cells, ' ');
    if (spans.size() <= width / 2) {
      drawEach(spans, cells);
    } else {
      drawShares(spans, cells);
    }
    return new String(cells);
  }

  /** Draws every operation with at least one character, the short ones on top of the long ones. */
  private void drawEach(List<Span> spans, char[] cells) {
    spans.stream()
        .sorted(Comparator.comparingLong(Span::nanos).reversed())
        .forEach(
            span -> {
              int from = clamp((int) Math.round(column(span.startNanos())), width - 1);
              int to = clamp((int) Math.round(column(span.endNanos())), width);
              char symbol = SYMBOLS.charAt(symbol(span.kind()));
              Arrays.fill(cells, from, Math.max(from + 1, to), symbol);
            });
  }

  /**
   * Draws as many characters of each kind as its share of the time, for kinds that take any time.
   */
  private void drawShares(List<Span> spans, char[] cells) {
    double[][] shares = shares(spans);
    double[] owed = new double[SYMBOLS.length()];
    for (int cell = 0; cell < width; cell++) {
      int best = -1;
      for (int symbol = 0; symbol < owed.length; symbol++) {
        if (shares[symbol][cell] > 0) {
          owed[symbol] = Math.min(owed[symbol] + shares[symbol][cell], 1.5);
          best = best < 0 || owed[symbol] > owed[best] ? symbol : best;
        }
      }
      if (best >= 0 && owed[best] >= ENOUGH) {
        cells[cell] = SYMBOLS.charAt(best);
        owed[best] -= 1;
      }
    }
  }

  private double[][] shares(List<Span> spans) {
    double[][] shares = new double[SYMBOLS.length()][width];
    for (Span span : spans) {
      double start = Math.max(0, column(span.startNanos()));
      double end = Math.min(width, column(span.endNanos()));
      double[] row = shares[symbol(span.kind())];
      for (int cell = (int) start; cell < end; cell++) {
        row[cell] += Math.min(end, cell + 1) - Math.max(start, cell);
      }
    }
    return shares;
  }

  private double column(long nanos) {
    return (double) (nanos - fromNanos) * width / Math.max(1, toNanos - fromNanos);
  }

  private static int clamp(int column, int most) {
    return Math.clamp(column, 0, most);
  }
}
