package dev.stretto.driver.virtual;

import dev.stretto.driver.HostBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Copies and fills memory in short steps, so that the JVM can reach a safepoint between them. */
final class Bytes {
  /** The most bytes of a bulk copy, because it delays every safepoint until it is done. */
  private static final long STEP = 4 << 20;

  private Bytes() {}

  /** Copies {@code bytes} bytes. If the ranges overlap, the result is undefined, as in CUDA. */
  static void copy(
      MemorySegment src, long srcOffset, MemorySegment dst, long dstOffset, long bytes) {
    for (long at = 0; at < bytes; at += STEP) {
      HostBytes.copy(src, srcOffset + at, dst, dstOffset + at, Math.min(STEP, bytes - at));
    }
  }

  /** Repeats the low {@code 8 * elementBytes} bits of {@code value} over the whole segment. */
  static void fill(MemorySegment dst, long value, int elementBytes) {
    long total = dst.byteSize();
    long seed = Math.min(total, 4096);
    for (long at = 0; at < seed; at += elementBytes) {
      switch (elementBytes) {
        case 1 -> dst.set(ValueLayout.JAVA_BYTE, at, (byte) value);
        case 2 -> dst.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) value);
        case 4 -> dst.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) value);
        default -> dst.set(ValueLayout.JAVA_LONG_UNALIGNED, at, value);
      }
    }
    for (long at = seed; at < total; ) {
      long step = Math.min(Math.min(at, total - at), STEP);
      MemorySegment.copy(dst, 0, dst, at, step);
      at += step;
    }
  }
}
