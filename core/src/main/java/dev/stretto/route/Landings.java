package dev.stretto.route;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Small copies from the device whose bytes are on their way to small buffers, or lie there already
 * and are still to be moved to the program's memory. A thread that finds out that a copy has
 * reached its buffer moves the bytes: a thread that waits for the copy does it itself. Guarded by
 * the driver's lock, except for {@link #empty}.
 */
final class Landings {
  /** A small copy from the device. */
  interface Landing {
    /** {@return its number on the stream} */
    long point();

    /** Moves its bytes from its buffer to the program's memory. Called without a lock. */
    void land();
  }

  /** In the order of the stream. */
  private final ArrayDeque<Landing> onTheirWay = new ArrayDeque<>(0);

  private final Queue<Landing> landed = new ConcurrentLinkedQueue<>();

  void add(Landing copy) {
    onTheirWay.add(copy);
  }

  /**
   * Notes that everything up to a number is done.
   *
   * @return whether there are bytes to move
   */
  boolean doneUpTo(long sequence) {
    for (Landing next = onTheirWay.peek();
        next != null && next.point() <= sequence;
        next = onTheirWay.peek()) {
      onTheirWay.remove();
      landed.add(next);
    }
    return isAny();
  }

  /** {@return whether there are bytes to move} */
  boolean isAny() {
    return !landed.isEmpty();
  }

  /** Moves all bytes that lie in buffers. Called without a lock. */
  void empty() {
    for (Landing next = landed.poll(); next != null; next = landed.poll()) {
      next.land();
    }
  }

  /** Forgets all, because the device is lost. */
  void clear() {
    onTheirWay.clear();
  }
}
