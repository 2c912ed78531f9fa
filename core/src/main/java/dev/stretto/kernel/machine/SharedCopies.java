package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import dev.stretto.memory.GlobalArray;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The copies that the threads of a block or warp make together, each thread a part. Every thread
 * has to call, and has to name the same range. On a GPU, the part of a thread that does not call is
 * missing, or another thread copies everything and the mistake goes unnoticed.
 */
public final class SharedCopies {
  /** A call that some threads still have to make. */
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

    /** Whether two calls name the same copy. If nothing is copied, the places do not matter. */
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
   * Creates the bookkeeping for a group's copies.
   *
   * @param group the kind of group, block or warp
   * @param firstRank the rank of the group's first thread in its block
   * @param threads the number of threads in the group
   */
  SharedCopies(String group, HappensBefore order, int firstRank, int threads) {
    this.group = group;
    this.order = order;
    this.firstRank = firstRank;
    this.calls = new int[threads];
  }

  /** Called when a block begins. */
  void begin() {
    Arrays.fill(calls, 0);
    open.clear();
    closed = 0;
  }

  /** Called when the running thread begins its part of a copy, in either direction. */
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

  /** Called when the last thread has returned. No thread can make a missing call any more. */
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
