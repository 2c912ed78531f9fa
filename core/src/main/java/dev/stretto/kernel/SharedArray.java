package dev.stretto.kernel;

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
  private final SharedStorage storage;
  private final MemorySegment data;
  private final int firstByte;
  private final int length;
  private final int elementBytes;

  /**
   * Creates a view of a block's memory.
   *
   * @param storage holds the elements; aligned for every access
   * @param firstByte the position of the first element in it
   */
  SharedArray(SharedStorage storage, int firstByte, int length, int elementBytes) {
    this.storage = storage;
    this.data = storage.memory().asSlice(firstByte, (long) length * elementBytes);
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
    return elementBytes;
  }

  final SharedStorage storage() {
    return storage;
  }

  /** The elements, for uses that cannot conflict with accesses of other threads or copies. */
  final MemorySegment data() {
    return data;
  }

  /** The elements, some of which the calling thread reads. */
  final MemorySegment read(int index, int count) {
    return readBytes(index * elementBytes, count * elementBytes);
  }

  /** The elements, some of which the calling thread writes. */
  final MemorySegment write(int index, int count) {
    return writeBytes(index * elementBytes, count * elementBytes);
  }

  final MemorySegment readBytes(int at, int bytes) {
    SharedRaceDetector watch = storage.watch();
    if (watch != null) {
      watch.read(storage, firstByte + at, bytes);
    }
    return data;
  }

  final MemorySegment writeBytes(int at, int bytes) {
    SharedRaceDetector watch = storage.watch();
    if (watch != null) {
      watch.write(storage, firstByte + at, bytes);
    }
    return data;
  }

  final int firstByte() {
    return firstByte;
  }

  /** Checks a slice's range and returns the storage of the slice. */
  final SharedStorage sliced(int from, int count) {
    Objects.checkFromIndexSize(from, count, length);
    return storage;
  }

  /** The array's length in elements of another size, which must divide its size. */
  final int elements(int bytes) {
    if (firstByte % bytes != 0 || byteSize() % bytes != 0) {
      throw new IllegalArgumentException(
          this + " does not begin and end at whole elements of " + bytes + " bytes");
    }
    return byteSize() / bytes;
  }

  /**
   * The position, within this array, of elements that are moved in one access; a GPU moves them
   * only from a multiple of their size.
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
              + " elements are moved in one access only from a multiple of "
              + count
              + " and from an address that is a multiple of "
              + bytes);
    }
    return at;
  }

  @Override
  public final String toString() {
    return getClass().getSimpleName() + "[" + length + "] at byte " + firstByte;
  }
}
