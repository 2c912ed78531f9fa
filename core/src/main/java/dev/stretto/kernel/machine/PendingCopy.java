package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A copy to shared memory that a thread of a virtual device has begun. It takes place as late as a
 * GPU is allowed to delay it. Until then its destination holds poison.
 */
final class PendingCopy {
  /** A barrier object that counts the bytes of copies, and at which threads wait for them. */
  interface Counter {}

  /**
   * One way to know that the copy is done: a thread knows it once its clock has the number in the
   * slot.
   */
  private record Completion(int slot, int number, Object who, @Nullable Completion before) {
    @Override
    public String toString() {
      return who instanceof Counter ? "who waits at " + who : who.toString();
    }
  }

  private final String what;
  private final int thread;
  private final @Nullable CallPath line;
  private final MemorySegment to;
  private final int bytes;
  private final Consumer<MemorySegment> transfer;
  private boolean plain;
  private boolean grouped;
  private boolean counted;
  private boolean done;

  /** Whether it changes what is there, instead of filling the memory anew. */
  private final boolean changes;

  /** The newest; threads of other clusters look at it while this one's add to it. */
  private @Nullable Completion completions;

  private @Nullable Counter uncounted;
  private @Nullable ReusedPlace place;
  private int words;

  /** When it was begun, by its thread's count of what it did with barrier objects. */
  private int moment;

  private @Nullable Guard guard;
  private @Nullable PendingStore source;

  /**
   * The barrier that gives the copy's destination back to the thread that fills it.
   *
   * @param turns for how many of its phases that thread waits between two copies
   */
  record Guard(StageBarrier barrier, int turns) {}

  /**
   * Creates a copy.
   *
   * @param what the instruction
   * @param thread the rank of the thread that begins the copy
   * @param to all bytes that the copy fills
   * @param from the first bytes; the others become zero
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
   * Creates a copy.
   *
   * @param bytes the number of bytes that a barrier counts
   * @param transfer fills the memory
   */
  PendingCopy(
      String what,
      int thread,
      @Nullable CallPath line,
      MemorySegment to,
      int bytes,
      Consumer<MemorySegment> transfer) {
    this(what, thread, line, to, bytes, transfer, false);
    UndefinedValues.fill(to);
  }

  private PendingCopy(
      String what,
      int thread,
      @Nullable CallPath line,
      MemorySegment to,
      int bytes,
      Consumer<MemorySegment> transfer,
      boolean changes) {
    this.what = what;
    this.thread = thread;
    this.line = line;
    this.to = to;
    this.bytes = bytes;
    this.transfer = transfer;
    this.changes = changes;
  }

  /**
   * An operation that changes elements in place, each of them atomically; a barrier counts the
   * bytes.
   *
   * @param change changes the memory
   */
  static PendingCopy thatChanges(
      String what,
      int thread,
      @Nullable CallPath line,
      MemorySegment to,
      Consumer<MemorySegment> change) {
    PendingCopy copy = new PendingCopy(what, thread, line, to, (int) to.byteSize(), change, true);
    copy.counted();
    return copy;
  }

  /** What it does to memory, in reports. */
  String does() {
    return changes ? "changes" : "fills";
  }

  /** What it has done to memory, in reports. */
  String hasDone() {
    return changes ? "has changed" : "has filled";
  }

  /** Sets the history of the memory that the copy fills, if that memory is reused. */
  void fills(ReusedPlace known) {
    place = known;
  }

  /** The history of the memory that the copy fills; null if it was not recorded. */
  @Nullable ReusedPlace place() {
    return place;
  }

  /** Drops the history of the memory that the copy fills, which is not needed any more. */
  void forgetsPlace() {
    place = null;
  }

  /** Notes when the copy was begun, by its thread's count of what it did with barrier objects. */
  void begunAt(int now) {
    moment = now;
  }

  int moment() {
    return moment;
  }

  /** Notes which barrier gives its destination back. */
  void guardedBy(Guard by) {
    guard = by;
  }

  @Nullable Guard guard() {
    return guard;
  }

  /**
   * Whether barriers count the copy, and none of them has gone on to a later phase as far as a
   * thread knows.
   */
  boolean isNewestTo(HappensBefore order, Coroutine reader) {
    boolean any = false;
    for (Completion one = completions; one != null; one = one.before) {
      if (one.who instanceof Counter) {
        any = true;
        if (order.knows(reader, one.slot, one.number + 1)) {
          return false;
        }
      }
    }
    return any;
  }

  /** The barriers at which threads learn that the copy is done. */
  List<StageBarrier> counters() {
    List<StageBarrier> counters = new ArrayList<>(1);
    for (Completion one = completions; one != null; one = one.before) {
      if (one.who instanceof StageBarrier barrier) {
        counters.add(barrier);
      }
    }
    return counters;
  }

  /** Called when this copy becomes the last one to fill four more bytes. */
  void takes() {
    words++;
  }

  /** Called when another copy fills four of this copy's bytes again. */
  void loses() {
    words--;
  }

  /**
   * Whether the copy is done and none of the bytes that it brought is left, so that nothing asks
   * for it.
   */
  boolean isForgotten() {
    return done && words == 0;
  }

  /** Where the copy was begun, if lines are kept. */
  @Nullable CallPath line() {
    return line;
  }

  int thread() {
    return thread;
  }

  /** Sets what reads the bytes in another block's shared memory. */
  void comesFrom(PendingStore store) {
    source = store;
  }

  /** Notes that the copy reports to a barrier object when it is done. */
  void counted() {
    counted = true;
  }

  /** Whether threads other than the one that began the copy may wait for it. */
  boolean isCounted() {
    return counted;
  }

  int bytes() {
    return bytes;
  }

  /**
   * Carries out the copy, unless it is done. A thread whose clock has {@code number} or more in
   * {@code slot} knows of it. A copy may become known in several ways: by its own thread's wait,
   * and by each barrier on which it arrives.
   */
  void happen(int slot, int number, Object who) {
    if (!done) {
      transfer.accept(to);
      done = true;
      if (source != null) {
        source.isReadBy(slot, number);
      }
    }
    for (Completion one = completions; one != null; one = one.before) {
      if (one.slot == slot) {
        return; // a thread that knows a higher number in that slot knows this as well
      }
    }
    completions = new Completion(slot, number, who, completions);
  }

  /** Whether both are done, and known to the same threads. */
  boolean isKnownLike(PendingCopy other) {
    Completion mine = completions;
    Completion its = other.completions;
    return mine != null
        && its != null
        && mine.before == null
        && its.before == null
        && mine.slot == its.slot
        && mine.number == its.number;
  }

  /** Whether a thread has fenced the bytes for bulk copies and products, and another knows that. */
  boolean isFencedFor(HappensBefore order, Coroutine reader) {
    for (Completion one = completions; one != null; one = one.before) {
      if (order.isFencedByAny(one.slot, one.number, reader)) {
        return true;
      }
    }
    return false;
  }

  /** Notes that the copy writes as a thread does, so that bulk copies need a fence after it. */
  void isPlain() {
    plain = true;
  }

  boolean needsFence() {
    return plain;
  }

  /** Whether a thread knows that the copy is done. */
  boolean isKnownTo(HappensBefore order, Coroutine reader) {
    for (Completion one = completions; one != null; one = one.before) {
      if (order.knows(reader, one.slot, one.number)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a thread of another cluster knows that the copy is done. */
  boolean isKnownTo(HappensBefore order, Coroutine reader, long ofCluster) {
    for (Completion one = completions; one != null; one = one.before) {
      if (order.knowsOther(reader, ofCluster, one.slot, one.number)) {
        return true;
      }
    }
    return false;
  }

  /** When a thread learned that the copy is done, by that thread's own clock. */
  int learnedBy(LearningHistory history, int reader) {
    int first = Integer.MAX_VALUE;
    for (Completion one = completions; one != null; one = one.before) {
      first = Math.min(first, history.learned(reader, one.slot, one.number));
    }
    return first;
  }

  /** Notes that a wait has left the copy's group pending. */
  void leftOut() {
    grouped = true;
  }

  /** Notes that a phase has ended that should have counted the copy's bytes. */
  void uncounted(Counter barrier) {
    uncounted = barrier;
  }

  /** The barrier that has ended a phase without the copy's bytes; null if none has. */
  @Nullable Counter uncounted() {
    return uncounted;
  }

  boolean isGrouped() {
    return grouped;
  }

  boolean isDone() {
    return done;
  }

  /** The threads that know that the copy is done, for reports. */
  String knownTo() {
    List<String> all = new ArrayList<>();
    for (Completion one = completions; one != null; one = one.before) {
      all.addFirst(one.toString());
    }
    return String.join(" and ", all);
  }

  @Override
  public String toString() {
    return what + " of thread " + thread + CallPath.inBrackets(line);
  }
}
