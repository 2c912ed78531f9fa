package dev.stretto.flow;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** The bytes of a source as a stream, read in blocks. */
final class SourceStream extends InputStream {
  private static final int BLOCK = 256 << 10;

  private final Source source;
  private final byte[] block = new byte[BLOCK];
  private long position;
  private int next;
  private int end;

  SourceStream(Source source) {
    this.source = source;
  }

  @Override
  public int read() {
    return hasMore() ? block[next++] & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, into.length);
    if (length == 0) {
      return 0;
    }
    if (!hasMore()) {
      return -1;
    }
    int some = Math.min(length, end - next);
    System.arraycopy(block, next, into, offset, some);
    next += some;
    return some;
  }

  /** Decoders take 0 for the end: so this waits for a byte if there is none. */
  @Override
  public int available() {
    return hasMore() ? end - next : 0;
  }

  private boolean hasMore() {
    if (next == end) {
      long bytes = source.size() < 0 ? BLOCK : Math.min(BLOCK, source.size() - position);
      next = 0;
      end =
          bytes == 0
              ? 0
              : (int) source.read(position, MemorySegment.ofArray(block).asSlice(0, bytes));
      position += end;
    }
    return next < end;
  }

  @Override
  public String toString() {
    return "byte " + position + " of " + source;
  }
}
