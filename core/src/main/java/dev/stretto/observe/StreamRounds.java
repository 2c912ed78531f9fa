package dev.stretto.observe;

import dev.stretto.diagnosis.Rule;
import dev.stretto.route.StreamQueue;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The unfinished operations of a stream, and the lines that enqueued them. They show whether the
 * program runs a loop whose copies and kernels could overlap, but are all on this stream.
 */
final class StreamRounds {
  private static final int MOST = 256;

  /**
   * An operation.
   *
   * @param marked whether the driver can be asked whether it is done, and not only whether later
   *     ones are, too
   */
  private record Noted(long sequence, WorkKind kind, StackTraceElement place, boolean marked) {}

  /** A rule that a copy violates if the same copy of the round before is still in flight. */
  private record Suspicion(Rule rule, Noted before) {}

  private final ArrayDeque<Noted> inFlight = new ArrayDeque<>();

  /**
   * Copies that were found to be held up: later copies of the same round are not reported as well.
   */
  private final Set<StackTraceElement> held = new HashSet<>();

  private long last;

  /**
   * Where the last copy to host memory was enqueued, or the last launch of a graph, which may
   * contain such copies.
   */
  private @Nullable StackTraceElement lastToHost;

  // The last wait of this stream for all work of another stream.
  private @Nullable StreamQueue turnOf;
  private long turnAt;

  /** The number of the stream's last operation. */
  long last() {
    return last;
  }

  void bringsToHost(StackTraceElement place) {
    lastToHost = place;
  }

  /** Where the last copy to host memory was enqueued, or null if none was. */
  @Nullable StackTraceElement lastToHost() {
    return lastToHost;
  }

  void waited(StreamQueue other, long point) {
    turnOf = other;
    turnAt = point;
  }

  /** Whether this stream waits for all work of another stream, which has enqueued nothing since. */
  boolean isItsTurnAfter(StreamQueue other) {
    return other.equals(turnOf) && turnAt >= other.lastIssued();
  }

  /**
   * Notes an operation.
   *
   * @return the rule that the program violates if nothing is in flight on other streams, or null
   */
  @Nullable Rule add(StreamQueue queue, Work work, StackTraceElement place) {
    boolean isModelled = queue.device().driver().clock().isModelled();
    if (isModelled) {
      boolean _ = InFlight.on(queue); // finds out which operations are done by the thread's time
    }
    while (!inFlight.isEmpty() && InFlight.isKnownDone(queue, inFlight.peek().sequence)) {
      inFlight.remove();
    }
    Suspicion suspicion = work.isCopyToOrFromHost() ? judge(work.kind(), place) : null;
    Rule rule = null;
    boolean isMarked = false;
    if (suspicion != null) {
      // The driver is asked only if it matters: that takes as long as to enqueue an operation.
      isMarked = !isModelled && queue.markBehind(work.sequence());
      rule = isModelled || isInFlight(queue, suspicion.before) ? suspicion.rule : null;
    }
    last = Math.max(last, work.sequence());
    inFlight.add(new Noted(work.sequence(), work.kind(), place, isMarked));
    if (inFlight.size() > MOST) {
      inFlight.remove();
    }
    return rule;
  }

  /** Whether an operation is in flight; not if that cannot be told from whether later ones are. */
  private static boolean isInFlight(StreamQueue queue, Noted before) {
    return before.marked && !InFlight.isDone(queue, before.sequence);
  }

  /**
   * The rule that a copy violates if the same copy of the previous round is still in flight, with
   * operations of other kinds after it.
   */
  private @Nullable Suspicion judge(WorkKind kind, StackTraceElement place) {
    boolean kernels = false;
    boolean otherWay = false;
    for (Iterator<Noted> i = inFlight.descendingIterator(); i.hasNext(); ) {
      Noted earlier = i.next();
      if (earlier.place.equals(place)) {
        return kernels
            ? new Suspicion(Rule.ONE_STREAM, earlier)
            : otherWay ? new Suspicion(Rule.BOTH_DIRECTIONS, earlier) : null;
      }
      if (held.contains(earlier.place)) {
        return null;
      }
      boolean copy =
          earlier.kind == WorkKind.HOST_TO_DEVICE || earlier.kind == WorkKind.DEVICE_TO_HOST;
      kernels |= !copy;
      otherWay |= copy && earlier.kind != kind;
    }
    return null;
  }

  void heldUp(StackTraceElement place) {
    held.add(place);
  }
}
