package dev.stretto.junit;

import dev.stretto.Observer.Kind;
import dev.stretto.timeline.Overlap;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.opentest4j.AssertionFailedError;

/** Assertions about what a device has done at the same time. */
public final class DeviceAssertions {
  private static final int COLUMNS = 100;

  private DeviceAssertions() {}

  /**
   * Asserts that an operation of one kind and one of another ran at the same time. On virtual
   * devices the time is that of the model, so the answer is the same on every run of a seed.
   *
   * {@snippet class="dev.stretto.junit.OverlapTest" region="overlapped"}
   *
   * @param timeline of the device; the operations have to be awaited before
   * @param first a kind
   * @param second another kind, or the same: then two operations of it
   */
  public static void assertOverlapped(Timeline timeline, Kind first, Kind second) {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
    assertOverlapped(
        timeline,
        span -> span.kind() == first,
        span -> span.kind() == second,
        "no " + first + " and " + second + " ran at the same time");
  }

  /**
   * Asserts that two operations ran at the same time.
   *
   * @param timeline of the device; the operations have to be awaited before
   * @param first picks some operations, for example by the names of their streams
   * @param second picks the others
   */
  public static void assertOverlapped(
      Timeline timeline, Predicate<? super Span> first, Predicate<? super Span> second) {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
    assertOverlapped(
        timeline, first, second, "no two of the picked operations ran at the same time");
  }

  private static void assertOverlapped(
      Timeline timeline,
      Predicate<? super Span> first,
      Predicate<? super Span> second,
      String otherwise) {
    List<Span> spans = spans(timeline);
    List<Span> firsts = spans.stream().filter(first).toList();
    List<Span> seconds = spans.stream().filter(second).toList();
    boolean overlapped =
        firsts.stream().anyMatch(one -> seconds.stream().anyMatch(other -> isOverlap(one, other)));
    if (!overlapped) {
      throw failure("%s, of %d and %d".formatted(otherwise, firsts.size(), seconds.size()), spans);
    }
  }

  private static boolean isOverlap(Span one, Span other) {
    return one.correlation() != other.correlation()
        && one.startNanos() < other.endNanos()
        && other.startNanos() < one.endNanos();
  }

  /**
   * Asserts how much of the copying was hidden by other work.
   *
   * @param timeline of the device; the operations have to be awaited before
   * @param least the least {@linkplain Overlap#ratio() fraction} of the copying time during which
   *     something else ran too, 0 to 1
   */
  public static void assertHidden(Timeline timeline, double least) {
    if (!(least >= 0 && least <= 1)) {
      throw new IllegalArgumentException("a fraction of " + least + ": has to be 0 to 1");
    }
    List<Span> spans = spans(timeline);
    double hidden = Overlap.of(spans).ratio();
    if (hidden < least) {
      throw failure(
          "%.2f of the copying time was hidden, and %.2f at least was expected"
              .formatted(hidden, least),
          spans);
    }
  }

  private static List<Span> spans(Timeline timeline) {
    Objects.requireNonNull(timeline, "timeline");
    List<Span> spans = timeline.spans();
    if (timeline.running() > 0) {
      throw new AssertionFailedError(
          timeline.running() + " operations are not done: await them before this assertion");
    }
    return spans;
  }

  private static AssertionFailedError failure(String what, List<Span> spans) {
    return new AssertionFailedError(
        what + ":" + System.lineSeparator() + TextTimeline.draw(spans, COLUMNS));
  }
}
