package dev.stretto.route;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** Pages of host memory: memory is always pinned in whole pages. */
final class HostPages {
  /** How many bytes a page has. */
  static final long BYTES = size();

  private static final long USUAL = 4096;

  /** The key of the page size in the process's auxiliary vector, {@code getauxval(3)}. */
  private static final long SIZE_OF_PAGE = 6;

  private HostPages() {}

  /** {@return a number of bytes rounded up to whole pages} */
  static long whole(long bytes) {
    return bytes > Long.MAX_VALUE - BYTES ? Long.MAX_VALUE : (bytes + BYTES - 1) & -BYTES;
  }

  /** {@return the address of the first byte of the page that contains an address} */
  static long begin(long address) {
    return address & -BYTES;
  }

  /** {@return how many bytes the pages around a range have} */
  static long around(long address, long bytes) {
    return whole(address - begin(address) + bytes);
  }

  private static long size() {
    try {
      ByteBuffer vector =
          ByteBuffer.wrap(Files.readAllBytes(Path.of("/proc/self/auxv")))
              .order(ByteOrder.nativeOrder());
      while (vector.remaining() >= 2 * Long.BYTES) {
        long kind = vector.getLong();
        long value = vector.getLong();
        if (kind == SIZE_OF_PAGE && Long.bitCount(value) == 1) {
          return value;
        }
      }
    } catch (IOException | SecurityException e) {
      return USUAL;
    }
    return USUAL;
  }
}
