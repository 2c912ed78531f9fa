package dev.stretto.order;

import dev.stretto.fault.RaceException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Describes two accesses that nothing orders, and what would order them. */
final class Race {
  private Race() {}

  static RaceException of(Found race) {
    Access first = race.first();
    Access second = race.second();
    StackTraceElement one = first.work().line();
    StackTraceElement two = second.work().line();
    return new RaceException(
        "race on %s: %s; nothing orders it after %s. %s"
            .formatted(race.memory(), describe(second, two), describe(first, one), race.wayOut()),
        Optional.ofNullable(one),
        Optional.ofNullable(two));
  }

  private static String describe(Access access, @Nullable StackTraceElement line) {
    String actor = access.actor().toString();
    String by = actor.isEmpty() ? "" : " on " + actor;
    return "%s%s %s %s%s"
        .formatted(
            access.work().name(),
            by,
            access.way(),
            access.bytes(),
            line == null ? "" : " (" + line.getFileName() + ":" + line.getLineNumber() + ")");
  }

  /**
   * {@return what would order two accesses}
   *
   * @param isAwaited whether another thread knows the first one to be done
   */
  static String wayOut(Access first, Access second, boolean isAwaited) {
    return wayOut(first, second)
        + (isAwaited
            ? ". Another thread has awaited it, but did not hand that over: join that thread, or"
                + " use a lock, a latch or a queue"
            : "");
  }

  static String wayOut(Access first, Access second) {
    String where = "before that line";
    if (first.actor() instanceof HostClock) {
      return "Let "
          + (first.actor().toString().isEmpty() ? "that thread" : first.actor())
          + " hand over to the one that enqueues, "
          + where
          + ": join it, or use a lock, a latch or a queue";
    }
    return second.actor() instanceof HostClock
        ? "Await the first one " + where
        : "Let "
            + second.actor()
            + " wait for it "
            + where
            + ": stream.waitFor(event), with an event that was recorded on "
            + first.actor()
            + " behind it; or await it";
  }
}
