package dev.stretto.rows;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Rows at equal distances in a segment. */
final class Strided extends HostRows {
  private final MemorySegment segment;
  private final long stride;

  private Strided(MemorySegment segment, long rows, long rowBytes, long stride) {
    super(rows, rowBytes);
    this.segment = segment;
    this.stride = stride;
  }

  static HostRows over(MemorySegment memory, long rows, long rowBytes, long stride) {
    Objects.requireNonNull(memory, "memory");
    if (rows > 0 && rowBytes > 0 && stride < rowBytes) {
      throw new IllegalArgumentException(
          "rows of " + rowBytes + " bytes that lie " + stride + " bytes apart overlap");
    }
    Strided made = new Strided(memory, rows, rowBytes, stride);
    if (rows - 1 > (Long.MAX_VALUE - rowBytes) / stride
        || (rows - 1) * stride + rowBytes > memory.byteSize()) {
      throw new IndexOutOfBoundsException(
          "%d rows of %d bytes, %d apart, do not fit into %d bytes"
              .formatted(rows, rowBytes, stride, memory.byteSize()));
    }
    Memory.requireShared(memory);
    return made;
  }

  @Override
  MemorySegment memory(long row) {
    return segment.asSlice(row * stride, rowBytes());
  }

  @Override
  public boolean mayBeNative() {
    return segment.isNative();
  }

  @Override
  public boolean isReadOnly() {
    return segment.isReadOnly();
  }

  @Override
  public void requireOpen() {
    Memory.requireOpen(segment);
  }

  @Override
  public void eachSpan(Spans spans) {
    Objects.requireNonNull(spans, "spans");
    spans.accept(segment, rowBytes(), stride, rows());
  }

  @Override
  void move(long at, long bytes, MemorySegment buffer, long offset, boolean intoBuffer) {
    if (stride == rowBytes()) {
      moveWithin(segment, at, bytes, buffer, offset, intoBuffer);
    } else {
      super.move(at, bytes, buffer, offset, intoBuffer);
    }
  }

  @Override
  void moveWithin(
      long row, long column, long bytes, MemorySegment buffer, long offset, boolean intoBuffer) {
    moveWithin(segment, row * stride + column, bytes, buffer, offset, intoBuffer);
  }
}
