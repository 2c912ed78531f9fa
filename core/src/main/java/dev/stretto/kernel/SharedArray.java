package dev.stretto.kernel;

import dev.stretto.kernel.machine.SharedSpan;
import dev.stretto.kernel.machine.SharedStorage;
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
  private final SharedSpan span;

  /**
   * A view of a block's memory.
   *
   * @param storage has the elements; aligned for every access
   * @param firstByte where they begin there
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
   * {@return elements {@code from} to {@code from + length} as an array that shares this one's
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

  /** The elements, for what is no access that other threads or copies could meet. */
  final MemorySegment data() {
    return span.data();
  }

  /** The elements, some of which the thread that calls reads. */
  final MemorySegment read(int index, int count) {
    return span.read(index, count);
  }

  /** The elements, some of which the thread that calls writes. */
  final MemorySegment write(int index, int count) {
    return span.write(index, count);
  }

  final int firstByte() {
    return span.firstByte();
  }

  /** Checks a slice's range and gives what it lies in. */
  final SharedStorage sliced(int from, int count) {
    Objects.checkFromIndexSize(from, count, length());
    return span.storage();
  }

  /** How many elements of another size the array is, which have to be whole ones. */
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
