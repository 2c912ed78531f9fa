package dev.stretto;

import java.lang.foreign.MemorySegment;

/** Elements of a Java array at an end of a copy. */
final class ArrayPart {
  private ArrayPart() {}

  /** {@return the memory of elements that the array has} */
  static MemorySegment of(MemorySegment array, long elementBytes, int from, int count) {
    return array.asSlice(from * elementBytes, count * elementBytes);
  }

  /**
   * Refuses elements that an array has not, and another number than the other end has.
   *
   * @param array the name of the parameter that is the array
   * @param length of the array
   * @param other the name of the parameter that is the other end
   * @param elements of the other end
   */
  static void require(String array, int length, int from, int count, String other, long elements) {
    if ((from | count) < 0 || count > length - from) {
      throw new IndexOutOfBoundsException(
          "from = %d and count = %d are not within %s, which has %d elements"
              .formatted(from, count, array, length));
    }
    if (count != elements) {
      throw new IllegalArgumentException(
          "count = %d, but %s has %d elements: slice it, or change count"
              .formatted(count, other, elements));
    }
    if (count == 0) {
      throw new IllegalArgumentException("count = 0: there is nothing to copy");
    }
  }

  /** Refuses ends with different numbers of elements, or with none. */
  static void requireAll(long source, long destination) {
    if (source != destination) {
      throw new IllegalArgumentException(
          "source has %d elements and destination %d: slice the larger one, or copy a part of the array"
              .formatted(source, destination));
    }
    if (source == 0) {
      throw new IllegalArgumentException(
          "both ends of the copy have 0 elements: there is nothing to copy");
    }
  }
}
