package dev.stretto.flow;

import java.lang.foreign.MemorySegment;

/** Delivers bytes without end, up to a size. */
class EndlessSource implements Source {
  private final long size;

  EndlessSource(long size) {
    this.size = size;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public boolean isPositional() {
    return true;
  }

  @Override
  public long read(long position, MemorySegment into) {
    into.fill((byte) position);
    return into.byteSize();
  }

  @Override
  public void close() {}
}
