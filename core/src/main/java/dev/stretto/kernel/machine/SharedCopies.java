package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import dev.stretto.memory.GlobalArray;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The copies of which the threads of a block or warp each do a part. Every one of them has to call,
 * and to name the same range: on a GPU the part of a thread that does not is missing, or one thread
 * has all copied and it does not show.
 */
public final class SharedCopies {
  /** A call that some threads have still to make. */
  private static final class Call {
    private final Coroutine first;
    private final @Nullable CallPath line;
    private final SharedStorage shared;
    private final long sharedByte;
    private final long globalByte;
    private final long bytes;
    private int callers;

    Call(
        Coroutine first,
        @Nullable CallPath line,
        SharedStorage shared,
        long sharedByte,
        long globalByte,
        long bytes) {
      this.first = first;
      this.line = line;
      this.shared = shared;
      this.sharedByte = sharedByte;
      this.globalByte = globalByte;
      this.bytes = bytes;
    }

    /** Where nothing is copied the places do not matter. */
    boolean isSame(Call other) {
      return bytes == other.bytes
          && (bytes == 0
              || (shared == other.shared
                  && sharedByte == other.sharedByte
                  && globalByte == other.globalByte));
    }
  }

  private final String group;
  private final HappensBefore order;
  private final int firstRank;
  private final int[] calls;
  private final Deque<Call> open = new ArrayDeque<>();
  private int closed;

  /**
   * Copies.
   *
   * @param group of which threads, in a word
   * @param firstRank the first one's rank in its block
   * @param threads how many there are
   */
  SharedCopies(String group, HappensBefore order, int firstRank, int threads) {
    this.group = group;
    this.order = order;
    this.firstRank = firstRank;
    this.calls = new int[threads];
  }

  /** A block begins. */
  void begin() {
    Arrays.fill(calls, 0);
    open.clear();
    closed = 0;
  }

  /** The thread that runs begins its part of a copy, one way or the other. */
  public void begins(
      SharedSpan shared, int sharedIndex, GlobalArray global, long globalIndex, int count) {
    Coroutine thread = Coroutine.current("memcpyAsync");
    int width = shared.width();
    long globalByte = global.byteOffset() + globalIndex * global.elementBytes();
    if (global.allocation() instanceof Resident resident) {
      globalByte += resident.address();
    }
    Call call =
        new Call(
            thread,
            order.line(),
            shared.storage(),
            shared.firstByte() + (long) sharedIndex * width,
            globalByte,
            (long) count * width);
    int number = calls[thread.rankInBlock() - firstRank]++;
    if (number - closed == open.size()) {
      open.add(call);
    }
    Call made = number(number);
    if (!made.isSame(call)) {
      throw order.misuse(CopyRule.NOT_TOGETHER, differs(made, call));
    }
    made.callers++;
    while (!open.isEmpty() && open.getFirst().callers == calls.length) {
      open.removeFirst();
      closed++;
    }
  }

  private Call number(int number) {
    Iterator<Call> at = open.iterator();
    for (int i = closed; i < number; i++) {
      at.next();
    }
    return at.next();
  }

  private String differs(Call made, Call call) {
    String which =
        made.bytes != call.bytes
            ? call.bytes + " bytes, and " + made.first + " one of " + made.bytes
            : "one range, and " + made.first + " of another";
    return call.first
        + " does its part of a copy of "
        + which
        + CallPath.inBrackets(made.line)
        + ": all threads of a "
        + group
        + " share a copy, so that each has to name the same range";
  }

  /** The last thread has returned: nobody makes a call any more that is missing. */
  void leave() {
    Call missed = open.peekFirst();
    if (missed != null) {
      throw order.misuse(
          CopyRule.NOT_TOGETHER,
          "memcpyAsync"
              + CallPath.inBrackets(missed.line)
              + " was called by "
              + missed.callers
              + " of the "
              + calls.length
              + " threads of a "
              + group
              + ", "
              + missed.first
              + " among them: all of them share the copy; let all call it, or let one thread call"
              + " ThisThread.memcpyAsync");
    }
  }
}
