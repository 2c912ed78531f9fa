package dev.stretto.kernel;

/**
 * An array in the shared memory of a block: every thread of the block reads and writes it, no other
 * thread does, and it is gone when the block has ended. What CUDA C++ calls {@code __shared__}.
 *
 * <p>Kernels obtain one from their {@link ThreadBlock}. What it holds at first is undefined, on a
 * virtual device poison. What one thread wrote another may read once both have passed a barrier
 * such as {@link ThreadBlock#sync()}.
 */
public abstract sealed class SharedArray extends SharedSpan
    permits SharedBytes,
        SharedShorts,
        SharedInts,
        SharedLongs,
        SharedFloats,
        SharedDoubles,
        SharedHalfs,
        SharedBfloats {
  /**
   * A view of a block's memory.
   *
   * @param storage has the elements; aligned for every access
   * @param firstByte where they begin there
   */
  SharedArray(SharedStorage storage, int firstByte, int length, int elementBytes) {
    super(storage, firstByte, length, elementBytes);
  }

  /** {@return how many elements the array has} */
  public final int length() {
    return count();
  }

  /** {@return how many bytes the array has} */
  public final int byteSize() {
    return bytes();
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
    return width();
  }

  @Override
  public final String toString() {
    return super.toString();
  }
}
