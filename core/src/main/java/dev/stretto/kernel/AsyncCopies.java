package dev.stretto.kernel;

import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/**
 * The copies to shared memory that a thread of a virtual device has begun and not waited for. They
 * happen as late as a GPU may let them happen, which is when the thread waits for their group.
 */
final class AsyncCopies {
  /** The source gives the first bytes of the destination; the others become zero. */
  private record Copy(MemorySegment to, MemorySegment from) {
    void happen() {
      to.asSlice(0, from.byteSize()).copyFrom(from);
      to.asSlice(from.byteSize()).fill((byte) 0);
    }
  }

  private final Deque<List<Copy>> groups = new ArrayDeque<>();
  private List<Copy> open = new ArrayList<>();

  /** A block begins. */
  void clear() {
    groups.clear();
    open.clear();
  }

  /** The thread that calls begins a copy. */
  static void begin(
      String what,
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int bytes,
      int sourceBytes) {
    DeviceThread thread = DeviceThread.current(what);
    if (sourceBytes < 0 || sourceBytes > bytes) {
      throw new IllegalArgumentException(
          what + " of " + sourceBytes + " bytes: has to be 0 to " + bytes);
    }
    Copy copy =
        new Copy(
            destination(what, to, toIndex, bytes),
            source(what, from, fromIndex, bytes, sourceBytes));
    BlockMemory.poison(copy.to);
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
      throw new IllegalArgumentException("a wait that leaves " + pending + " groups");
    }
    while (groups.size() > pending) {
      groups.remove().forEach(Copy::happen);
    }
  }

  void awaitAll() {
    commit();
    await(0);
  }

  private static MemorySegment destination(String what, SharedArray array, int index, int bytes) {
    Objects.checkFromIndexSize(index, bytes / array.elementBytes(), array.length());
    int at = index * array.elementBytes();
    requireMultiple(what, index, array, array.firstByte() + (long) at, bytes);
    return array.data().asSlice(at, bytes);
  }

  private static MemorySegment source(
      String what, GlobalArray array, long index, int bytes, int sourceBytes) {
    if (!(array.allocation() instanceof Resident resident)) {
      throw new IllegalStateException(
          array + " lies in device memory, which the host cannot reach: only kernels can");
    }
    long at = array.byteOffset() + index * array.elementBytes();
    requireMultiple(what, index, array, resident.address() + at, bytes);
    // An element that is not read has to exist too: kernels that check indices see to that.
    int elements = Math.max(1, (sourceBytes + array.elementBytes() - 1) / array.elementBytes());
    Objects.checkFromIndexSize(index, elements, array.length());
    return resident.memory().asSlice(at, sourceBytes);
  }

  private static void requireMultiple(
      String what, long index, Object array, long address, int bytes) {
    if (address % bytes != 0) {
      throw new IllegalArgumentException(
          what
              + ": element "
              + index
              + " of "
              + array
              + " does not lie at an address that is a multiple of "
              + bytes);
    }
  }
}
