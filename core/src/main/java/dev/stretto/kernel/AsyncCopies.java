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

  AsyncCopies(DeviceThread thread) {
    this.thread = thread;
  }

  /** A block begins. */
  void clear() {
    groups.clear();
    open.clear();
  }

  /** The thread that calls begins a copy. */
  static void begin(
      String what,
      SharedArray to,
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
    // A place that is not read has to exist too: kernels that check indices see to that.
    Objects.checkIndex(fromByte, from.byteSize());
    thread.order().activate();
    MemorySegment source = source(what, from, fromByte, bytes, sourceBytes);
    MemorySegment destination = destination(what, to, toByte, bytes, bytes);
    PendingCopy copy =
        new PendingCopy(what, thread.rank(), thread.order().line(), destination, source);
    thread.order().begins(copy, to.storage(), to.firstByte() + toByte, bytes);
    thread.copies().open.add(copy);
  }

  /** Makes a group of what has begun since the last one. */
  void commit() {
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

  /** All that it has begun, done or not. */
  List<PendingCopy> begun() {
    List<PendingCopy> all = new ArrayList<>(open);
    groups.forEach(all::addAll);
    return all;
  }

  private void happen(PendingCopy copy) {
    copy.happen(thread.rank(), thread.order().now(thread), thread);
  }

  /** The bytes of a shared array that a copy fills or reads. */
  static MemorySegment destination(
      String what, SharedArray array, int at, int bytes, int alignment) {
    Objects.checkFromIndexSize(at, bytes, array.byteSize());
    requireMultiple(what, at, array, array.firstByte() + (long) at, alignment);
    return array.data().asSlice(at, bytes);
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
