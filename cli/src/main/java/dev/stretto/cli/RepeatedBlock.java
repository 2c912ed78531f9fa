package dev.stretto.cli;

import dev.stretto.flow.Source;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** A source that has the same block of memory at each position, so that nothing is read. */
final class RepeatedBlock implements Source {
  private final MemorySegment block;
  private final long size;

  /**
   * @param block as large as a chunk at least
   * @param size how many bytes there are
   */
  RepeatedBlock(MemorySegment block, long size) {
    this.block = block;
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
    long bytes = Math.min(into.byteSize(), size - position);
    MemorySegment.copy(block, 0, into, 0, bytes);
    return bytes;
  }

  @Override
  public Optional<MemorySegment> resident(long position, long bytes) {
    return Optional.of(block.asSlice(0, bytes));
  }

  @Override
  public void close() {}
}
