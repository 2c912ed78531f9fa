package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * A bulk copy to global memory that a thread of a virtual device has begun. It reads and writes as
 * late as a GPU is allowed to.
 */
final class PendingStore {
  /** The destination of the bytes. */
  @FunctionalInterface
  interface Target {
    /**
     * Called when a copy to the target has begun. The target's content is undefined from then on.
     */
    default void poison() {}

    /**
     * Takes the bytes.
     *
     * @param from the bytes from shared memory
     * @param begin where they lay there
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
  private int writtenNumber;

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

  /**
   * Reads the bytes, unless that is done. The copy's thread knows of it from number {@code now} of
   * its clock on.
   */
  void read(int now) {
    if (!read) {
      bytes = from.toArray(ValueLayout.JAVA_BYTE);
      read = true;
      number = now;
    }
  }

  /** Reads and writes the bytes, unless that is done. */
  void write(int now) {
    read(now);
    if (!written) {
      to.take(MemorySegment.ofArray(bytes), begin);
      written = true;
      writtenNumber = now;
    }
  }

  boolean isWritten() {
    return written;
  }

  boolean isRead() {
    return read;
  }

  /** Whether a thread knows that the bytes have been written. */
  boolean isWrittenKnownTo(HappensBefore order, Coroutine reader) {
    return written && order.knows(reader, thread, writtenNumber);
  }

  int thread() {
    return thread;
  }

  /** The number of the thread's clock from which on the bytes are known to have been read. */
  int number() {
    return number;
  }

  @Override
  public String toString() {
    return what + " of thread " + thread + CallPath.inBrackets(line);
  }
}
