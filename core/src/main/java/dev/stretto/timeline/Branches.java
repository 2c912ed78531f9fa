package dev.stretto.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Puts the nodes of a stream's graphs into rows, so that those of a row follow one another. */
final class Branches {
  private Branches() {}

  /**
   * {@return the rows, as few as possible}
   *
   * @param spans of one stream; what is no node is left out
   */
  static List<List<Span>> of(List<Span> spans) {
    List<Span> nodes = new ArrayList<>(spans.stream().filter(Span::isNode).toList());
    nodes.sort(Comparator.comparingLong(Span::startNanos).thenComparingLong(Span::endNanos));
    List<List<Span>> rows = new ArrayList<>();
    for (Span node : nodes) {
      List<Span> row =
          rows.stream()
              .filter(earlier -> earlier.getLast().endNanos() <= node.startNanos())
              .findFirst()
              .orElse(null);
      if (row == null) {
        row = new ArrayList<>();
        rows.add(row);
      }
      row.add(node);
    }
    return rows;
  }

  /** {@return the name of a row, counted from 0} */
  static String title(int row) {
    return "branch " + (row + 1);
  }
}
