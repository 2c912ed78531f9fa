package dev.stretto.rows;

import java.lang.foreign.MemorySegment;

/** Rows in the order of an index. */
final class Selected extends View {
  private final int[] indices;

  private Selected(HostRows all, int[] indices) {
    super(all, indices.length, all.rowBytes());
    this.indices = indices;
  }

  static HostRows over(HostRows all, int[] indices) {
    Memory.requireSome(indices.length);
    for (int i = 0; i < indices.length; i++) {
      if (indices[i] < 0 || indices[i] >= all.rows()) {
        throw new IndexOutOfBoundsException(
            "index " + i + " is " + indices[i] + ", and there are " + all);
      }
    }
    return new Selected(all, indices);
  }

  @Override
  public HostRows unconverted() {
    HostRows floats = all.unconverted();
    return floats.equals(all) ? this : new Selected(floats, indices);
  }

  @Override
  MemorySegment memory(long row) {
    return all.memory(indices[(int) row]);
  }

  @Override
  void moveWithin(
      long row, long column, long bytes, MemorySegment buffer, long offset, boolean intoBuffer) {
    all.moveWithin(indices[(int) row], column, bytes, buffer, offset, intoBuffer);
  }
}
