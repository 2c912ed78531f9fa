package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A copy to shared memory that a thread of a virtual device has begun. It happens as late as a GPU
 * may let it happen; until then its destination is poison.
 */
final class PendingCopy {
  /** A barrier object, which counts the bytes of copies, and at which threads wait for them. */
  interface Counter {}

  /** One way to know that it is done: who knows so much of a clock. */
  private record Completion(int slot, int number, Object who) {
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
  private boolean grouped;
  private boolean counted;
  private boolean done;
  private final List<Completion> completions = new ArrayList<>(1);
  private @Nullable Counter uncounted;
  private @Nullable ReusedPlace place;
  private int words;

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
    UndefinedValues.fill(to);
  }

  /** What is known of the memory that it fills, where that is used again. */
  void fills(ReusedPlace known) {
    place = known;
  }

  /** What is known of the memory that it fills; null where nobody has kept that. */
  @Nullable ReusedPlace place() {
    return place;
  }

  /** Nobody asks any more what its memory held before. */
  void forgetsPlace() {
    place = null;
  }

  /** It is the last copy that fills four more bytes. */
  void takes() {
    words++;
  }

  /** Another copy fills four of its bytes anew. */
  void loses() {
    words--;
  }

  /** Whether it is done and nothing is left of what it brought, so that nobody asks for it. */
  boolean isForgotten() {
    return done && words == 0;
  }

  /** Where it was begun, if lines are kept. */
  @Nullable CallPath line() {
    return line;
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

  /**
   * It happens, if it has not yet; who knows at this place of its clock this number knows of it. A
   * copy may have several ways to be known of: its thread's own wait, and each barrier on which it
   * arrives.
   */
  void happen(int slot, int number, Object who) {
    if (!done) {
      transfer.accept(to);
      done = true;
    }
    for (Completion one : completions) {
      if (one.slot == slot) {
        return; // who knows more of that clock knows this as well
      }
    }
    completions.add(new Completion(slot, number, who));
  }

  /** Whether a thread knows that it is done. */
  boolean isKnownTo(HappensBefore order, Coroutine reader) {
    for (Completion one : completions) {
      if (order.knows(reader, one.slot, one.number)) {
        return true;
      }
    }
    return false;
  }

  /** When a thread has come to know that it is done, by that thread's own clock. */
  int learnedBy(LearningHistory history, int reader) {
    int first = Integer.MAX_VALUE;
    for (Completion one : completions) {
      first = Math.min(first, history.learned(reader, one.slot, one.number));
    }
    return first;
  }

  /** Waits have been that its group was left out of. */
  void leftOut() {
    grouped = true;
  }

  /** A phase has ended that should have counted its bytes. */
  void uncounted(Counter barrier) {
    uncounted = barrier;
  }

  /** Which barrier has ended a phase without it; null if none has. */
  @Nullable Counter uncounted() {
    return uncounted;
  }

  boolean isGrouped() {
    return grouped;
  }

  boolean isDone() {
    return done;
  }

  /** Who knows that it is done. */
  String knownTo() {
    return completions.stream().map(Completion::toString).collect(Collectors.joining(" and "));
  }

  @Override
  public String toString() {
    return what + " of thread " + thread + CallPath.inBrackets(line);
  }
}
