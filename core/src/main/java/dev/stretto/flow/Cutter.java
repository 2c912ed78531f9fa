package dev.stretto.flow;

import org.jspecify.annotations.Nullable;

/** Says where the chunks of a source end. */
final class Cutter {
  private final Source source;
  private final long size;
  private final long chunkBytes;
  private final @Nullable Splitter splitter;

  /**
   * @param size of the source, or -1
   */
  Cutter(Source source, long size, long chunkBytes, @Nullable Splitter splitter) {
    this.source = source;
    this.size = size;
    this.chunkBytes = chunkBytes;
    this.splitter = splitter;
  }

  /** {@return whether it is known where a chunk ends before it is read} */
  boolean knowsEnds() {
    return size >= 0 && (splitter == null || source.isPositional());
  }

  /**
   * {@return where a chunk ends, if that is known before it is read} May read a part of it.
   *
   * @param begin of the chunk
   */
  long end(long begin) {
    long last = splitter == null ? size : Math.min(size, source.partEnd(begin));
    long limit = last - begin > chunkBytes ? begin + chunkBytes : last;
    return splitter == null || limit == last
        ? limit
        : end(splitter, new ByteWindow(source, begin, limit), begin, limit, chunkBytes);
  }

  /** {@return the most chunks that may come from a position on} */
  long atMost(long begin) {
    return size < 0 ? Long.MAX_VALUE : Math.ceilDiv(size - begin, chunkBytes);
  }

  /** {@return where the last whole record ends} */
  static long end(
      Splitter splitter, Splitter.Bytes bytes, long begin, long limit, long chunkBytes) {
    long end = splitter.end(bytes, begin, limit);
    if (end < begin || end > limit) {
      throw new FlowException(
          "the splitter says that a record ends at byte %d, but the chunk has bytes %d to %d"
              .formatted(end, begin, limit));
    }
    if (end == begin) {
      throw new FlowException(
          "the record at byte %d does not end within a chunk of %d bytes: set chunkBytes(...)"
                  .formatted(begin, chunkBytes)
              + " to more than the longest record has");
    }
    return end;
  }
}
