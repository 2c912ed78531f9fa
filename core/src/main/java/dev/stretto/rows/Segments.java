package dev.stretto.rows;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Rows of which each is a segment. */
final class Segments extends HostRows {
  private final MemorySegment[] segments;
  private final boolean mayBeNative;
  private final boolean isReadOnly;

  private Segments(MemorySegment[] segments) {
    super(segments.length, segments[0].byteSize());
    this.segments = segments;
    this.mayBeNative = Memory.any(segments.length, row -> segments[(int) row].isNative());
    this.isReadOnly = Memory.any(segments.length, row -> segments[(int) row].isReadOnly());
  }

  static HostRows over(List<MemorySegment> rows) {
    MemorySegment[] segments = rows.toArray(MemorySegment[]::new);
    Memory.requireSome(segments.length);
    Memory.each(segments.length, row -> Memory.requireThere(segments[(int) row], row));
    Memory.requireEqual(
        segments.length, segments[0].byteSize(), row -> segments[(int) row].byteSize());
    Memory.each(segments.length, row -> Memory.requireShared(segments[(int) row]));
    return new Segments(segments);
  }

  @Override
  MemorySegment memory(long row) {
    return segments[(int) row];
  }

  @Override
  public boolean mayBeNative() {
    return mayBeNative;
  }

  @Override
  public boolean isReadOnly() {
    return isReadOnly;
  }

  @Override
  public void requireOpen() {
    Memory.each(segments.length, row -> Memory.requireOpen(segments[(int) row]));
  }

  @Override
  void moveWithin(
      long row, long column, long bytes, MemorySegment buffer, long offset, boolean intoBuffer) {
    moveWithin(segments[(int) row], column, bytes, buffer, offset, intoBuffer);
  }
}
