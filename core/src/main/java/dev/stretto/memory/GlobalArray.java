package dev.stretto.memory;

import dev.stretto.fault.ClosedException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An array in the global memory of one device: what CUDA calls a device pointer, with its length,
 * its type and its owner.
 *
 * <p>A device makes arrays, for example with {@code device.allocateFloats(n)}. {@link #close()}
 * ends their use at once and never blocks; the memory is freed, in stream order, after the last
 * operation that uses it. A slice shares its array's memory and is closed with it.
 *
 * <p>Only kernels read and write elements. Programs move them with {@code stream.copy} and {@code
 * stream.fill}. Array objects are immutable and safe to share between threads; streams and events
 * order the accesses to the elements.
 */
public abstract sealed class GlobalArray implements AutoCloseable
    permits GlobalBytes,
        GlobalShorts,
        GlobalInts,
        GlobalLongs,
        GlobalFloats,
        GlobalDoubles,
        GlobalHalfs,
        GlobalBfloats {
  private final Allocation allocation;
  private final long firstByte;
  private final long length;
  private final int elementBytes;
  private final boolean slice;
  private final @Nullable MemorySegment data;
  private final boolean watched;

  GlobalArray(Allocation allocation, long firstByte, long length, int elementBytes, boolean slice) {
    this.allocation = allocation;
    this.firstByte = firstByte;
    this.length = length;
    this.elementBytes = elementBytes;
    this.slice = slice;
    this.watched = allocation.isWatched();
    MemorySegment all = allocation.resident().orElse(null);
    this.data = all == null ? null : all.asSlice(firstByte, length * elementBytes);
  }

  /** {@return how many whole elements of this size the allocation holds} */
  static long elements(Allocation allocation, int elementBytes) {
    return Objects.requireNonNull(allocation, "allocation").byteSize() / elementBytes;
  }

  /** {@return how many elements the array has} */
  public final long length() {
    return length;
  }

  /** {@return how many bytes the array has} */
  public final long byteSize() {
    return length * elementBytes;
  }

  /** {@return how many bytes an element has} */
  public final int elementBytes() {
    return elementBytes;
  }

  /**
   * {@return the device address of the first element}
   *
   * <p>The address is meant for other CUDA libraries in the process. It is valid until the array is
   * closed.
   *
   * @throws ClosedException if the array is closed
   */
  public final long address() {
    if (!allocation.isOpen()) {
      throw new ClosedException(this + " is closed: its address is no longer valid");
    }
    return allocation.address() + firstByte;
  }

  /** {@return the position of the first element within the allocation, in bytes} */
  public final long byteOffset() {
    return firstByte;
  }

  /** {@return the memory that this array is a view of} */
  public final Allocation allocation() {
    return allocation;
  }

  /** {@return whether this array is a slice of another} */
  public final boolean isSlice() {
    return slice;
  }

  /** {@return whether the array may still be used} */
  public final boolean isOpen() {
    return allocation.isOpen();
  }

  /**
   * {@return elements {@code from} to {@code from + length} as an array that shares this one's
   * memory}
   *
   * @param from the first element
   * @param length how many elements; 0 is allowed
   * @throws IndexOutOfBoundsException if the range is not inside this array
   * @throws ClosedException if the array is closed
   */
  public abstract GlobalArray slice(long from, long length);

  /**
   * Ends the use of the array and of its slices at once, and frees its memory after the last
   * enqueued operation that uses it. Does not block. Closing it again has no further effect.
   *
   * @throws UnsupportedOperationException if this is a slice: close the array that it was cut from
   */
  @Override
  public final void close() {
    if (slice) {
      throw new UnsupportedOperationException(
          this + " is a slice: it is closed together with the array that it was cut from");
    }
    allocation.release();
  }

  /** Checks a slice's range and returns the byte at which it begins. */
  final long sliceStart(long from, long count) {
    Objects.checkFromIndexSize(from, count, length);
    if (!allocation.isOpen()) {
      throw new ClosedException(this + " is closed and cannot be sliced");
    }
    return firstByte + from * elementBytes;
  }

  /**
   * Returns the byte, within this array, at which one access moves several elements. A GPU requires
   * this byte to be a multiple of the size of the access.
   */
  final long vector(long index, int count) {
    Objects.checkFromIndexSize(index, count, length);
    long at = index * elementBytes;
    int bytes = count * elementBytes;
    if (index % count != 0 || (allocation.address() + firstByte + at) % bytes != 0) {
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

  /** Checks an index. The memory's own check would report bytes instead of elements. */
  final long inside(long index) {
    return Objects.checkIndex(index, length);
  }

  /** The elements, for a kernel. */
  final MemorySegment data() {
    MemorySegment reachable = data;
    if (reachable == null) {
      throw new IllegalStateException(
          this
              + " lies in device memory, which the host cannot reach: copy it with stream.copy, or"
              + " read it in a kernel");
    }
    return reachable;
  }

  /** The elements, of which a kernel is about to read some. */
  final MemorySegment read(long index, int count) {
    if (watched) {
      allocation.loaded(firstByte + index * elementBytes, (long) count * elementBytes);
    }
    return data();
  }

  /** The elements, of which a kernel is about to set some. */
  final MemorySegment written(long index, int count) {
    if (watched) {
      allocation.stored(firstByte + index * elementBytes, (long) count * elementBytes);
    }
    return data();
  }

  @Override
  public final String toString() {
    return getClass().getSimpleName()
        + "["
        + length
        + "] at byte "
        + firstByte
        + " of "
        + allocation.describe();
  }
}
