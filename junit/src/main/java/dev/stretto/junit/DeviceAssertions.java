package dev.stretto.junit;

import dev.stretto.Observer.Kind;
import dev.stretto.timeline.Overlap;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.function.Executable;
import org.opentest4j.AssertionFailedError;

/** Assertions about what ran at the same time, and about what a loop allocates. */
public final class DeviceAssertions {
  private static final int COLUMNS = 100;

  /** A round is long enough for a lone allocation of the JVM to vanish in the quotient. */
  private static final int RUNS_OF_A_ROUND = 100;

  /** So many that everything is compiled long before. */
  private static final int MOST_ROUNDS = 300;

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

  /**
   * Asserts that some code allocates nothing on the Java heap, once the JVM has warmed up: as
   * {@link #assertAllocatesAtMost} with 0 bytes.
   *
   * {@snippet class="dev.stretto.junit.HeapTest" region="nothing"}
   *
   * @param code what a loop of the program repeats
   * @throws Throwable if the code throws it
   */
  public static void assertAllocatesNothing(Executable code) throws Throwable {
    assertAllocatesAtMost(0, code);
  }

  /**
   * Asserts how much some code allocates on the Java heap in steady state. It runs in rounds of
   * 100, until a round has allocated no more than this per run, but no more than 30,000 times.
   *
   * <p>What the calling thread allocates counts, except what the driver of a virtual device of a
   * {@link DeviceTest} does, and the callbacks that a seeded device runs on this thread: such a
   * driver is a model in Java. So the answer is that of a GPU. Checking the order of operations
   * allocates, so the test needs {@code order = OFF}.
   *
   * @param bytes the budget of one run; 0 or more
   * @param code what a loop of the program repeats
   * @throws Throwable if the code throws it
   */
  public static void assertAllocatesAtMost(long bytes, Executable code) throws Throwable {
    Objects.requireNonNull(code, "code");
    if (bytes < 0) {
      throw new IllegalArgumentException("a budget of " + bytes + " bytes: has to be 0 or more");
    }
    long least = leastOfARound(bytes * RUNS_OF_A_ROUND, code);
    if (least > bytes * RUNS_OF_A_ROUND) {
      throw new AssertionFailedError(
          "%.1f bytes are allocated per run in the best of %d rounds of %d, and %d at most were expected"
              .formatted((double) least / RUNS_OF_A_ROUND, MOST_ROUNDS, RUNS_OF_A_ROUND, bytes));
    }
  }

  /** Runs rounds until one is within the budget, or all; returns the bytes of the best. */
  private static long leastOfARound(long budget, Executable code) throws Throwable {
    long least = Long.MAX_VALUE;
    DriverAllocation.measured(true);
    try {
      for (int round = 0; round < MOST_ROUNDS && least > budget; round++) {
        long before = DriverAllocation.othersBytes();
        for (int i = 0; i < RUNS_OF_A_ROUND; i++) {
          code.execute();
        }
        least = Math.min(least, DriverAllocation.othersBytes() - before);
      }
    } finally {
      DriverAllocation.measured(false);
    }
    return least;
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
