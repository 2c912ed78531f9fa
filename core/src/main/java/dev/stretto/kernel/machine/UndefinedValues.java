package dev.stretto.kernel.machine;

import dev.stretto.driver.KernelTwin;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The value that fills memory of a virtual device whose content is undefined. */
final class UndefinedValues {
  /** Eight bytes of poison, as a long in the byte order of this machine. */
  static final long LONG =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
          ? KernelTwin.FRESH_MEMORY * 0x0001_0001_0001_0001L
          : Long.reverseBytes(KernelTwin.FRESH_MEMORY * 0x0001_0001_0001_0001L);

  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);

  private UndefinedValues() {}

  /** Fills elements whose content no longer counts. */
  static void fill(MemorySegment elements) {
    long at = 0;
    for (; at <= elements.byteSize() - Long.BYTES; at += Long.BYTES) {
      elements.set(ValueLayout.JAVA_LONG_UNALIGNED, at, LONG);
    }
    for (; at <= elements.byteSize() - Short.BYTES; at += Short.BYTES) {
      elements.set(SHORT, at, KernelTwin.FRESH_MEMORY);
    }
    if (at < elements.byteSize()) {
      elements.set(ValueLayout.JAVA_BYTE, at, (byte) KernelTwin.FRESH_MEMORY);
    }
  }
}
