package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Elements in the shared memory of a block, as a virtual device sees them: bytes of some storage.
 * Every access that other threads or copies could meet is told to whoever watches the storage.
 */
public final class SharedSpan {
  private final Class<?> type;
  private final SharedStorage storage;
  private final MemorySegment data;
  private final int firstByte;
  private final int length;
  private final int elementBytes;

  /**
   * A view of a block's memory.
   *
   * @param type of the array that it is in the kernel, for messages
   * @param storage has the elements; aligned for every access
   * @param firstByte where they begin there
   */
  public SharedSpan(
      Class<?> type, SharedStorage storage, int firstByte, int length, int elementBytes) {
    this.type = type;
    this.storage = storage;
    this.data = storage.memory().asSlice(firstByte, (long) length * elementBytes);
    this.firstByte = firstByte;
    this.length = length;
    this.elementBytes = elementBytes;
  }

  /** {@return how many elements it has} */
  public int count() {
    return length;
  }

  /** {@return how many bytes it has} */
  public int bytes() {
    return length * elementBytes;
  }

  /** {@return how many bytes an element has} */
  public int width() {
    return elementBytes;
  }

  public SharedStorage storage() {
    return storage;
  }

  /** The elements, for what is no access that other threads or copies could meet. */
  public MemorySegment data() {
    return data;
  }

  /** The elements, some of which the thread that calls reads. */
  public MemorySegment read(int index, int count) {
    return readBytes(index * elementBytes, count * elementBytes);
  }

  /** The elements, some of which the thread that calls writes. */
  public MemorySegment write(int index, int count) {
    return writeBytes(index * elementBytes, count * elementBytes);
  }

  public MemorySegment readBytes(int at, int bytes) {
    SharedStorage.Accesses watch = storage.watch();
    if (watch != null) {
      watch.read(storage, firstByte + at, bytes);
    }
    return data;
  }

  public MemorySegment writeBytes(int at, int bytes) {
    SharedStorage.Accesses watch = storage.watch();
    if (watch != null) {
      watch.write(storage, firstByte + at, bytes);
    }
    return data;
  }

  public int firstByte() {
    return firstByte;
  }

  /** How many elements of another size the array is, which have to be whole ones. */
  public int elements(int bytes) {
    if (firstByte % bytes != 0 || bytes() % bytes != 0) {
      throw new IllegalArgumentException(
          this + " does not begin and end at whole elements of " + bytes + " bytes");
    }
    return bytes() / bytes;
  }

  /**
   * The byte, within this array, at which so many elements are moved in one access; a GPU moves
   * them from a multiple of their size only.
   */
  public long vector(int index, int count) {
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
              + " elements can be moved at once only from a multiple of "
              + count
              + ", and from an address that is a multiple of "
              + bytes);
    }
    return at;
  }

  @Override
  public String toString() {
    return type.getSimpleName() + "[" + length + "] at byte " + firstByte;
  }
}
