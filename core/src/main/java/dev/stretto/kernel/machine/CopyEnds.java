package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Finds the bytes that a copy reads or fills on a virtual device, and checks their range and
 * alignment.
 */
public final class CopyEnds {
  /** The size in bytes of the units that bulk copies move. */
  public static final int BULK = 16;

  private CopyEnds() {}

  /** The bytes of a shared array that a copy fills or reads. */
  public static MemorySegment shared(
      String what, SharedSpan array, int at, int bytes, int alignment) {
    Objects.checkFromIndexSize(at, bytes, array.bytes());
    requireOwn(what, array);
    requireMultiple(what, at, array, array.firstByte() + (long) at, alignment);
    return array.storage().memory().asSlice(array.firstByte() + (long) at, bytes);
  }

  /** Requires that an array lies in the shared memory of the running thread's block. */
  public static void requireOwn(String what, SharedSpan array) {
    if (array.storage().isOfAnotherBlock()) {
      throw new IllegalArgumentException(
          what
              + " does not reach the shared memory of another block, where "
              + array
              + " lies: use get, set and Atomics there, or a method of PtxClusters that takes the"
              + " block's own array and the other block's rank");
    }
  }

  /** The bytes of a global array that a copy reads or fills. */
  public static MemorySegment global(
      String what, GlobalArray array, long at, int alignment, int bytes) {
    if (!(array.allocation() instanceof Resident resident)) {
      throw new IllegalStateException(
          array + " lies in device memory, which the host cannot reach: only kernels can");
    }
    Objects.checkFromIndexSize(at, bytes, array.byteSize());
    long place = array.byteOffset() + at;
    requireMultiple(what, at, array, resident.address() + place, alignment);
    return resident.memory().asSlice(place, bytes);
  }

  /**
   * The source of a copy that reads nothing. Its place need not exist, so that kernels can copy the
   * tail of an array, but the instruction still requires an aligned address.
   */
  static MemorySegment nothing(String what, GlobalArray array, long at, int alignment) {
    if (array.allocation() instanceof Resident resident) {
      requireMultiple(what, at, array, resident.address() + array.byteOffset() + at, alignment);
    }
    return MemorySegment.NULL;
  }

  /** Requires that a bulk copy moves whole units. */
  public static void requireUnits(String what, int bytes) {
    if (bytes < 0 || bytes % BULK != 0) {
      throw new IllegalArgumentException(
          CopyRule.MISALIGNED.title()
              + ": "
              + what
              + " of "
              + bytes
              + " bytes: has to be a multiple of "
              + BULK);
    }
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
