package dev.stretto.rows;

import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;

/** Rows of which each is an array. */
final class HeapArrays extends HostRows {
  private final LongFunction<MemorySegment> segments;

  private HeapArrays(long rows, long rowBytes, LongFunction<MemorySegment> segments) {
    super(rows, rowBytes);
    this.segments = segments;
  }

  static HostRows over(float[][] rows) {
    requireRows(rows, row -> rows[(int) row].length);
    return new HeapArrays(
        rows.length,
        (long) rows[0].length * Float.BYTES,
        row -> MemorySegment.ofArray(rows[(int) row]));
  }

  static HostRows over(byte[][] rows) {
    requireRows(rows, row -> rows[(int) row].length);
    return new HeapArrays(
        rows.length, rows[0].length, row -> MemorySegment.ofArray(rows[(int) row]));
  }

  private static void requireRows(Object[] rows, LongUnaryOperator lengths) {
    Memory.requireSome(rows.length);
    Memory.each(rows.length, row -> Memory.requireThere(rows[(int) row], row));
    Memory.requireEqual(rows.length, lengths.applyAsLong(0), lengths);
  }

  @Override
  MemorySegment memory(long row) {
    return segments.apply(row);
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
