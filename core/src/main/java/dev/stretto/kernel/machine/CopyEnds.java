package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** The bytes that a copy reads or fills on a virtual device, if they are where it needs them. */
public final class CopyEnds {
  /** Bulk copies move units of so many bytes. */
  public static final int BULK = 16;

  private CopyEnds() {}

  /** The bytes of a shared array that a copy fills or reads. */
  public static MemorySegment shared(
      String what, SharedSpan array, int at, int bytes, int alignment) {
    Objects.checkFromIndexSize(at, bytes, array.bytes());
    requireMultiple(what, at, array, array.firstByte() + (long) at, alignment);
    return array.data().asSlice(at, bytes);
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
   * Where a copy reads nothing the place need not exist, which is how the tail of an array is
   * copied; but an instruction wants its address aligned all the same.
   */
  static MemorySegment nothing(String what, GlobalArray array, long at, int alignment) {
    if (array.allocation() instanceof Resident resident) {
      requireMultiple(what, at, array, resident.address() + array.byteOffset() + at, alignment);
    }
    return MemorySegment.NULL;
  }

  /** Requires whole units of a bulk copy. */
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
