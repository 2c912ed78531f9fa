package dev.stretto.timeline;

import dev.stretto.route.StreamQueue;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a timeline holds so far, and how much more it may hold. Times of operations are by the clock
 * of their device, those of host work by the host's. Guarded by itself.
 */
final class Records {
  private final int most;
  private final List<Span> measured = new ArrayList<>();
  private final List<Span> ofHost = new ArrayList<>();
  private final BitSet sharing = new BitSet();
  private final List<HostSpan> calls = new ArrayList<>();
  private final List<RawArrow> arrows = new ArrayList<>();
  private final Map<StreamQueue, Track> tracks = new WeakHashMap<>();
  private int running;

  /** The places that running operations will take. */
  private int claimed;

  private int streams;
  private long correlation;
  private long leftOut;
  private boolean closed;

  /** An operation waits for a point of another stream. */
  private record RawArrow(Track.Awaited before, long correlation) {}

  Records(int most) {
    this.most = most;
  }

  /** {@return how many more spans there is room for; 0 if the recording has ended} */
  synchronized int room() {
    return closed ? 0 : Math.max(0, most - measured.size() - claimed - ofHost.size());
  }

  /**
   * {@return a negative number for a stream, since it is never shown: the number that is shown
   * follows from the order in which the streams began to run}
   */
  synchronized int nextStream() {
    return - ++streams;
  }

  /**
   * Notes an operation that will be measured later, if there is room for it.
   *
   * @param nodes how many nodes it has that are spans of their own
   * @return its number, which is negative if there is no room for its nodes; 0 if there is none for
   *     itself
   */
  synchronized long begin(int nodes) {
    int room = room();
    correlation++;
    if (room == 0) {
      leftOut += 1 + nodes;
      return 0;
    }
    boolean keepsNodes = nodes < room;
    running++;
    claimed += keepsNodes ? 1 + nodes : 1;
    leftOut += keepsNodes ? 0 : nodes;
    return keepsNodes ? correlation : -correlation;
  }

  /** Notes that an operation that had begun was measured; without spans, it could not be. */
  synchronized void measured(int claim, List<Span> spans) {
    running--;
    claimed -= claim;
    measured.addAll(spans);
    if (spans.isEmpty()) {
      leftOut += claim;
    }
  }

  synchronized void leftOut(long spans) {
    leftOut += spans;
  }

  synchronized void worked(Span span) {
    if (room() == 0) {
      leftOut++;
    } else {
      ofHost.add(span);
    }
  }

  /** Notes a call or a range of the program. There are as many as operations at most. */
  synchronized void called(HostSpan call) {
    if (!closed && calls.size() < most) {
      calls.add(call);
    }
  }

  synchronized List<HostSpan> calls() {
    return new ArrayList<>(calls);
  }

  /** Notes that a stream is recorded. */
  synchronized void records(StreamQueue queue, Track track) {
    tracks.put(queue, track);
  }

  /** {@return a stream of any of the devices; null if it had no operation} */
  synchronized @Nullable Track track(StreamQueue queue) {
    return tracks.get(queue);
  }

  /** Notes that an operation waits for a point of another stream. */
  synchronized void arrow(Track.Awaited before, Recorded operation) {
    if (arrows.size() < most) {
      arrows.add(new RawArrow(before, operation.correlation()));
    }
  }

  /** {@return which operations wait for which others; those that are missing are left out} */
  List<Arrow> arrows(List<Span> spans) {
    List<RawArrow> raw;
    synchronized (this) {
      raw = List.copyOf(arrows);
    }
    Set<Long> known = spans.stream().map(Span::correlation).collect(Collectors.toSet());
    return raw.stream()
        .map(
            each ->
                new Arrow(each.before.track().correlation(each.before.point()), each.correlation))
        .filter(
            arrow -> arrow.from() > 0 && known.contains(arrow.from()) && known.contains(arrow.to()))
        .distinct()
        .toList();
  }

  /** {@return whether the recording had not ended before} */
  synchronized boolean end() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  synchronized boolean hasEnded() {
    return closed;
  }

  synchronized int running() {
    return running;
  }

  synchronized long leftOut() {
    return leftOut;
  }

  synchronized List<Span> measured() {
    return new ArrayList<>(measured);
  }

  /** Notes that an operation is shown to begin when the one before it ended, or later. */
  synchronized void sharesBegin(long number) {
    sharing.set(Math.toIntExact(number));
  }

  /** {@return the numbers of {@link #sharesBegin}} */
  synchronized BitSet sharing() {
    return (BitSet) sharing.clone();
  }

  synchronized List<Span> ofHost() {
    return List.copyOf(ofHost);
  }
}
