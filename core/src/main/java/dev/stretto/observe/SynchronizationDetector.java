package dev.stretto.observe;

import dev.stretto.diagnosis.Rule;
import dev.stretto.diagnosis.tally.Tally;
import dev.stretto.driver.DriverDevice;
import dev.stretto.jfr.Flight;
import dev.stretto.route.GuardedBy;
import dev.stretto.route.OpenStream;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.Way;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Detects hidden synchronization on a device and reports it to a diagnosis. */
public final class SynchronizationDetector {
  /** Staging fewer bytes costs no more than a direct copy. */
  private static final long SMALL_BYTES = 64 << 10;

  /** A call while work was in flight; the next enqueue shows that it was between enqueues. */
  private record Called(Rule rule, StackTraceElement place, long nanos) {}

  private final String device;
  private final Tally tally;
  private final LongSupplier clock;
  private final long opening;

  @GuardedBy("this")
  private final Map<StreamQueue, StreamRounds> streams = new WeakHashMap<>();

  @GuardedBy("this")
  private final List<Called> called = new ArrayList<>();

  /**
   * A detector that has seen nothing.
   *
   * @param device the name of the device
   * @param tally counts what is found
   * @param clock the calling thread's time
   */
  SynchronizationDetector(String device, Tally tally, LongSupplier clock) {
    this.device = device;
    this.tally = tally;
    this.clock = clock;
    this.opening = tally.opened();
  }

  private void count(
      Rule rule, @Nullable StackTraceElement place, Supplier<String> reason, long nanos) {
    boolean isReported =
        tally.add(rule, device, opening, place, reason, nanos, clock.getAsLong() - nanos);
    if (isReported && place != null && Flight.wantsFindings()) {
      tally.finding(rule, device, opening, place).ifPresent(Flight::finding);
    }
  }

  private void countGood(Rule rule, @Nullable StackTraceElement place) {
    tally.addGood(rule, device, opening, place);
  }

  /** Called when the device is closed: another opening of it has loops of its own. */
  void deviceCloses() {
    tally.closed(opening);
  }

  private StreamRounds rounds(StreamQueue queue) {
    return streams.computeIfAbsent(queue, _ -> new StreamRounds());
  }

  // --- operations
  // -------------------------------------------------------------------------------------------------------------

  synchronized void enqueued(
      OpenStream stream, Work work, @Nullable StackTraceElement place, long nanos) {
    confirmCalls();
    if (place == null) {
      return; // enqueued by Stretto itself
    }
    StreamQueue queue = stream.queue();
    lookAtRoute(work, place, nanos);
    lookAtDefaultStreams(queue, stream, place);
    if (queue.isFull() && InFlight.on(queue)) {
      count(
          Rule.FULL_QUEUE,
          place,
          () ->
              queue.isDeferrable()
                  ? stream
                      + " held all that the driver takes, so the operation was held back in Java"
                  : stream
                      + " held all that the driver takes, so the call that enqueued more was"
                      + " blocked",
          queue.isDeferrable() ? 0 : nanos);
    }
    lookAtRounds(stream, work, place);
    if (work.kind() == WorkKind.DEVICE_TO_HOST || work.kind() == WorkKind.GRAPH) {
      rounds(queue).bringsToHost(place);
    }
  }

  private void confirmCalls() {
    for (Called call : called) {
      count(call.rule, call.place, () -> words(call.rule), call.nanos);
    }
    called.clear();
  }

  private static boolean isStaged(Work work) {
    Way way = work.way();
    return way != null && way.kind() == Way.STAGED;
  }

  private void lookAtRoute(Work work, StackTraceElement place, long nanos) {
    if (work.way() == Way.AWAITED_PAGEABLE) {
      count(
          Rule.AWAITED_PAGEABLE,
          place,
          () ->
              "the driver was given %,d bytes of pageable memory, and blocked its caller"
                  .formatted(work.bytes()),
          nanos);
    }
    MemorySegment host = work.host();
    if (isStaged(work) && host != null && !host.isMapped() && work.bytes() > SMALL_BYTES) {
      count(
          Rule.STAGED_COPIES,
          place,
          () ->
              "%,d bytes of %s were moved by host threads, which pinned memory does not need"
                  .formatted(
                      work.bytes(), host.isNative() ? "memory that is not pinned" : "an array"),
          0);
    }
  }

  private void lookAtDefaultStreams(StreamQueue queue, OpenStream stream, StackTraceElement place) {
    if (queue.isDeferrable()) {
      return;
    }
    for (StreamQueue other : queue.streamsOfDevice()) {
      if (!other.isDeferrable() && waitForEachOther(queue, other) && InFlight.on(other)) {
        Supplier<String> which =
            () ->
                other.handle() == DriverDevice.LEGACY_STREAM
                        || other.handle() == DriverDevice.PER_THREAD_STREAM
                    ? "the " + other.title()
                    : other.title() + ", which was not made CU_STREAM_NON_BLOCKING";
        count(
            Rule.DEFAULT_STREAM,
            place,
            () -> stream + " waits for the work in flight on " + which.get() + ", and vice versa",
            0);
        return;
      }
    }
  }

  private static boolean waitForEachOther(StreamQueue one, StreamQueue other) {
    return (one.handle() == DriverDevice.LEGACY_STREAM && waitsForLegacyStream(other))
        || (other.handle() == DriverDevice.LEGACY_STREAM && waitsForLegacyStream(one));
  }

  private static boolean waitsForLegacyStream(StreamQueue queue) {
    return queue.handle() == DriverDevice.PER_THREAD_STREAM
        || (queue.handle() != DriverDevice.LEGACY_STREAM
            && queue.device().driver().waitsForLegacyStream(queue.handle()));
  }

  private void lookAtRounds(OpenStream stream, Work work, StackTraceElement place) {
    StreamQueue queue = stream.queue();
    StreamRounds rounds = rounds(queue);
    Rule rule = rounds.add(queue, work, place);
    if (rule == null) {
      return;
    }
    if (InFlight.besides(queue)) {
      countGood(rule, place);
      return;
    }
    rounds.heldUp(place);
    String what =
        work.kind() == WorkKind.HOST_TO_DEVICE ? "a copy to the device" : "a copy to the host";
    count(
        rule,
        place,
        () ->
            rule == Rule.ONE_STREAM
                ? "%s waits for the kernels and copies of the previous round, because all of them are on"
                        .formatted(what)
                    + " %s; no other stream had work".formatted(stream)
                : "%s waits for copies in the other direction, because all of them are on %s; no other"
                        .formatted(what, stream)
                    + " stream had work",
        0);
  }

  // --- calls and waits
  // --------------------------------------------------------------------------------------------------------

  /** Called when a call was made while work was in flight. */
  synchronized void called(Rule rule, @Nullable StackTraceElement place, long nanos) {
    if (place == null) {
      return;
    }
    if (rule == Rule.ARENA_CLOSE) {
      count(rule, place, () -> words(rule), nanos);
    } else {
      called.add(new Called(rule, place, nanos));
    }
  }

  private static String words(Rule rule) {
    return switch (rule) {
      case ALLOCATION -> "device memory was allocated between enqueues, with work in flight";
      case PINNING -> "host memory was pinned between enqueues, with work in flight";
      case UNPINNING ->
          "host memory was unpinned between enqueues, and for that the driver waits for the device";
      case PEER_ACCESS ->
          "access to another device was enabled between enqueues, and for that the driver may wait"
              + " for work of either device";
      case KERNEL_LOADING ->
          "a kernel was compiled or loaded between enqueues, with work in flight";
      case ARENA_CLOSE ->
          "the arena of registered memory was closed with copies of it in flight, and waited for"
              + " them";
      default -> rule.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    };
  }

  synchronized void refusedBetweenDevices(OpenStream stream, @Nullable StackTraceElement place) {
    count(
        Rule.PEER_ON_DEFAULT_STREAM,
        place,
        () ->
            "a copy between devices on "
                + stream
                + " would wait for all work of both, so it was refused",
        0);
  }

  synchronized void readsWriteCombined(@Nullable StackTraceElement place, String what) {
    count(
        Rule.WRITE_COMBINED_READ,
        place,
        () -> what + " write-combined memory, which the host reads very slowly",
        0);
  }

  /** Reports work that was started and never awaited. */
  synchronized void neverAwaited(StackTraceElement place, String reason) {
    count(Rule.NEVER_AWAITED, place, () -> reason, 0);
  }

  /** Reports the last copy of a stream to host memory, which was never awaited. */
  synchronized void copyNeverAwaited(StreamQueue queue, String reason) {
    StreamRounds known = streams.get(queue);
    StackTraceElement place = known == null ? null : known.lastToHost();
    count(Rule.NEVER_AWAITED, place == null ? queue.openedBy() : place, () -> reason, 0);
  }

  /** Called before a stream waits for another. */
  synchronized void waiting(
      OpenStream stream, StreamQueue other, long point, @Nullable StackTraceElement place) {
    StreamQueue queue = stream.queue();
    if (queue.equals(other) || !other.device().equals(queue.device()) || place == null) {
      return;
    }
    boolean all = point >= other.lastIssued();
    if (!InFlight.isReached(other, point)) {
      if (all && rounds(other).isItsTurnAfter(queue)) {
        count(
            Rule.STREAMS_IN_TURNS,
            place,
            () ->
                "%s waits for all work of %s, which itself waited for all work of the first"
                    .formatted(stream, other.fullTitle()),
            0);
      } else {
        countGood(Rule.STREAMS_IN_TURNS, place);
      }
    }
    if (all) {
      rounds(queue).waited(other, point);
    }
  }

  /** Whether nothing was enqueued after a point so far. */
  synchronized boolean isNothingAfter(StreamQueue queue, long sequence) {
    return rounds(queue).last() <= sequence;
  }

  /**
   * Called when a thread has waited.
   *
   * @param idle whether the device had no other work during the wait, and has none now
   */
  synchronized void awaited(@Nullable StackTraceElement place, boolean idle, long nanos) {
    if (idle) {
      count(
          Rule.AWAIT_IN_LOOP,
          place,
          () ->
              "the thread waits for the work that it has just enqueued, with nothing else in"
                  + " flight, so host and device are never busy at the same time",
          nanos);
    } else {
      countGood(Rule.AWAIT_IN_LOOP, place);
    }
  }
}
