package dev.stretto.route;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What a stream brings to host memory, and the point up to which the program has awaited it, in any
 * way. Awaiting a stream that waits for this one counts too, so each stream remembers which others
 * it has waited for.
 *
 * <p>Doubts are resolved in favour of the program: a thread that begins a wait counts as having
 * awaited, and of two waits for the same stream the earlier one counts for both.
 */
public final class ToHost {
  /**
   * A wait for another stream that nobody has awaited yet.
   *
   * @param sequence the wait's number in the stream that waits
   * @param point the awaited point of the other stream
   */
  private record Wait(long sequence, long point) {}

  /** If one stream has more waits than this, all count as awaited. */
  private static final int MOST_WAITS = 256;

  /** Guards the waits of all streams, which may belong to several drivers. */
  private static final Object WAITS = new Object();

  private final AtomicLong awaited = new AtomicLong(-1);

  /** The last operation that brings anything; written with the driver's lock held. */
  private long last = -1;

  /** Whether other code can await the stream without Stretto. */
  private volatile boolean shared;

  private volatile @Nullable Map<ToHost, Wait> waits;

  ToHost() {}

  /** Notes an operation that brings something. Called with the driver's lock held. */
  void brings(long sequence) {
    last = Math.max(last, sequence);
  }

  /**
   * Notes that other code uses the stream too, or knows its handle, so that it may await the stream
   * without Stretto.
   */
  public void share() {
    shared = true;
  }

  /**
   * Notes that the program awaits a point of the stream, or knows that it is reached.
   *
   * @param point the point's number
   */
  void awaited(long point) {
    if (rise(point) && waits != null) {
      passOn(point);
    }
  }

  /** {@return whether the point is higher than all points awaited before} */
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

  /** {@return whether it matters which streams wait for this one} Usually it does not. */
  boolean owes() {
    return last > awaited.get() || waits != null;
  }

  /**
   * Notes that the stream waits for another one.
   *
   * @param sequence the number of the last operation before the wait
   * @param other the other stream
   * @param point the awaited point of the other stream
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

  /** Awaiting this stream up to a point also awaits the streams for which it waits, and so on. */
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

  /** {@return whether the program has never awaited the last operation that brings anything} */
  boolean isUnawaited() {
    return last > awaited.get() && !shared;
  }

  /** {@return the number of the last operation that brings anything} */
  public long last() {
    return last;
  }
}
