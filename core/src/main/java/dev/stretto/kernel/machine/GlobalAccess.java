package dev.stretto.kernel.machine;

import org.jspecify.annotations.Nullable;

/**
 * An access of a thread.
 *
 * @param clock when, by the thread's own clock
 * @param wide whether an atomic operation is one for threads of other clusters
 * @param copy the copy to shared memory that reads; null if a thread does
 * @param store the bulk copy to global memory that writes; null if a thread does
 */
record GlobalAccess(
    ThreadAccess kind,
    long cluster,
    int rank,
    int clock,
    boolean wide,
    @Nullable CallPath line,
    @Nullable PendingCopy copy,
    @Nullable PendingStore store) {
  String who() {
    return copy != null ? copy.toString() : store != null ? store.toString() : "thread " + rank;
  }

  boolean isAsynchronous() {
    return copy != null || store != null;
  }
}
