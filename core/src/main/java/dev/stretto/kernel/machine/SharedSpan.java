package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Elements in the shared memory of a block, as a virtual device sees them: bytes of a storage.
 * Every access that may conflict with other threads or copies is reported to the storage's
 * observer, if it has one.
 */
public final class SharedSpan {
  private final Class<?> type;
  private final SharedStorage storage;
  private @Nullable MemorySegment data;
  private final int firstByte;
  private final int length;
  private final int elementBytes;

  /**
   * Creates a view of a block's memory.
   *
   * @param type the type of the array in the kernel, for messages
   * @param storage holds the elements; aligned for every access
   * @param firstByte where the elements begin in the storage
   */
  public SharedSpan(
      Class<?> type, SharedStorage storage, int firstByte, int length, int elementBytes) {
    this.type = type;
    this.storage = storage;
    this.firstByte = firstByte;
    this.length = length;
    this.elementBytes = elementBytes;
  }

  /** {@return the number of elements} */
  public int count() {
    return length;
  }

  /** {@return the size in bytes} */
  public int bytes() {
    return length * elementBytes;
  }

  /** {@return the size of an element in bytes} */
  public int width() {
    return elementBytes;
  }

  public SharedStorage storage() {
    return storage;
  }

  /** The elements, for uses that cannot conflict with other threads or copies. */
  public MemorySegment data() {
    MemorySegment known = data;
    if (known == null) { // a copy has no need of it
      known = storage.memory().asSlice(firstByte, (long) length * elementBytes);
      data = known;
    }
    return known;
  }

  /** The elements. The calling thread reads some of them. */
  public MemorySegment read(int index, int count) {
    return readBytes(index * elementBytes, count * elementBytes);
  }

  /** The elements. The calling thread writes some of them. */
  public MemorySegment write(int index, int count) {
    return writeBytes(index * elementBytes, count * elementBytes);
  }

  public MemorySegment readBytes(int at, int bytes) {
    storage.isUsed();
    SharedStorage.Accesses watch = storage.watch();
    if (watch != null) {
      watch.read(storage, firstByte + at, bytes);
    }
    return data();
  }

  public MemorySegment writeBytes(int at, int bytes) {
    storage.isUsed();
    SharedStorage.Accesses watch = storage.watch();
    if (watch != null) {
      watch.write(storage, firstByte + at, bytes);
    }
    return data();
  }

  public int firstByte() {
    return firstByte;
  }

  /**
   * The number of elements of {@code bytes} bytes in the array, which has to begin and end at such
   * an element.
   */
  public int elements(int bytes) {
    if (firstByte % bytes != 0 || bytes() % bytes != 0) {
      throw new IllegalArgumentException(
          this + " does not begin and end at whole elements of " + bytes + " bytes");
    }
    return bytes() / bytes;
  }

  /**
   * The byte in this array at which {@code count} elements are moved in one access. A GPU moves
   * them only from a multiple of their size.
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
