package dev.stretto.rows;

import java.lang.foreign.MemorySegment;

/** The rows of a {@code byte[][]}. */
final class ByteArrays extends HostRows {
  private final byte[][] arrays;

  private ByteArrays(byte[][] arrays) {
    super(arrays.length, (long) arrays[0].length * Byte.BYTES);
    this.arrays = arrays;
  }

  static HostRows over(byte[][] rows) {
    Memory.requireSome(rows.length);
    Memory.each(rows.length, row -> Memory.requireThere(rows[(int) row], row));
    Memory.requireEqual(rows.length, rows[0].length, row -> rows[(int) row].length);
    return new ByteArrays(rows);
  }

  @Override
  MemorySegment memory(long row) {
    return MemorySegment.ofArray(arrays[(int) row]);
  }

  @Override
  public boolean mayBeNative() {
    return false;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public void requireOpen() {} // arrays always are

  @Override
  void moveWithin(
      long row, long column, long bytes, MemorySegment buffer, long offset, boolean intoBuffer) {
    moveWithin(memory(row), column, bytes, buffer, offset, intoBuffer);
  }
}
