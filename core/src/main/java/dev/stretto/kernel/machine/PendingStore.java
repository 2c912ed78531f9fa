package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
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
  private boolean awaited;
  private boolean isToBlock;
  private boolean isOfMemcpy;
  private int slot;
  private int number;
  private int writtenNumber;

  /** A copy to another block's shared memory, which a barrier object there counts. */
  static PendingStore toBlock(
      String what, int thread, @Nullable CallPath line, MemorySegment from) {
    PendingStore store = new PendingStore(what, thread, line, (_, _) -> {}, from, 0);
    store.isToBlock = true;
    return store;
  }

  /** A copy, or a piece of one, that the kernel waits for as it does for {@code memcpyAsync}. */
  static PendingStore ofMemcpy(
      int thread, @Nullable CallPath line, Target to, MemorySegment from, int begin) {
    PendingStore store = new PendingStore("memcpyAsync", thread, line, to, from, begin);
    store.isOfMemcpy = true;
    return store;
  }

  PendingStore(
      String what, int thread, @Nullable CallPath line, Target to, MemorySegment from, int begin) {
    this.what = what;
    this.thread = thread;
    this.slot = thread;
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

  /** Notes that the bytes have been read, as those know who know a number in a slot. */
  void isReadBy(int knownSlot, int now) {
    read = true;
    slot = knownSlot;
    number = now;
  }

  /** Reads and writes the bytes, unless that is done. */
  void write(int now) {
    read(now);
    writeUnawaited();
    if (!awaited) {
      awaited = true;
      writtenNumber = now;
    }
  }

  /** Writes the bytes that it has read, unless that is done. No thread knows it. */
  void writeUnawaited() {
    if (!written) {
      to.take(MemorySegment.ofArray(bytes), begin);
      written = true;
    }
  }

  /** Whether it brings the same bytes as another one, so that it does not matter which is last. */
  boolean bringsSame(PendingStore other) {
    return what.equals(other.what) && Arrays.equals(content(), other.content());
  }

  private byte[] content() {
    return read ? bytes : from.toArray(ValueLayout.JAVA_BYTE);
  }

  /** Whether its thread has waited until the bytes were written. */
  boolean isAwaited() {
    return awaited;
  }

  boolean isRead() {
    return read;
  }

  /** Whether its thread has waited until the bytes were read; what a kernel's end does is none. */
  boolean isReadByWait() {
    return read && !isOfMemcpy;
  }

  /** Whether a thread knows that the bytes have been written. */
  boolean isWrittenKnownTo(HappensBefore order, Coroutine reader) {
    return awaited && order.knows(reader, thread, writtenNumber);
  }

  /** Whether a thread of another cluster knows it. */
  boolean isWrittenKnownTo(HappensBefore order, Coroutine reader, long ofCluster) {
    return awaited && order.knowsOther(reader, ofCluster, thread, writtenNumber);
  }

  int thread() {
    return thread;
  }

  /** What a thread has to do before it writes the bytes again. */
  String howToWait() {
    if (isOfMemcpy) {
      return "wait with waitAll or waitPrior";
    }
    return isToBlock
        ? "wait at the other block's barrier there, and let this block know with cluster.sync()"
        : "wait with cpAsyncBulkWaitGroupRead";
  }

  /** The slot in the clocks through which threads know that the bytes have been read. */
  int slot() {
    return slot;
  }

  /** The number in that slot from which on they know it. */
  int number() {
    return number;
  }

  @Override
  public String toString() {
    return what + " of thread " + thread + CallPath.inBrackets(line);
  }
}
