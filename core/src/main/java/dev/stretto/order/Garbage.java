package dev.stretto.order;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What the destination of a copy holds from the call that enqueues the copy until the copy writes
 * it, so that a program that reads it too early computes nonsense. It is a NaN of every type of
 * floating point, and no index.
 */
final class Garbage {
  /** Of more bytes, only so many are spoiled. */
  private static final long MOST_BYTES = 16 << 20;

  private static final MemorySegment PATTERN = pattern(1 << 12);

  private final MemorySegment destination;
  private final Footprint bytes;
  private final MemorySegment before;

  private Garbage(MemorySegment destination, Footprint bytes, MemorySegment before) {
    this.destination = destination;
    this.bytes = bytes;
    this.before = before;
  }

  /**
   * Spoils bytes.
   *
   * @param destination the memory that a copy writes
   * @param bytes which bytes of it
   * @return what they held; null if nothing can be written there
   */
  static @Nullable Garbage in(MemorySegment destination, Footprint bytes) {
    try {
      Garbage garbage = spoiled(destination, bytes);
      SourceSum.throwFaultHere(destination);
      return garbage;
    } catch (IllegalStateException | InternalError _) {
      return null; // its arena is closed, or its file was truncated, which the copy will say
    }
  }

  private static MemorySegment pattern(int bytes) {
    byte[] pattern = new byte[bytes];
    for (int i = 0; i < bytes; i += 2) {
      pattern[i] = (byte) 0xF3;
      pattern[i + 1] = 0x7F;
    }
    return MemorySegment.ofArray(pattern);
  }

  private static Garbage spoiled(MemorySegment destination, Footprint bytes) {
    long all = Math.min(bytes.width() * bytes.rows() * bytes.planes(), MOST_BYTES);
    Garbage garbage =
        new Garbage(destination, bytes, MemorySegment.ofArray(new byte[Math.toIntExact(all)]));
    garbage.eachRow(
        (row, at) -> {
          MemorySegment.copy(row, 0, garbage.before, at, row.byteSize());
          for (long i = 0; i < row.byteSize(); i += PATTERN.byteSize()) {
            long more = Math.min(PATTERN.byteSize(), row.byteSize() - i);
            MemorySegment.copy(PATTERN, 0, row, i, more);
          }
        });
    return garbage;
  }

  /** Gives the bytes what they held before: the copy was not enqueued. */
  void takeBack() {
    try {
      eachRow((row, at) -> MemorySegment.copy(before, at, row, 0, row.byteSize()));
      SourceSum.throwFaultHere(destination);
    } catch (IllegalStateException | InternalError _) {
      return; // as above; the copy was refused for that
    }
  }

  private interface Row {
    void accept(MemorySegment row, long at);
  }

  private void eachRow(Row action) {
    long at = 0;
    for (long z = 0; z < bytes.planes(); z++) {
      for (long y = 0; y < bytes.rows() && at < before.byteSize(); y++) {
        long begin = bytes.address() + z * bytes.plane() + y * bytes.pitch();
        long width = Math.min(bytes.width(), before.byteSize() - at);
        action.accept(destination.asSlice(begin - destination.address(), width), at);
        at += width;
      }
    }
  }
}
