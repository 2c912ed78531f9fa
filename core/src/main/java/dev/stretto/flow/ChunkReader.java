package dev.stretto.flow;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Reads chunks into their buffers. If records must not be cut, and it is not known before where
 * they end, the begin of one that does not fit is kept for the next chunk; then chunks are read one
 * after the other.
 */
final class ChunkReader {
  /**
   * What was read of a chunk.
   *
   * @param position of its first byte
   * @param bytes how many
   * @param isLast whether the source has ended
   */
  record Result(long position, long bytes, boolean isLast) {}

  private final Source source;
  private final long size;
  private final @Nullable Splitter splitter;
  private byte[] kept = {};
  private long begin;

  /**
   * @param size of the source, or -1
   * @param begin of the first chunk
   * @param splitter null if it is known where chunks end
   */
  ChunkReader(Source source, long size, long begin, @Nullable Splitter splitter) {
    this.source = source;
    this.size = size;
    this.begin = begin;
    this.splitter = splitter;
  }

  /** {@return whether it is known before where chunks end} */
  boolean isPlain() {
    return splitter == null;
  }

  /** {@return whether chunks have to be read in order} */
  boolean isInOrder() {
    return splitter != null || !source.isPositional();
  }

  /**
   * Reads a chunk.
   *
   * @param position of its first byte, if that is known
   * @param into has as many bytes as the chunk at most
   */
  Result read(long position, MemorySegment into) {
    if (splitter != null) {
      return readRecords(splitter, into);
    }
    long read = readFrom(position, into);
    if (read < into.byteSize() && size >= 0) {
      throw ended(position + read);
    }
    return new Result(position, read, read < into.byteSize());
  }

  private Result readRecords(Splitter records, MemorySegment into) {
    long position = begin;
    int before = kept.length;
    MemorySegment.copy(kept, 0, into, ValueLayout.JAVA_BYTE, 0, before);
    long read = readFrom(position + before, into.asSlice(before));
    long limit = position + before + read;
    boolean isLast = read < into.byteSize() - before;
    if (isLast && size >= 0 && limit < size) {
      throw ended(limit);
    }
    long part = source.partEnd(position);
    long end = limit;
    if (part <= limit) {
      end = part;
    } else if (!isLast) {
      Splitter.Bytes bytes = at -> into.get(ValueLayout.JAVA_BYTE, at - position);
      end = Cutter.end(records, bytes, position, limit, into.byteSize());
    }
    kept = into.asSlice(end - position, limit - end).toArray(ValueLayout.JAVA_BYTE);
    begin = end;
    return new Result(position, end - position, isLast && kept.length == 0);
  }

  private FlowException ended(long position) {
    return new FlowException("the source ended at byte " + position + " of " + size);
  }

  private long readFrom(long position, MemorySegment into) {
    long read = into.byteSize() == 0 ? 0 : source.read(position, into);
    if (read < 0 || read > into.byteSize()) {
      throw new FlowException(
          "the source reports %d bytes read at byte %d, but %d were requested"
              .formatted(read, position, into.byteSize()));
    }
    return read;
  }
}
