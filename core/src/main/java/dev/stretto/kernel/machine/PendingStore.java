package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * A bulk copy to global memory that a thread of a virtual device has begun. It reads and writes as
 * late as a GPU may.
 */
final class PendingStore {
  /** What gets the bytes. */
  @FunctionalInterface
  interface Target {
    /** A copy to it has begun: what it holds does not count any more. */
    default void poison() {}

    /**
     * Takes the bytes.
     *
     * @param from what lay in shared memory
     * @param begin where it lay there
     */
    void take(MemorySegment from, int begin);
  }

  private final String what;
  private final int thread;
  private final @Nullable CallPath line;
  private final Target to;
  private final MemorySegment from;
  private final int begin;
  private byte[] bytes = {};
  private boolean read;
  private boolean written;
  private int number;

  PendingStore(
      String what, int thread, @Nullable CallPath line, Target to, MemorySegment from, int begin) {
    this.what = what;
    this.thread = thread;
    this.line = line;
    this.to = to;
    this.from = from;
    this.begin = begin;
    to.poison();
  }

  /** It reads, if it has not yet: its thread knows so from this number of its clock on. */
  void read(int now) {
    if (!read) {
      bytes = from.toArray(ValueLayout.JAVA_BYTE);
      read = true;
      number = now;
    }
  }

  /** It reads and writes, as far as it has not yet. */
  void write(int now) {
    read(now);
    if (!written) {
      to.take(MemorySegment.ofArray(bytes), begin);
      written = true;
    }
  }

  boolean isRead() {
    return read;
  }

  int thread() {
    return thread;
  }

  /** From which number of that thread's clock on it is known to have been read. */
  int number() {
    return number;
  }

  @Override
  public String toString() {
    return what + " of thread " + thread + CallPath.inBrackets(line);
  }
}
