package dev.stretto.flow;

import java.lang.foreign.MemorySegment;

/** The first bytes of a source, which no device gets. */
final class Header {
  private Header() {}

  /**
   * Reads a header.
   *
   * @param isWritten whether it goes to the sink as it is
   */
  static void copy(Source source, Sink sink, long bytes, boolean isWritten) {
    long size = source.size();
    if (size >= 0 && size < bytes) {
      throw tooShort(size, bytes);
    }
    MemorySegment header = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    long read = source.read(0, header);
    if (read != bytes) {
      throw tooShort(read, bytes);
    }
    if (isWritten) {
      sink.write(0, header);
    }
  }

  private static FlowException tooShort(long size, long header) {
    return new FlowException(
        "the source has %d bytes, but its header has %d".formatted(size, header));
  }
}
