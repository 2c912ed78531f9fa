package dev.stretto.contract;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Looks at how much of a GPU's memory is free, patiently: what a pool held comes back a moment
 * after the pool is destroyed, and another process may use some for a while.
 */
final class FreeMemory {
  private static final long PAUSE_NANOS = 1_000_000;

  private FreeMemory() {}

  /**
   * {@return the bytes that are free, as soon as they are as many as expected, or else the most
   * that were}
   *
   * @param free asks
   * @param expected how many can be free, as far as one knows
   * @param patience for how long to ask
   */
  static long soon(LongSupplier free, long expected, Duration patience) {
    long begin = System.nanoTime();
    long most = free.getAsLong();
    while (most < expected && System.nanoTime() - begin < patience.toNanos()) {
      LockSupport.parkNanos(PAUSE_NANOS);
      most = Math.max(most, free.getAsLong());
    }
    return most;
  }
}
