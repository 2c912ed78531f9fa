package dev.stretto.kernel;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A copy to shared memory that a thread of a virtual device has begun. It happens as late as a GPU
 * may let it happen; until then its destination is poison.
 */
final class PendingCopy {
  private final String what;
  private final int thread;
  private final @Nullable CallPath line;
  private final MemorySegment to;
  private final int bytes;
  private final Consumer<MemorySegment> transfer;
  private boolean grouped;
  private boolean counted;
  private boolean done;
  private int slot;
  private int number;
  private Object knownTo = "";
  private @Nullable Mbarrier uncounted;
  private int replacedSlot;
  private int replacedNumber;

  /**
   * A copy.
   *
   * @param what the instruction
   * @param thread the rank of who begins it
   * @param to all that it fills
   * @param from gives the first bytes; the others become zero
   */
  PendingCopy(
      String what, int thread, @Nullable CallPath line, MemorySegment to, MemorySegment from) {
    this(
        what,
        thread,
        line,
        to,
        (int) to.byteSize(),
        into -> {
          into.asSlice(0, from.byteSize()).copyFrom(from);
          into.asSlice(from.byteSize()).fill((byte) 0);
        });
  }

  /**
   * A copy.
   *
   * @param bytes how many a barrier counts
   * @param transfer fills the memory
   */
  PendingCopy(
      String what,
      int thread,
      @Nullable CallPath line,
      MemorySegment to,
      int bytes,
      Consumer<MemorySegment> transfer) {
    this.what = what;
    this.thread = thread;
    this.line = line;
    this.to = to;
    this.bytes = bytes;
    this.transfer = transfer;
    BlockMemory.poison(to);
  }

  /** Another copy has filled some of the same memory before. */
  void replaces(@Nullable PendingCopy before) {
    if (before != null) {
      replacedSlot = before.slot;
      replacedNumber = before.number;
    }
  }

  /** Whether a thread may still be using what another copy has brought before. */
  boolean isRefill(SharedWatch order, DeviceThread reader) {
    return replacedNumber > 0
        && reader.rank() != thread
        && order.knows(reader, replacedSlot, replacedNumber);
  }

  int thread() {
    return thread;
  }

  /** A barrier object is told when it is done. */
  void counted() {
    counted = true;
  }

  /** Whether others may wait for it than the thread that has begun it. */
  boolean isCounted() {
    return counted;
  }

  int bytes() {
    return bytes;
  }

  /** It happens; who knows at this place of its clock this number knows of it. */
  void happen(int knownSlot, int knownNumber, Object who) {
    if (done) {
      return;
    }
    transfer.accept(to);
    done = true;
    slot = knownSlot;
    number = knownNumber;
    knownTo = who;
  }

  /** Waits have been that its group was left out of. */
  void leftOut() {
    grouped = true;
  }

  /** A phase has ended that should have counted its bytes. */
  void uncounted(Mbarrier barrier) {
    uncounted = barrier;
  }

  /** Which barrier has ended a phase without it; null if none has. */
  @Nullable Mbarrier uncounted() {
    return uncounted;
  }

  boolean isGrouped() {
    return grouped;
  }

  boolean isDone() {
    return done;
  }

  int slot() {
    return slot;
  }

  int number() {
    return number;
  }

  /** Who knows that it is done. */
  String knownTo() {
    return knownTo instanceof Mbarrier ? "who waits at " + knownTo : knownTo.toString();
  }

  @Override
  public String toString() {
    return what + " of thread " + thread + SharedWatch.at(line);
  }
}
