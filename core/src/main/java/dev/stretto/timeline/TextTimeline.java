package dev.stretto.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Draws a timeline in characters, the traditional way to draw overlapping copies: one row for each
 * stream and one for each engine, with time from left to right.
 *
 * <pre>
 * stream 1    &gt;&gt;&gt;&gt;&gt;#&lt;&lt;&lt;&lt;&lt;
 * stream 2         &gt;&gt;&gt;&gt;&gt;#&lt;&lt;&lt;&lt;&lt;
 * H2D engine  &gt;&gt;&gt;&gt;&gt;&gt;&gt;&gt;&gt;&gt;
 * kernels          #    #
 * D2H engine        &lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;
 *             0    1    2    3 ms
 * </pre>
 *
 * <p>A timeline of several devices has such a group of rows for each, below the device's name; a
 * copy between two devices is in the rows of both. The nodes of a graph, where they are known, have
 * rows below that of their stream, one for each branch of the graph.
 *
 * <p>If a row has room, every operation takes at least one character. Otherwise each kind of
 * operation takes as many characters as its share of the time.
 */
public final class TextTimeline {
  /**
   * The meaning of the characters in a picture without work of the host, copies between devices,
   * numbers and waits of streams, in one line.
   */
  public static final String LEGEND =
      "> copy in   # kernel   < copy out   = copy or fill on the device   % graph";

  private static final String HOST_LEGEND = "\nr read   w write";

  private static final String OTHER_LEGEND =
      "\nx copy between devices   ^ number written   . wait of the stream";

  /** The narrowest picture that shows anything useful. */
  private static final int LEAST_WIDTH = 32;

  /** If there are more streams, the rest are counted instead of drawn. */
  private static final int MOST_STREAMS = 16;

  /** If a graph has more branches, the rest are counted instead of drawn. */
  private static final int MOST_BRANCHES = 8;

  /** Wider than any window; a picture of two thousand million characters is of no use. */
  private static final int MOST_WIDTH = 65_536;

  /**
   * Longer labels are cut off, and so are labels that would leave less than half of the line to
   * time.
   */
  private static final int LONGEST_LABEL = 28;

  private static final int GAP = 2;

  private TextTimeline() {}

  /**
   * {@return the meaning of the characters in a picture, in a line, with another one if there is
   * work of the host, another one if there are copies between devices, or numbers or waits of
   * streams, and one that tells what kernels moved over the link, if some had views of host memory}
   *
   * @param spans that are shown
   */
  public static String legend(List<Span> spans) {
    Span.requireEach(spans);
    boolean ofHost = spans.stream().anyMatch(Span::isOfHost);
    boolean others =
        spans.stream()
            .map(Span::engine)
            .anyMatch(engine -> engine == Engine.PEER || engine == Engine.NONE);
    return LEGEND + (ofHost ? HOST_LEGEND : "") + (others ? OTHER_LEGEND : "") + ofLink(spans);
  }

  /** {@return what kernels moved over the link, in a line; empty if none had views} */
  private static String ofLink(List<Span> spans) {
    List<Span> over = spans.stream().filter(span -> span.traffic().views() > 0).toList();
    if (over.isEmpty()) {
      return "";
    }
    String line =
        "\n# over the link in %d of the kernels: up to %d bytes"
            .formatted(over.size(), over.stream().mapToLong(span -> span.traffic().bytes()).sum());
    if (over.stream().anyMatch(span -> span.traffic().leastNanos().isEmpty())) {
      return line;
    }
    long nanos = over.stream().mapToLong(span -> span.traffic().leastNanos().orElseThrow()).sum();
    return line + String.format(Locale.ROOT, ", at least %.1f us", nanos / 1e3);
  }

  /**
   * {@return a picture of a whole timeline} It ends with a line feed; without spans it is empty.
   *
   * @param spans of one timeline
   * @param width the most characters of a line; 32 or more, of which at most 65,536 are used
   * @throws IllegalArgumentException if the width is smaller
   */
  public static String draw(List<Span> spans, int width) {
    Span.requireEach(spans);
    long end = spans.stream().mapToLong(Span::endNanos).max().orElse(0);
    return draw(spans, width, 0, end);
  }

  /**
   * {@return a picture of a part of a timeline} It ends with a line feed; if nothing happened in
   * that part it is empty.
   *
   * @param spans of one timeline
   * @param width the most characters of a line; 32 or more, of which at most 65,536 are used
   * @param fromNanos the time at which the picture begins
   * @param toNanos the time at which it ends
   * @throws IllegalArgumentException if the width is smaller, or the end is before the beginning
   */
  public static String draw(List<Span> spans, int width, long fromNanos, long toNanos) {
    Span.requireEach(spans);
    if (width < LEAST_WIDTH) {
      throw new IllegalArgumentException(
          "a timeline of " + width + " characters: must be " + LEAST_WIDTH + " or more");
    }
    if (toNanos < fromNanos) {
      throw new IllegalArgumentException(
          "a timeline from " + fromNanos + " to " + toNanos + " ns ends before it begins");
    }
    List<Span> shown =
        spans.stream()
            .filter(span -> span.startNanos() < toNanos && span.endNanos() >= fromNanos)
            .toList();
    if (shown.isEmpty()) {
      return "";
    }
    int longest = Math.min(LONGEST_LABEL, Math.min(width, MOST_WIDTH) / 2 - GAP);
    List<Row> rows = rows(shown).stream().map(row -> row.cutOff(longest)).toList();
    int labels = rows.stream().mapToInt(row -> row.label.length()).max().orElse(0) + GAP;
    TextRow cells = new TextRow(fromNanos, toNanos, Math.min(width, MOST_WIDTH) - labels);
    StringBuilder picture = new StringBuilder();
    for (Row row : rows) {
      String line = row.spans.isEmpty() ? "" : cells.draw(row.spans);
      append(picture, row.label, labels, line);
    }
    append(
        picture,
        "",
        labels,
        TextAxis.draw(fromNanos, toNanos, Math.min(width, MOST_WIDTH) - labels));
    return picture.toString();
  }

  private record Row(String label, List<Span> spans) {
    /** A row of words. */
    Row(String label) {
      this(label, List.of());
    }

    /** The same row with its label cut off to a length. */
    Row cutOff(int longest) {
      if (label.length() <= longest) {
        return this;
      }
      int end = longest - 1;
      if (Character.isHighSurrogate(label.charAt(end - 1))) {
        end--;
      }
      return new Row(label.substring(0, end) + "…", spans);
    }
  }

  private static List<Row> rows(List<Span> spans) {
    List<DeviceGroup> groups = DeviceGroup.of(spans);
    List<Row> rows = new ArrayList<>();
    for (DeviceGroup group : groups) {
      if (groups.size() > 1) {
        rows.add(new Row(group.name().isEmpty() ? "device " + group.number() : group.name()));
      }
      addStreams(group.ofStreams(), rows);
      List<Span> engines = Span.onEngines(group.spans());
      for (Engine engine : Engine.values()) {
        Row row = row(engine.title(), engines, span -> span.engine() == engine);
        if (engine != Engine.NONE && !row.spans.isEmpty()) {
          rows.add(row);
        }
      }
    }
    return rows;
  }

  private static void addStreams(List<Span> spans, List<Row> rows) {
    TreeMap<Integer, String> streams = new TreeMap<>();
    spans.forEach(span -> streams.put(span.stream(), span.streamName()));
    streams.entrySet().stream()
        .limit(MOST_STREAMS)
        .forEach(
            stream -> {
              List<Span> its =
                  spans.stream().filter(span -> span.stream() == stream.getKey()).toList();
              rows.add(row(stream.getValue(), its, span -> !span.isNode()));
              List<List<Span>> branches = Branches.of(its);
              for (int i = 0; i < Math.min(branches.size(), MOST_BRANCHES); i++) {
                rows.add(new Row("  " + Branches.title(i), branches.get(i)));
              }
              if (branches.size() > MOST_BRANCHES) {
                rows.add(new Row("  and " + (branches.size() - MOST_BRANCHES) + " more"));
              }
            });
    if (streams.size() > MOST_STREAMS) {
      rows.add(new Row("and " + (streams.size() - MOST_STREAMS) + " more"));
    }
  }

  private static Row row(String label, List<Span> spans, Predicate<Span> which) {
    return new Row(label, spans.stream().filter(which).toList());
  }

  private static void append(StringBuilder picture, String label, int labels, String line) {
    String whole = label + " ".repeat(labels - label.length()) + line;
    picture.append(whole.stripTrailing()).append('\n');
  }
}
