package dev.stretto.cli;

import dev.stretto.timeline.Engine;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.TextTimeline;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A timeline in characters.
 *
 * @param caption the part of it that is drawn
 * @param text the picture
 * @param legend what its characters mean
 */
record Picture(String caption, String text, String legend) {
  /** How many copies in a row fill a picture: each is then several characters wide. */
  private static final int COPIES = 24;

  /**
   * Draws a whole timeline, or its beginning if the whole would show only dots.
   *
   * @param width of the lines
   * @param chunks how many to show at least
   */
  static Picture of(List<Span> spans, int width, int chunks) {
    long whole = spans.stream().mapToLong(Span::endNanos).max().orElse(0);
    long part = Math.max(manyCopies(spans), endOfChunk(spans, chunks));
    String legend = TextTimeline.legend(spans);
    if (part == 0 || whole < part + part / 2) {
      return new Picture(millis(whole), TextTimeline.draw(spans, width), legend);
    }
    return new Picture(
        "the first " + millis(part) + " of " + millis(whole),
        TextTimeline.draw(spans, width, 0, part),
        legend);
  }

  private static long manyCopies(List<Span> spans) {
    return Math.round(
        COPIES
            * spans.stream()
                .filter(span -> span.engine() == Engine.HOST_TO_DEVICE)
                .mapToLong(Span::nanos)
                .average()
                .orElse(0));
  }

  private static long endOfChunk(List<Span> spans, int number) {
    return spans.stream()
        .filter(span -> span.engine() == Engine.DEVICE_TO_HOST)
        .mapToLong(Span::endNanos)
        .sorted()
        .limit(number)
        .max()
        .orElse(0);
  }

  /** The rows of the device's engines, and the time below them. */
  List<String> engines() {
    List<String> labels = Stream.of(Engine.values()).map(Engine::title).toList();
    return text.lines()
        .filter(line -> line.startsWith(" ") || labels.stream().anyMatch(line::startsWith))
        .toList();
  }

  /** Whether it shows what the host reads or writes. */
  boolean isOfHost() {
    return text.lines().anyMatch(line -> line.startsWith(Engine.READING.title()));
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
  }
}
