package dev.stretto.kernel;

import dev.stretto.fault.CopyRule;
import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/**
 * The {@code cp.async} copies that a thread of a virtual device has begun and not waited for. They
 * happen when the thread waits for their group, or a barrier on which they arrive is waited for.
 */
final class AsyncCopies {
  private final DeviceThread thread;
  private final Deque<List<PendingCopy>> groups = new ArrayDeque<>();
  private List<PendingCopy> open = new ArrayList<>();
  private final List<PendingCopy> begun = new ArrayList<>();
  private int mostBegun = 64;
  private int rounds;
  private boolean inRound;

  AsyncCopies(DeviceThread thread) {
    this.thread = thread;
  }

  /** A block begins. */
  void clear() {
    groups.clear();
    open.clear();
    begun.clear();
    rounds = 0;
    inRound = false;
  }

  /** The thread that calls begins a copy. */
  static void begin(
      String what,
      SharedSpan to,
      int toByte,
      GlobalArray from,
      long fromByte,
      int bytes,
      int sourceBytes) {
    DeviceThread thread = DeviceThread.current(what);
    if (sourceBytes < 0 || sourceBytes > bytes) {
      throw new IllegalArgumentException(
          what + " of " + sourceBytes + " bytes: has to be 0 to " + bytes);
    }
    thread.order().activate();
    MemorySegment source =
        sourceBytes == 0
            ? nothing(what, from, fromByte, bytes)
            : source(what, from, fromByte, bytes, sourceBytes);
    MemorySegment destination = destination(what, to, toByte, bytes, bytes);
    PendingCopy copy =
        new PendingCopy(what, thread.rank(), thread.order().line(), destination, source);
    thread.order().begins(copy, to.storage(), to.firstByte() + toByte, bytes);
    thread.copies().add(copy);
  }

  private void add(PendingCopy copy) {
    open.add(copy);
    if (begun.size() >= mostBegun) {
      begun.removeIf(PendingCopy::isForgotten);
      mostBegun = Math.max(mostBegun, 2 * begun.size());
    }
    begun.add(copy);
  }

  /**
   * The thread begins a copy, of those that belong together maybe the first.
   *
   * @return the number of the round
   */
  int beginRound() {
    if (!inRound) {
      inRound = true;
      rounds++;
    }
    return rounds;
  }

  /** The thread has begun all copies that belong together, and says so. */
  void endRound() {
    if (inRound) {
      inRound = false;
      rounds++;
    }
  }

  /** In which round it is, by an odd number, or between which two. */
  int rounds() {
    return rounds;
  }

  /** Whether the thread has begun copies and not waited for them. */
  boolean arePending() {
    return !open.isEmpty() || !groups.isEmpty();
  }

  /** Makes a group of what has begun since the last one. */
  void commit() {
    endRound();
    groups.add(open);
    open = new ArrayList<>();
  }

  /** Waits until so many groups are left. */
  void await(int pending) {
    if (pending < 0) {
      throw new CopyMisuse(CopyRule.OUT_OF_RANGE, "a wait that leaves " + pending + " groups");
    }
    while (groups.size() > pending) {
      groups.remove().forEach(this::happen);
    }
    groups.forEach(group -> group.forEach(PendingCopy::leftOut));
  }

  void awaitAll() {
    commit();
    await(0);
  }

  /** All that it has begun, done or not, of which somebody may still use what it brings. */
  List<PendingCopy> begun() {
    begun.removeIf(PendingCopy::isForgotten);
    return List.copyOf(begun);
  }

  private void happen(PendingCopy copy) {
    copy.happen(thread.rank(), thread.order().now(thread), thread);
  }

  /** The bytes of a shared array that a copy fills or reads. */
  static MemorySegment destination(
      String what, SharedSpan array, int at, int bytes, int alignment) {
    Objects.checkFromIndexSize(at, bytes, array.bytes());
    requireMultiple(what, at, array, array.firstByte() + (long) at, alignment);
    return array.data().asSlice(at, bytes);
  }

  /**
   * Where a copy reads nothing the place need not exist, which is how the tail of an array is
   * copied; but an instruction wants its address aligned all the same.
   */
  private static MemorySegment nothing(String what, GlobalArray array, long at, int alignment) {
    if (array.allocation() instanceof Resident resident) {
      requireMultiple(what, at, array, resident.address() + array.byteOffset() + at, alignment);
    }
    return MemorySegment.NULL;
  }

  /** The bytes of a global array that a copy reads or fills. */
  static MemorySegment source(String what, GlobalArray array, long at, int alignment, int bytes) {
    if (!(array.allocation() instanceof Resident resident)) {
      throw new IllegalStateException(
          array + " lies in device memory, which the host cannot reach: only kernels can");
    }
    Objects.checkFromIndexSize(at, bytes, array.byteSize());
    long place = array.byteOffset() + at;
    requireMultiple(what, at, array, resident.address() + place, alignment);
    return resident.memory().asSlice(place, bytes);
  }

  private static void requireMultiple(
      String what, long at, Object array, long address, int alignment) {
    if (address % alignment != 0) {
      throw new IllegalArgumentException(
          CopyRule.MISALIGNED.title()
              + ": "
              + what
              + ": byte "
              + at
              + " of "
              + array
              + " does not lie at an address that is a multiple of "
              + alignment);
    }
  }
}
