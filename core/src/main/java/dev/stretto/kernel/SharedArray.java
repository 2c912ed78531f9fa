package dev.stretto.kernel;

import dev.stretto.kernel.machine.SharedSpan;
import dev.stretto.kernel.machine.SharedStorage;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * An array in the shared memory of a block: every thread of the block can read and write it, no
 * other thread can, and it is gone when the block has ended. The equivalent of {@code __shared__}
 * in CUDA C++.
 *
 * <p>Kernels obtain one from their {@link ThreadBlock}. Its initial content is undefined; on a
 * virtual device it is poison. A thread may read what another one wrote once both have passed a
 * barrier such as {@link ThreadBlock#sync()}.
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
  private final SharedSpan span;

  /**
   * Creates a view of a block's memory.
   *
   * @param storage holds the elements; aligned for every access
   * @param firstByte the position of the first element in it
   */
  SharedArray(SharedStorage storage, int firstByte, int length, int elementBytes) {
    this.span = new SharedSpan(getClass(), storage, firstByte, length, elementBytes);
  }

  /** {@return how many elements the array has} */
  public final int length() {
    return span.count();
  }

  /** {@return how many bytes the array has} */
  public final int byteSize() {
    return span.bytes();
  }

  /**
   * {@return elements {@code from} to {@code from + length - 1} as an array that shares this one's
   * memory}
   *
   * @param from the first element
   * @param length how many elements; 0 is allowed
   * @throws IndexOutOfBoundsException if the range is not inside this array
   */
  public abstract SharedArray slice(int from, int length);

  /** {@return how many bytes an element has} */
  public final int elementBytes() {
    return span.width();
  }

  /** As what runs a block on a virtual device sees it. */
  final SharedSpan span() {
    return span;
  }

  final SharedStorage storage() {
    return span.storage();
  }

  /** The elements, for uses that cannot conflict with accesses of other threads or copies. */
  final MemorySegment data() {
    return span.data();
  }

  /** The elements, some of which the calling thread reads. */
  final MemorySegment read(int index, int count) {
    return span.read(index, count);
  }

  /** The elements, some of which the calling thread writes. */
  final MemorySegment write(int index, int count) {
    return span.write(index, count);
  }

  final int firstByte() {
    return span.firstByte();
  }

  /** Checks a slice's range and returns the storage of the slice. */
  final SharedStorage sliced(int from, int count) {
    Objects.checkFromIndexSize(from, count, length());
    return span.storage();
  }

  /** The array's length in elements of another size, which must divide its size. */
  final int elements(int bytes) {
    return span.elements(bytes);
  }

  /** The byte, within this array, at which so many elements are moved in one access. */
  final long vector(int index, int count) {
    return span.vector(index, count);
  }

  @Override
  public final String toString() {
    return span.toString();
  }
}
