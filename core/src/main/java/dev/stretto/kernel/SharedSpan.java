package dev.stretto.kernel;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Elements in the shared memory of a block, as a virtual device sees them: bytes of some storage.
 * Every access that other threads or copies could meet is told to whoever watches the storage.
 */
abstract class SharedSpan {
  private final SharedStorage storage;
  private final MemorySegment data;
  private final int firstByte;
  private final int length;
  private final int elementBytes;

  /**
   * A view of a block's memory.
   *
   * @param storage has the elements; aligned for every access
   * @param firstByte where they begin there
   */
  SharedSpan(SharedStorage storage, int firstByte, int length, int elementBytes) {
    this.storage = storage;
    this.data = storage.memory().asSlice(firstByte, (long) length * elementBytes);
    this.firstByte = firstByte;
    this.length = length;
    this.elementBytes = elementBytes;
  }

  /** {@return how many elements it has} */
  final int count() {
    return length;
  }

  /** {@return how many bytes it has} */
  final int bytes() {
    return length * elementBytes;
  }

  /** {@return how many bytes an element has} */
  final int width() {
    return elementBytes;
  }

  final SharedStorage storage() {
    return storage;
  }

  /** The elements, for what is no access that other threads or copies could meet. */
  final MemorySegment data() {
    return data;
  }

  /** The elements, some of which the thread that calls reads. */
  final MemorySegment read(int index, int count) {
    return readBytes(index * elementBytes, count * elementBytes);
  }

  /** The elements, some of which the thread that calls writes. */
  final MemorySegment write(int index, int count) {
    return writeBytes(index * elementBytes, count * elementBytes);
  }

  final MemorySegment readBytes(int at, int bytes) {
    SharedStorage.Accesses watch = storage.watch();
    if (watch != null) {
      watch.read(storage, firstByte + at, bytes);
    }
    return data;
  }

  final MemorySegment writeBytes(int at, int bytes) {
    SharedStorage.Accesses watch = storage.watch();
    if (watch != null) {
      watch.write(storage, firstByte + at, bytes);
    }
    return data;
  }

  final int firstByte() {
    return firstByte;
  }

  /** Checks a slice's range and gives what it lies in. */
  final SharedStorage sliced(int from, int count) {
    Objects.checkFromIndexSize(from, count, length);
    return storage;
  }

  /** How many elements of another size the array is, which have to be whole ones. */
  final int elements(int bytes) {
    if (firstByte % bytes != 0 || bytes() % bytes != 0) {
      throw new IllegalArgumentException(
          this + " does not begin and end at a whole element of " + bytes + " bytes");
    }
    return bytes() / bytes;
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
  public String toString() {
    return getClass().getSimpleName() + "[" + length + "] at byte " + firstByte;
  }
}
