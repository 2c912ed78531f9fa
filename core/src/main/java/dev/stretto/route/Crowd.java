package dev.stretto.route;

/**
 * Knows whether several threads enqueue at the moment on streams of one driver's devices. If so,
 * each leaves the driver's lock while it calls the driver, which can work for several streams at
 * once. A thread that is alone keeps the lock: to take it twice would cost more than it gains.
 * Guarded by the driver's lock.
 */
final class Crowd {
  /** After so many operations of one thread in a row, it counts as alone. */
  private static final int ALONE = 64;

  private long thread = Thread.currentThread().threadId();
  private int inARow = ALONE;

  /** Notes an operation of the calling thread, and returns whether others enqueue too. */
  boolean isAny() {
    long current = Thread.currentThread().threadId();
    if (current != thread) {
      thread = current;
      inARow = 0;
    } else if (inARow < ALONE) {
      inARow++;
    }
    return inARow < ALONE;
  }
}
