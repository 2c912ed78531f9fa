package dev.stretto.observe;

import dev.stretto.diagnosis.Rule;
import dev.stretto.diagnosis.tally.Tally;
import dev.stretto.driver.DriverDevice;
import dev.stretto.jfr.Flight;
import dev.stretto.route.OpenStream;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/** Sees what happens on a device, and tells a diagnosis what of it is against its rules. */
public final class SynchronizationDetector {
  /** Staging less than this costs as little as any copy. */
  private static final long SMALL_BYTES = 64 << 10;

  /** A call beside work in flight; that it was between enqueues is known at the next one. */
  private record Called(Rule rule, StackTraceElement place, long nanos) {}

  private final String device;
  private final Tally tally;
  private final Map<StreamQueue, StreamRounds> streams = new WeakHashMap<>();
  private final List<Called> called = new ArrayList<>();

  public SynchronizationDetector(String device, Tally tally) {
    this.device = device;
    this.tally = tally;
  }

  private void count(Rule rule, @Nullable StackTraceElement place, String reason, long nanos) {
    tally.add(rule, device, place, reason, nanos).ifPresent(Flight::finding);
  }

  private void countGood(Rule rule, @Nullable StackTraceElement place) {
    tally.addGood(rule, device, place);
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
      return; // Stretto's own business
    }
    StreamQueue queue = stream.queue();
    boolean busy = InFlight.on(queue); // also learns what is done
    lookAtRoute(work, place, nanos);
    lookAtDefaultStreams(queue, stream, place);
    if (busy && queue.isFull()) {
      count(
          Rule.FULL_QUEUE,
          place,
          queue.isDeferrable()
              ? stream + " held all that the driver takes, so the operation was kept back in Java"
              : stream + " held all that the driver takes, which blocks who enqueues more",
          queue.isDeferrable() ? 0 : nanos);
    }
    lookAtRounds(stream, work, place, busy);
    if (work.kind() == WorkKind.DEVICE_TO_HOST || work.kind() == WorkKind.GRAPH) {
      rounds(queue).bringsToHost(place);
    }
  }

  private void confirmCalls() {
    for (Called call : called) {
      count(call.rule, call.place, words(call.rule), call.nanos);
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
          "the driver was given %,d bytes of ordinary memory, and blocked its caller"
              .formatted(work.bytes()),
          nanos);
    }
    if (isStaged(work)
        && work.host() != null
        && !work.host().isMapped()
        && work.bytes() > SMALL_BYTES) {
      count(
          Rule.STAGED_COPIES,
          place,
          "%,d bytes of %s were moved by host threads, which pinned memory does not need"
              .formatted(
                  work.bytes(), work.host().isNative() ? "memory that is not pinned" : "an array"),
          0);
    }
  }

  private void lookAtDefaultStreams(StreamQueue queue, OpenStream stream, StackTraceElement place) {
    if (queue.isDeferrable()) {
      return;
    }
    for (StreamQueue other : queue.streamsOfDevice()) {
      if (!other.isDeferrable() && waitForEachOther(queue, other) && InFlight.on(other)) {
        String which =
            other.handle() == DriverDevice.LEGACY_STREAM
                    || other.handle() == DriverDevice.PER_THREAD_STREAM
                ? "the " + other.title()
                : other.title() + ", which was not made CU_STREAM_NON_BLOCKING";
        count(
            Rule.DEFAULT_STREAM,
            place,
            stream + " waits for what is in flight on " + which + ", and it for this",
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

  private void lookAtRounds(OpenStream stream, Work work, StackTraceElement place, boolean busy) {
    StreamQueue queue = stream.queue();
    StreamRounds rounds = rounds(queue);
    Rule rule = rounds.add(queue, work, place, busy);
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
        rule == Rule.ONE_STREAM
            ? "%s stands behind the kernels and copies of the round before, since all of them are on"
                    .formatted(what)
                + " %s; no other stream had work".formatted(stream)
            : "%s stands behind copies in the other direction, since all of them are on %s; no other"
                    .formatted(what, stream)
                + " stream had work",
        0);
  }

  // --- calls and waits
  // --------------------------------------------------------------------------------------------------------

  /** A call was made while work was in flight. */
  synchronized void called(Rule rule, @Nullable StackTraceElement place, long nanos) {
    if (place == null) {
      return;
    }
    if (rule == Rule.ARENA_CLOSE) {
      count(rule, place, words(rule), nanos);
    } else {
      called.add(new Called(rule, place, nanos));
    }
  }

  private static String words(Rule rule) {
    return switch (rule) {
      case ALLOCATION -> "device memory was allocated between enqueues, with work in flight";
      case PINNING -> "host memory was pinned between enqueues, with work in flight";
      case UNPINNING ->
          "host memory was unpinned between enqueues, for which the driver waits for the device";
      case PEER_ACCESS ->
          "access to another device was enabled between enqueues, for which the driver may wait for"
              + " work of either";
      case KERNEL_LOADING ->
          "a kernel was compiled or loaded between enqueues, with work in flight";
      case ARENA_CLOSE ->
          "the arena of registered memory was closed with copies of it in flight, and waited";
      default -> rule.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    };
  }

  synchronized void refusedBetweenDevices(OpenStream stream, @Nullable StackTraceElement place) {
    count(
        Rule.PEER_ON_DEFAULT_STREAM,
        place,
        "a copy between devices on "
            + stream
            + " would wait for all work of both, so it was refused",
        0);
  }

  /** Work was started, and nobody has awaited it. */
  synchronized void neverAwaited(StackTraceElement place, String reason) {
    count(Rule.NEVER_AWAITED, place, reason, 0);
  }

  /** The last copy of a stream to host memory was enqueued, and nobody has awaited it. */
  synchronized void copyNeverAwaited(StreamQueue queue, String reason) {
    StreamRounds known = streams.get(queue);
    StackTraceElement place = known == null ? null : known.lastToHost();
    count(Rule.NEVER_AWAITED, place == null ? queue.openedBy() : place, reason, 0);
  }

  /** A stream is about to be told to wait. */
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
            "%s waits for all of %s, which has waited for all of it"
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

  /** Whether nothing was enqueued behind a point by now. */
  synchronized boolean isNothingBehind(StreamQueue queue, long sequence) {
    return rounds(queue).last() <= sequence;
  }

  /**
   * A thread has waited.
   *
   * @param idle whether the device had nothing else to do meanwhile, and has nothing to do now
   */
  synchronized void awaited(@Nullable StackTraceElement place, boolean idle, long nanos) {
    if (idle) {
      count(
          Rule.AWAIT_IN_LOOP,
          place,
          "the thread waits for what it has just enqueued, with nothing else in flight, so that"
              + " host and device are never busy at the same time",
          nanos);
    } else {
      countGood(Rule.AWAIT_IN_LOOP, place);
    }
  }
}
