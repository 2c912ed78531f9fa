package dev.stretto.rows;

import dev.stretto.driver.HostBytes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Rows of equally many bytes in host memory: the rows of a {@code float[][]}, slices of mapped
 * files, segments, records with gaps. On a device they are a matrix, whose rows follow each other.
 *
 * <pre>{@code
 * HostRows vectors = HostRows.of(floats);            // a float[rows][columns]
 * GlobalFloats matrix = device.allocateFloats(vectors.rows() * columns);
 * Copy copy = stream.copyRows(vectors, matrix);
 * }</pre>
 *
 * <p>An object of this class is a view: it holds no bytes, can be used any number of times, and
 * keeps the memory of its rows alive. Which arrays and segments the rows are must not change while
 * a copy uses them.
 *
 * <p>Rows of floats can be converted on the way: {@link #asBfloats()}, {@link #asHalfs()} and
 * {@link #asBytes(float)} are the same rows, of which each element has another form on the device.
 */
public abstract class HostRows {
  private final long rows;

  private final long rowBytes;

  HostRows(long rows, long rowBytes) {
    if (rows < 1 || rowBytes < 1) {
      throw new IllegalArgumentException(
          rows + " rows of " + rowBytes + " bytes: both have to be 1 or more");
    }
    if (rows > Long.MAX_VALUE / rowBytes) {
      throw new IllegalArgumentException(
          rows + " rows of " + rowBytes + " bytes have more than " + Long.MAX_VALUE + " bytes");
    }
    this.rows = rows;
    this.rowBytes = rowBytes;
  }

  // --- making them
  // ------------------------------------------------------------------------------------------------------------

  /**
   * {@return the rows of an array of arrays}
   *
   * @param rows arrays of equal lengths, 1 or more
   * @throws IllegalArgumentException if there is none, they are empty, or the lengths differ
   */
  public static HostRows of(float[][] rows) {
    Objects.requireNonNull(rows, "rows");
    return HeapArrays.over(rows);
  }

  /**
   * {@return the rows of an array of arrays}
   *
   * @param rows arrays of equal lengths, 1 or more
   * @throws IllegalArgumentException if there is none, they are empty, or the lengths differ
   */
  public static HostRows of(byte[][] rows) {
    Objects.requireNonNull(rows, "rows");
    return HeapArrays.over(rows);
  }

  /**
   * {@return rows of which each is a segment} Segments may be of any kind, also read-only if the
   * rows are only copied to a device.
   *
   * @param rows segments of equal sizes, 1 or more
   * @throws IllegalArgumentException if there is none, they are empty, or the sizes differ
   * @throws dev.stretto.fault.RouteException if one belongs to a confined arena, since other
   *     threads access the rows
   */
  public static HostRows of(List<MemorySegment> rows) {
    Objects.requireNonNull(rows, "rows");
    return Segments.over(rows);
  }

  /**
   * {@return rows that follow each other in a segment}
   *
   * @param memory as many bytes as some rows have
   * @param rowBytes of a row
   * @throws IllegalArgumentException if the segment does not consist of whole rows
   * @throws dev.stretto.fault.RouteException if it belongs to a confined arena, since other threads
   *     access the rows
   */
  public static HostRows of(MemorySegment memory, long rowBytes) {
    Objects.requireNonNull(memory, "memory");
    if (rowBytes < 1 || memory.byteSize() == 0 || memory.byteSize() % rowBytes != 0) {
      throw new IllegalArgumentException(
          memory.byteSize() + " bytes are not one or more rows of " + rowBytes + " bytes");
    }
    return of(memory, memory.byteSize() / rowBytes, rowBytes, rowBytes);
  }

  /**
   * {@return rows that lie in a segment at equal distances}
   *
   * @param memory the first row begins at its first byte
   * @param rows how many
   * @param rowBytes of a row
   * @param stride bytes from the beginning of a row to that of the next
   * @throws IllegalArgumentException if there is no row, or rows overlap
   * @throws IndexOutOfBoundsException if the rows do not fit into the segment
   * @throws dev.stretto.fault.RouteException if it belongs to a confined arena, since other threads
   *     access the rows
   */
  public static HostRows of(MemorySegment memory, long rows, long rowBytes, long stride) {
    return Strided.over(memory, rows, rowBytes, stride);
  }

  /**
   * {@return the rows of several, one after the other}
   *
   * @param parts rows of equally many bytes, 1 or more
   * @throws IllegalArgumentException if there is none, or the bytes of their rows differ
   */
  public static HostRows join(List<HostRows> parts) {
    Objects.requireNonNull(parts, "parts");
    return Joined.over(parts);
  }

  // --- other views
  // ------------------------------------------------------------------------------------------------------------

  /**
   * {@return rows of these in another order} Copied to a device, the rows are gathered; copied
   * back, they are scattered. An index may occur several times; scattered to, such a row then holds
   * any of them.
   *
   * @param indices of the rows; the array is kept, and must not change while a copy uses it
   * @throws IndexOutOfBoundsException if there is no such row
   * @throws IllegalArgumentException if there is no index
   */
  public HostRows at(int[] indices) {
    Objects.requireNonNull(indices, "indices");
    return Selected.over(this, indices);
  }

  /**
   * {@return some of these rows that follow each other}
   *
   * @param first the first one
   * @param count how many, 1 or more
   * @throws IndexOutOfBoundsException if there are no such rows
   * @throws IllegalArgumentException if the count is not positive
   */
  public HostRows slice(long first, long count) {
    return Range.over(this, first, count);
  }

  /**
   * {@return these rows of floats, which are bfloat16 on the device: rounded to the nearest, ties
   * to even} Copied back, they are floats again.
   *
   * @throws IllegalArgumentException if a row does not consist of floats of 4 bytes, or is
   *     converted already
   */
  public HostRows asBfloats() {
    return new Converted(this, new Conversion(Conversion.Element.BFLOAT, 1));
  }

  /**
   * {@return these rows of floats, which are IEEE 754 binary16 on the device: rounded to the
   * nearest, ties to even} Copied back, they are floats again.
   *
   * @throws IllegalArgumentException if a row does not consist of floats of 4 bytes, or is
   *     converted already
   */
  public HostRows asHalfs() {
    return new Converted(this, new Conversion(Conversion.Element.HALF, 1));
  }

  /**
   * {@return these rows of floats, which are signed bytes on the device: {@code x * scale}, rounded
   * to the nearest, ties to even, and at least -128, at most 127; 0 for NaN} Copied back, they are
   * {@code byte / scale}.
   *
   * @param scale finite and not 0
   * @throws IllegalArgumentException if it is neither, a row does not consist of floats of 4 bytes,
   *     or the rows are converted already
   */
  public HostRows asBytes(float scale) {
    return new Converted(this, new Conversion(Conversion.Element.BYTE, scale));
  }

  // --- what they are
  // ----------------------------------------------------------------------------------------------------------

  /** {@return how many rows these are} */
  public final long rows() {
    return rows;
  }

  /** {@return the bytes of a row on a device} */
  public final long rowBytes() {
    return rowBytes;
  }

  /** {@return the bytes of all rows on a device} */
  public final long byteSize() {
    return rows * rowBytes;
  }

  /** {@return how all rows are converted; empty if some are not, or not in the same way} */
  public Optional<Conversion> conversion() {
    return Optional.empty();
  }

  /** {@return the same rows in the form that they have on the host} */
  public HostRows unconverted() {
    return this;
  }

  /**
   * {@return the host memory of a row, in the form that it has on the host}
   *
   * @param index 0 to {@code rows() - 1}
   * @throws IndexOutOfBoundsException if there is no such row
   */
  public final MemorySegment row(long index) {
    return memory(Objects.checkIndex(index, rows));
  }

  abstract MemorySegment memory(long row);

  /** {@return the bytes of a row on the host} */
  long hostRowBytes() {
    return rowBytes;
  }

  /** {@return whether some rows may be in memory outside the heap} */
  public abstract boolean mayBeNative();

  /** {@return whether some rows cannot be written} */
  public abstract boolean isReadOnly();

  /**
   * Requires that the memory of all rows is open.
   *
   * @throws dev.stretto.fault.ClosedException if that of a row is closed
   */
  public abstract void requireOpen();

  /** Takes memory in which rows lie. */
  @FunctionalInterface
  public interface Spans {
    /**
     * Takes memory in which rows lie.
     *
     * @param memory the first row begins at its first byte
     * @param rowBytes of a row
     * @param stride bytes from the beginning of a row to that of the next
     * @param rows how many
     */
    void accept(MemorySegment memory, long rowBytes, long stride, long rows);
  }

  /**
   * Tells where the rows lie on the host, in their order.
   *
   * @param spans takes the places
   */
  public void eachSpan(Spans spans) {
    Objects.requireNonNull(spans, "spans");
    for (long row = 0; row < rows; row++) {
      spans.accept(memory(row), hostRowBytes(), hostRowBytes(), 1);
    }
  }

  // --- moving bytes
  // -----------------------------------------------------------------------------------------------------------

  /**
   * Reads bytes of the rows, which count as one sequence without gaps, in their form on a device.
   *
   * @param at the first byte, 0 to {@code byteSize() - 1}
   * @param into as many bytes; an element that is converted must not be cut
   * @throws IndexOutOfBoundsException if there are no such bytes
   * @throws IllegalStateException if the memory of a row is closed
   * @throws InternalError if a row is in a mapped file that was truncated
   */
  public final void read(long at, MemorySegment into) {
    Objects.requireNonNull(into, "into");
    Objects.checkFromIndexSize(at, into.byteSize(), byteSize());
    move(at, into.byteSize(), into, 0, true);
  }

  /**
   * Writes bytes of the rows, which count as one sequence without gaps, from their form on a
   * device.
   *
   * @param at the first byte, 0 to {@code byteSize() - 1}
   * @param from as many bytes; an element that is converted must not be cut
   * @throws IndexOutOfBoundsException if there are no such bytes
   * @throws IllegalStateException if the memory of a row is closed
   * @throws InternalError if a row is in a mapped file that was truncated
   */
  public final void write(long at, MemorySegment from) {
    Objects.requireNonNull(from, "from");
    Objects.checkFromIndexSize(at, from.byteSize(), byteSize());
    move(at, from.byteSize(), from, 0, false);
  }

  /** Moves a range of all bytes, from or to a place in a buffer. */
  void move(long at, long bytes, MemorySegment buffer, long offset, boolean intoBuffer) {
    long row = at / rowBytes;
    long column = at % rowBytes;
    long place = offset;
    for (long left = bytes; left > 0; row++) {
      long part = Math.min(left, rowBytes - column);
      moveWithin(row, column, part, buffer, place, intoBuffer);
      place += part;
      left -= part;
      column = 0;
    }
  }

  /** Moves bytes of one row, from or to a place in a buffer. */
  abstract void moveWithin(
      long row, long column, long bytes, MemorySegment buffer, long offset, boolean intoBuffer);

  /** Moves bytes of a row that is a part of a segment. */
  static void moveWithin(
      MemorySegment memory,
      long at,
      long bytes,
      MemorySegment buffer,
      long offset,
      boolean intoBuffer) {
    if (intoBuffer) {
      HostBytes.copy(memory, at, buffer, offset, bytes);
    } else {
      HostBytes.copy(buffer, offset, memory, at, bytes);
    }
  }

  @Override
  public String toString() {
    return rows + " rows of " + rowBytes + " bytes";
  }
}
