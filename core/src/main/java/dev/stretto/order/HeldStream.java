package dev.stretto.order;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A callback that was enqueued, and has not ended. What its code does comes before all that is
 * behind it on its stream, though the program has enqueued that before.
 */
final class HeldStream {
  static final String WAY_OUT = "Await the first one before the callback returns";

  private final StreamClock stream;
  private final long sequence;
  private final long number;
  private final boolean isOfGraph;
  private final Knowledge known;
  private final Thread enqueuer = Thread.currentThread();
  private @Nullable Thread runner;
  private final List<Found> postponed = new ArrayList<>(0);

  /**
   * Creates a callback.
   *
   * @param sequence its number among all of its stream
   * @param number the number of its access; of the launch, if it is a graph's
   * @param isOfGraph whether it is a graph's: then the launch is one operation, parts of which come
   *     before the callback, and others behind it
   * @param known what its stream knew
   */
  HeldStream(StreamClock stream, long sequence, long number, boolean isOfGraph, Knowledge known) {
    this.stream = stream;
    this.sequence = sequence;
    this.number = number;
    this.isOfGraph = isOfGraph;
    this.known = known;
  }

  boolean is(StreamClock its, long number) {
    return stream == its && sequence == number;
  }

  StreamClock stream() {
    return stream;
  }

  long number() {
    return number;
  }

  void begins() {
    runner = Thread.currentThread();
  }

  /** {@return what is over when it begins} */
  Moment before() {
    return isOfGraph ? new Moment(stream, number - 1, known) : stream.at(sequence - 1);
  }

  /**
   * {@return whether the calling thread may run its code} Threads may do that for it, but hardly
   * the one that has enqueued it.
   */
  boolean mayBeRunHere() {
    Thread here = Thread.currentThread();
    return runner != null && (here.equals(runner) || !here.equals(enqueuer));
  }

  /** Whether an access of its own graph comes before it or behind it nobody knows. */
  boolean isAround(Access access) {
    return isOfGraph && access.actor() == stream && access.number() == number;
  }

  /** Whether an access that was enqueued before cannot happen before the callback ends. */
  boolean holds(Access access) {
    return access.actor() == stream
        ? access.number() > number
        : access.known().of(stream.index()) >= number;
  }

  /** Keeps a race of the callback's code with what it holds, unless it awaits what it does. */
  void postpone(Found found) {
    postponed.add(found);
  }

  /** {@return the races of what its code has not awaited} */
  List<Found> races(Knowledge host) {
    return postponed.stream()
        .filter(race -> !race.first().isVoid() && !race.second().isVoid())
        .filter(race -> !race.first().isKnownTo(host))
        .toList();
  }
}
