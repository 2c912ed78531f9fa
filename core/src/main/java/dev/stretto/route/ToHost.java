package dev.stretto.route;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What a stream brings to host memory, and how much of that the program has ever awaited: the point
 * up to which it has, by whatever way. Waiting for a stream that waits for this one counts too, so
 * each stream keeps which others it has waited for.
 *
 * <p>All is counted in favour of the program: who begins a wait counts as having awaited, and of
 * two waits for the same stream the earlier one counts for both.
 */
public final class ToHost {
  /**
   * A wait for another stream that nobody has awaited yet.
   *
   * @param sequence its number in the stream that waits
   * @param point what is waited for in the other one
   */
  private record Wait(long sequence, long point) {}

  /** Of more than so many waits of one stream all count as awaited. */
  private static final int MOST_WAITS = 256;

  /** Guards the waits of all streams, which may be of several drivers. */
  private static final Object WAITS = new Object();

  private final AtomicLong awaited = new AtomicLong(-1);

  /** The last operation that brings anything; written under the driver's lock. */
  private long last = -1;

  /** Whether others can await the stream without Stretto. */
  private volatile boolean shared;

  private volatile @Nullable Map<ToHost, Wait> waits;

  ToHost() {}

  /** An operation brings something. Called under the driver's lock. */
  void brings(long sequence) {
    last = Math.max(last, sequence);
  }

  /**
   * Others use the stream too, or know its handle from now on: they may await it without Stretto.
   */
  public void share() {
    shared = true;
  }

  /**
   * The program awaits a point of the stream, or has learnt that it is reached.
   *
   * @param point the point's number
   */
  void awaited(long point) {
    if (rise(point) && waits != null) {
      passOn(point);
    }
  }

  /** {@return whether nobody has awaited a point before} */
  private boolean rise(long point) {
    long before = awaited.get();
    while (before < point) {
      if (awaited.compareAndSet(before, point)) {
        return true;
      }
      before = awaited.get();
    }
    return false;
  }

  /** {@return whether it matters who waits for the stream} As a rule it does not. */
  boolean owes() {
    return last > awaited.get() || waits != null;
  }

  /**
   * The stream waits for another one.
   *
   * @param sequence the number of the last operation before the wait
   * @param other the other one
   * @param point what is waited for in it
   */
  void waitsFor(long sequence, ToHost other, long point) {
    synchronized (WAITS) {
      Map<ToHost, Wait> all = waits;
      if (all == null) {
        all = new HashMap<>(4);
        waits = all;
      }
      Wait _ =
          all.merge(
              other,
              new Wait(sequence, point),
              (first, next) -> new Wait(first.sequence, Math.max(first.point, next.point)));
    }
    if (awaited.get() >= sequence || isFull()) {
      passOn(isFull() ? Long.MAX_VALUE : awaited.get());
    }
  }

  private boolean isFull() {
    synchronized (WAITS) {
      return waits != null && waits.size() > MOST_WAITS;
    }
  }

  /** Who awaits this stream up to a point awaits others with it, and others with those. */
  private void passOn(long point) {
    synchronized (WAITS) {
      Deque<ToHost> open = new ArrayDeque<>();
      takeWaits(point, open);
      for (ToHost next = open.poll(); next != null; next = open.poll()) {
        next.takeWaits(next.awaited.get(), open);
      }
    }
  }

  private void takeWaits(long point, Deque<ToHost> raised) {
    Map<ToHost, Wait> all = waits;
    if (all == null) {
      return;
    }
    all.entrySet()
        .removeIf(
            entry -> {
              boolean over = entry.getValue().sequence <= point;
              if (over && entry.getKey().rise(entry.getValue().point)) {
                raised.add(entry.getKey());
              }
              return over;
            });
    if (all.isEmpty()) {
      waits = null;
    }
  }

  /** {@return whether the program has never awaited the last that was brought} */
  boolean isUnawaited() {
    return last > awaited.get() && !shared;
  }

  /** {@return the number of the last operation that brings anything} */
  public long last() {
    return last;
  }
}
