package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The {@code cp.async} copies that a thread of a virtual device has begun and not yet waited for.
 * They take place when the thread waits for their group, or when a thread waits for a barrier on
 * which they arrive.
 */
public final class AsyncCopies implements CopyRounds {
  private final DeviceThread thread;
  private final Deque<List<PendingCopy>> groups = new ArrayDeque<>();
  private List<PendingCopy> open = new ArrayList<>();
  private final List<PendingCopy> begun = new ArrayList<>();
  private int mostBegun = 64;
  private int rounds;
  private boolean inRound;
  private boolean counted;

  AsyncCopies(DeviceThread thread) {
    this.thread = thread;
  }

  /** Called when a block begins. */
  void clear() {
    groups.clear();
    open.clear();
    begun.clear();
    rounds = 0;
    inRound = false;
    counted = false;
  }

  /** Begins a copy. */
  public void begin(
      String what,
      SharedSpan to,
      int toByte,
      GlobalArray from,
      long fromByte,
      int bytes,
      int sourceBytes) {
    if (sourceBytes < 0 || sourceBytes > bytes) {
      throw new IllegalArgumentException(
          what + " of " + sourceBytes + " bytes: has to be 0 to " + bytes);
    }
    thread.races().activate();
    MemorySegment source =
        sourceBytes == 0
            ? CopyEnds.nothing(what, from, fromByte, bytes)
            : CopyEnds.global(what, from, fromByte, bytes, sourceBytes);
    MemorySegment destination = CopyEnds.shared(what, to, toByte, bytes, bytes);
    PendingCopy copy =
        new PendingCopy(what, thread.rank(), thread.order().line(), destination, source);
    copy.isPlain();
    thread.races().begins(copy, to.storage(), to.firstByte() + toByte, bytes);
    thread.readsGlobal(copy, from, fromByte, sourceBytes);
    add(copy);
  }

  /**
   * Begins to copy a piece in the way in which threads load and store. A block that nobody watches
   * copies it at once.
   */
  public void beginPlain(SharedSpan to, int toByte, GlobalArray from, long fromByte, int bytes) {
    thread.races().activate();
    if (thread.order().isActive()) {
      begin("memcpyAsync", to, toByte, from, fromByte, bytes, bytes);
      return;
    }
    MemorySegment source = CopyEnds.global("memcpyAsync", from, fromByte, bytes, bytes);
    CopyEnds.shared("memcpyAsync", to, toByte, bytes, bytes);
    to.writeBytes(toByte, bytes).asSlice(toByte, bytes).copyFrom(source);
  }

  private void add(PendingCopy copy) {
    open.add(copy);
    if (begun.size() >= mostBegun) {
      begun.removeIf(PendingCopy::isForgotten);
      mostBegun = Math.max(mostBegun, 2 * begun.size());
    }
    begun.add(copy);
  }

  @Override
  public int beginRound() {
    if (!inRound) {
      inRound = true;
      thread.order().copies();
      rounds++;
    }
    return rounds;
  }

  /** Ends the round: the thread has begun all copies that belong together. */
  void endRound() {
    if (inRound) {
      inRound = false;
      rounds++;
    }
  }

  @Override
  public int rounds() {
    return rounds;
  }

  @Override
  public boolean arePending() {
    return !open.isEmpty() || !groups.isEmpty();
  }

  @Override
  public boolean areCounted() {
    return counted;
  }

  /** Notes that a barrier object counts the copies that the thread has begun. */
  void isCounted() {
    counted = true;
  }

  /** Makes a group of the copies begun since the last group. */
  public void commit() {
    endRound();
    groups.add(open);
    open = new ArrayList<>();
  }

  /** Waits until at most {@code pending} groups are left. */
  public void await(int pending) {
    if (pending < 0) {
      throw new CopyMisuse(CopyRule.OUT_OF_RANGE, "a wait that leaves " + pending + " groups");
    }
    while (groups.size() > pending) {
      groups.remove().forEach(this::happen);
    }
    groups.forEach(group -> group.forEach(PendingCopy::leftOut));
  }

  public void awaitAll() {
    commit();
    await(0);
  }

  /** All copies that the thread has begun, done or not, whose bytes may still be used. */
  List<PendingCopy> begun() {
    begun.removeIf(PendingCopy::isForgotten);
    return List.copyOf(begun);
  }

  private void happen(PendingCopy copy) {
    copy.happen(thread.rank(), thread.order().now(thread), thread);
  }
}
