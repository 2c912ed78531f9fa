package dev.stretto.kernel;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * An array in the shared memory of a block: every thread of the block reads and writes it, no other
 * thread does, and it is gone when the block has ended. What CUDA C++ calls {@code __shared__}.
 *
 * <p>Kernels obtain one from their {@link ThreadBlock}. What it holds at first is undefined, on a
 * virtual device poison. What one thread wrote another may read once both have passed a barrier
 * such as {@link ThreadBlock#sync()}.
 */
public abstract sealed class SharedArray
    permits SharedBytes,
        SharedShorts,
        SharedInts,
        SharedLongs,
        SharedFloats,
        SharedDoubles,
        SharedHalfs,
        SharedBfloats {
  private final MemorySegment data;
  private final int firstByte;
  private final int length;
  private final int elementBytes;

  /**
   * A view of a block's memory.
   *
   * @param data the elements and no more
   * @param firstByte where they begin in an allocation that is aligned for every access
   */
  SharedArray(MemorySegment data, int firstByte, int length, int elementBytes) {
    this.data = data;
    this.firstByte = firstByte;
    this.length = length;
    this.elementBytes = elementBytes;
  }

  /** {@return how many elements the array has} */
  public final int length() {
    return length;
  }

  /** {@return how many bytes the array has} */
  public final int byteSize() {
    return length * elementBytes;
  }

  /**
   * {@return elements {@code from} to {@code from + length} as an array that shares this one's
   * memory}
   *
   * @param from the first element
   * @param length how many elements; 0 is allowed
   * @throws IndexOutOfBoundsException if the range is not inside this array
   */
  public abstract SharedArray slice(int from, int length);

  final MemorySegment data() {
    return data;
  }

  final int elementBytes() {
    return elementBytes;
  }

  final int firstByte() {
    return firstByte;
  }

  /** Checks a slice's range and gives its memory. */
  final MemorySegment sliced(int from, int count) {
    Objects.checkFromIndexSize(from, count, length);
    return data.asSlice((long) from * elementBytes, (long) count * elementBytes);
  }

  /** How many elements of another size the array is, which have to be whole ones. */
  final int elements(int bytes) {
    if (firstByte % bytes != 0 || byteSize() % bytes != 0) {
      throw new IllegalArgumentException(
          this + " does not begin and end at a whole element of " + bytes + " bytes");
    }
    return byteSize() / bytes;
  }

  /**
   * The byte, within this array, at which so many elements are moved in one access; a GPU moves
   * them from a multiple of their size only.
   */
  final long vector(int index, int count) {
    Objects.checkFromIndexSize(index, count, length);
    int at = index * elementBytes;
    int bytes = count * elementBytes;
    if (index % count != 0 || (firstByte + at) % bytes != 0) {
      throw new IllegalArgumentException(
          "element "
              + index
              + " of "
              + this
              + ": "
              + count
              + " elements are moved at once from a multiple of "
              + count
              + " only, and from an address that is a multiple of "
              + bytes);
    }
    return at;
  }

  @Override
  public final String toString() {
    return getClass().getSimpleName() + "[" + length + "] at byte " + firstByte;
  }
}
