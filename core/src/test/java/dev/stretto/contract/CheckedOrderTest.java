package dev.stretto.contract;

import dev.stretto.Copy;
import dev.stretto.Event;
import dev.stretto.SourceAccess;
import dev.stretto.Stream;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Copies and fills, whose order is checked. */
class CheckedOrderTest extends CheckedPrograms {
  private static final Programs PROGRAMS = new Programs();

  static {
    PROGRAMS.bad(
        "out of what another stream copies in",
        with -> {
          with.first.copy(with.host, with.a);
          with.second.copy(with.a, with.other);
        });
    PROGRAMS.bad(
        "the same while a timeline looks at what is done",
        with -> {
          try (Timeline timeline = Timeline.record(with.device)) {
            with.first.copy(with.host, with.a);
            for (int i = 0; i < 200 && timeline.spans().isEmpty(); i++) {
              LockSupport.parkNanos(100_000);
            }
            with.second.copy(with.a, with.other);
          }
        });
    PROGRAMS.good(
        "the same behind a wait of the stream",
        with -> {
          with.first.copy(with.host, with.a);
          with.second.waitFor(with.first.record());
          with.second.copy(with.a, with.other);
        });
    PROGRAMS.good(
        "the same behind a wait of the host",
        with -> {
          with.first.copy(with.host, with.a).await();
          with.second.copy(with.a, with.other);
        });
    PROGRAMS.good(
        "the same behind a question that was answered",
        with -> {
          Copy copy = with.first.copy(with.host, with.a);
          while (!copy.isDone()) {
            Thread.onSpinWait();
          }
          with.second.copy(with.a, with.other);
        });
    PROGRAMS.good(
        "the same behind a future",
        with -> {
          CompletableFuture<Void> copied = with.first.copy(with.host, with.a).toCompletableFuture();
          copied.join();
          with.second.copy(with.a, with.other);
        });
    PROGRAMS.bad(
        "the event is recorded too early",
        with -> {
          Event event = with.first.record();
          with.first.copy(with.host, with.a);
          with.second.waitFor(event);
          with.second.copy(with.a, with.other);
        });
    PROGRAMS.bad(
        "the wait comes too late",
        with -> {
          with.first.fill(with.a, 1);
          with.second.copy(with.a, with.b);
          with.second.waitFor(with.first.record());
        });
    PROGRAMS.bad(
        "the wrong stream waits",
        with -> {
          with.first.fill(with.a, 1);
          with.third.waitFor(with.first.record());
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a chain of waits",
        with -> {
          with.first.fill(with.a, 1);
          with.third.waitFor(with.first.record());
          with.second.waitFor(with.third.record());
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.bad(
        "a chain with a gap",
        with -> {
          with.first.fill(with.a, 1);
          Event event = with.third.record();
          with.third.waitFor(with.first.record());
          with.second.waitFor(event);
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.bad(
        "a copy whose source is read during the call",
        with -> {
          with.first.fill(with.a, 1);
          with.second.copy(MemorySegment.ofArray(with.host), with.a, SourceAccess.DURING_CALL);
        });
    PROGRAMS.good(
        "the same behind a wait",
        with -> {
          with.first.fill(with.a, 1);
          with.second.waitFor(with.first.record());
          with.second.copy(MemorySegment.ofArray(with.host), with.a, SourceAccess.DURING_CALL);
          with.host[0] = 2;
          with.second.await();
        });
    PROGRAMS.bad(
        "two streams fill the same",
        with -> {
          with.first.fill(with.a, 1);
          with.second.fill(with.a.slice(63, 1), 2);
        });
    PROGRAMS.good(
        "two streams fill what lies side by side",
        with -> {
          with.first.fill(with.a.slice(0, 32), 1);
          with.second.fill(with.a.slice(32, 32), 2);
        });
    PROGRAMS.bad(
        "a writer waits for one of two readers",
        with -> {
          with.first.copy(with.a, with.host);
          with.second.copy(with.a, with.other);
          with.third.waitFor(with.second.record());
          with.third.fill(with.a, 1);
        });
    PROGRAMS.good(
        "a writer waits for two readers",
        with -> {
          with.first.copy(with.a, with.host);
          with.second.copy(with.a, with.other);
          with.third.waitFor(with.second.record());
          with.third.waitFor(with.first.record());
          with.third.fill(with.a, 1);
        });
    PROGRAMS.bad(
        "in from a host array that a copy still fills",
        with -> {
          with.first.copy(with.a, with.host);
          with.second.copy(with.host, with.b);
        });
    PROGRAMS.good(
        "the same on one stream",
        with -> {
          with.first.copy(with.a, with.host);
          with.first.copy(with.host, with.b);
        });
    PROGRAMS.good(
        "two read one host array",
        with -> {
          with.first.copy(with.host, with.a);
          with.second.copy(with.host, with.b);
        });
    PROGRAMS.bad(
        "columns that overlap by one element",
        with -> {
          with.first.copy2D(with.a, 32, with.b, 32, 16, 8);
          with.second.copy2D(with.a, 32, with.b.slice(3, 61), 32, 16, 7);
        });
    PROGRAMS.good(
        "columns side by side",
        with -> {
          with.first.copy2D(with.a, 32, with.b, 32, 16, 8);
          with.second.copy2D(with.a, 32, with.b.slice(4, 60), 32, 16, 7);
        });
    PROGRAMS.good(
        "a callback waits for the other stream",
        with -> {
          Event filled = with.first.fill(with.a, 1);
          with.second.then(filled::await);
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a callback waits for a stream that is closed",
        with -> {
          Event filled;
          try (Stream closed = with.device.stream("closed")) {
            filled = closed.fill(with.a, 1);
          }
          with.second.then(filled::await);
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a callback of the other stream enqueues",
        with -> {
          with.first.fill(with.a, 1);
          with.first.then(() -> with.second.copy(with.a, with.b)).await();
        });
    for (int k : new int[] {0, 1, 4, 64}) {
      PROGRAMS.bad(
          k + " other operations are awaited in between",
          with -> {
            with.first.fill(with.a, 1);
            for (int i = 0; i < k; i++) {
              with.third.fill(with.b, i).await();
            }
            with.second.copy(with.a, with.other);
          });
    }
  }

  CheckedOrderTest() {
    super(PROGRAMS);
  }

  static Set<String> bad() {
    return PROGRAMS.bad.keySet();
  }

  static Set<String> good() {
    return PROGRAMS.good.keySet();
  }
}
