package dev.stretto.rows;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Some rows that follow each other. */
final class Range extends View {
  private final long first;

  private Range(HostRows all, long first, long count) {
    super(all, count, all.rowBytes());
    this.first = first;
  }

  static HostRows over(HostRows all, long first, long count) {
    Objects.checkFromIndexSize(first, count, all.rows());
    return new Range(all, first, count);
  }

  @Override
  public HostRows unconverted() {
    HostRows floats = all.unconverted();
    return floats.equals(all) ? this : new Range(floats, first, rows());
  }

  @Override
  MemorySegment memory(long row) {
    return all.memory(first + row);
  }

  @Override
  void move(long at, long bytes, MemorySegment buffer, long offset, boolean intoBuffer) {
    all.move(first * rowBytes() + at, bytes, buffer, offset, intoBuffer);
  }

  @Override
  void moveWithin(
      long row, long column, long bytes, MemorySegment buffer, long offset, boolean intoBuffer) {
    all.moveWithin(first + row, column, bytes, buffer, offset, intoBuffer);
  }
}
