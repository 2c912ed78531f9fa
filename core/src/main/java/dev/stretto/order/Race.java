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
    String by = access.actor() instanceof HostClock ? "" : " on " + access.actor();
    return "%s%s %s %s%s"
        .formatted(
            access.work().name(),
            by,
            access.way(),
            access.bytes(),
            line == null ? "" : " (" + line.getFileName() + ":" + line.getLineNumber() + ")");
  }

  static String wayOut(Access first, Access second) {
    String where = "before that line";
    if (first.actor() instanceof HostClock) {
      return "This is a bug in Stretto: the host is always ordered before what it enqueues";
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
