package dev.stretto.flow;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** A part of a source, for a splitter: read in blocks, unless it is in memory. */
final class ByteWindow implements Splitter.Bytes {
  private static final int BLOCK = 64 << 10;

  private final Source source;
  private final long begin;
  private final long limit;
  private MemorySegment block = MemorySegment.NULL;
  private long blockBegin;

  /** The bytes of a positional source from {@code begin} to {@code limit}. */
  ByteWindow(Source source, long begin, long limit) {
    this.source = source;
    this.begin = begin;
    this.limit = limit;
    Optional<MemorySegment> resident = source.resident(begin, limit - begin);
    if (resident.isPresent()) {
      block = resident.get();
      blockBegin = begin;
    }
  }

  @Override
  public byte get(long position) {
    if (position < begin || position >= limit) {
      throw new IndexOutOfBoundsException(
          "a splitter asks for byte %d, but the chunk has bytes %d to %d"
              .formatted(position, begin, limit));
    }
    if (position < blockBegin || position >= blockBegin + block.byteSize()) {
      read(position);
    }
    return block.get(ValueLayout.JAVA_BYTE, position - blockBegin);
  }

  /** Reads a block that begins at a position, or ends there if the splitter goes backwards. */
  private void read(long position) {
    boolean isBackwards = position == limit - 1 || position < blockBegin;
    long from = isBackwards ? Math.max(begin, position + 1 - BLOCK) : position;
    long bytes = Math.min(BLOCK, limit - from);
    MemorySegment next = MemorySegment.ofArray(new byte[(int) bytes]);
    long read = source.read(from, next);
    if (read != bytes) {
      throw new FlowException("the source ended at byte " + (from + read) + " before " + limit);
    }
    block = next;
    blockBegin = from;
  }
}
