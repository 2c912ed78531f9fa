package dev.stretto.timeline;

import dev.stretto.route.OpenStream;
import dev.stretto.route.Stamp;
import dev.stretto.route.StreamQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operations of one stream whose times are not read yet. Guarded by itself. */
final class Track {
  /**
   * An operation that is enqueued so soon after another one is taken to begin when that one has
   * ended. If the stream was idle in between, it is shown to begin by at most this time early; an
   * event before it would take about as long to enqueue as the operation.
   */
  static final long SOON_NANOS = 10_000;

  private final int number;
  private final String name;
  private final ArrayDeque<Recorded> pending = new ArrayDeque<>();
  private @Nullable Stamp last;

  /** Whether the last operation was a copy. */
  private boolean copies;

  /** The numbers of its operations, in the stream and in the timeline; ascending. */
  private long[] sequences = new long[8];

  private long[] correlations = new long[8];
  private int noted;

  /** What it waits for before its next operation. */
  private List<Awaited> waits = List.of();

  /**
   * A point of a stream that another one waits for.
   *
   * @param track the stream
   * @param point the number of the last operation that is awaited
   */
  record Awaited(Track track, long point) {}

  Track(int number, StreamQueue queue) {
    this.number = number;
    boolean byHandle = !queue.name().given() && queue.name().text().startsWith("stream 0x");
    this.name = byHandle ? Span.byNumber(number) : queue.name().text();
  }

  int number() {
    return number;
  }

  String name() {
    return name;
  }

  /** {@return an operation that is about to be enqueued} */
  Recorded begin(Recorder recorder, OpenStream stream, boolean isModelled) {
    Stamp known = isModelled ? null : lastBefore();
    if (known == null) {
      return new Recorded(recorder, this, Stamp.record(stream), false);
    }
    return isSoon(known)
        ? new Recorded(recorder, this, known, true)
        : new Recorded(recorder, this, Stamp.now(known), false);
  }

  /** {@return the end of the last operation, if that tells when the next one begins} */
  private synchronized @Nullable Stamp lastBefore() {
    Stamp known = last;
    boolean tells = known != null && (isSoon(known) || (copies && known.hasOnlyMarksBehind()));
    return known == null || !tells ? null : known.share();
  }

  private static boolean isSoon(Stamp known) {
    return System.nanoTime() - known.hostNanos() < SOON_NANOS && known.isLast();
  }

  /** Notes the end of the last operation. */
  synchronized void isLast(Stamp end) {
    if (last != null) {
      last.giveBack();
    }
    last = end.share();
  }

  /** {@return what the operation waits for, which is added now} */
  synchronized List<Awaited> add(Recorded operation) {
    pending.add(operation);
    copies = operation.copies();
    note(operation.sequence(), operation.correlation());
    List<Awaited> before = waits;
    waits = List.of();
    return before;
  }

  /** Threads that enqueue at once may report the other way around. */
  private void note(long sequence, long correlation) {
    if (noted == sequences.length) {
      sequences = Arrays.copyOf(sequences, 2 * noted);
      correlations = Arrays.copyOf(correlations, 2 * noted);
    }
    int at = noted++;
    for (; at > 0 && sequences[at - 1] > sequence; at--) {
      sequences[at] = sequences[at - 1];
      correlations[at] = correlations[at - 1];
    }
    sequences[at] = sequence;
    correlations[at] = correlation;
  }

  /** Notes that the next operation waits for another stream. */
  synchronized void waitsFor(Track other, long point) {
    List<Awaited> all = new ArrayList<>(waits);
    all.add(new Awaited(other, point));
    waits = all;
  }

  /**
   * {@return the number in the timeline of the last operation up to a point; 0 if there is none}
   */
  synchronized long correlation(long point) {
    int at = Arrays.binarySearch(sequences, 0, noted, point);
    int before = at >= 0 ? at : -at - 2;
    return before < 0 ? 0 : correlations[before];
  }

  synchronized @Nullable Recorded first() {
    return pending.peek();
  }

  /** Removes an operation, and returns whether it was the first one still. */
  @SuppressWarnings("ReferenceEquality") // the same operation
  synchronized boolean remove(Recorded first) {
    if (pending.peek() != first) {
      return false; // a callback that ran in the meantime has closed the timeline
    }
    pending.remove();
    return true;
  }

  /** {@return whether there is nothing to read} */
  synchronized boolean isEmpty() {
    return pending.isEmpty();
  }

  /** Ends it, and returns what was not read. */
  synchronized List<Recorded> end() {
    if (last != null) {
      last.giveBack();
      last = null;
    }
    List<Recorded> rest = new ArrayList<>(pending);
    pending.clear();
    return rest;
  }
}
