package dev.stretto.kernel;

import dev.stretto.memory.GlobalArray;
import java.util.Objects;

/** Does in Java what instructions of {@link Ptx} do to bits. */
final class PtxBits {
  private PtxBits() {}

  static long join(int low, int high) {
    return ((long) high << 32) | Integer.toUnsignedLong(low);
  }

  static int permute(int a, int b, int selector) {
    long bytes = join(a, b);
    int result = 0;
    for (int i = 0; i < 4; i++) {
      int digit = selector >>> (4 * i);
      int picked = (int) (bytes >>> (8 * (digit & 7)));
      int out = (digit & 8) == 0 ? picked & 0xff : ((byte) picked >> 7) & 0xff;
      result |= out << (8 * i);
    }
    return result;
  }

  static int logic(int a, int b, int c, int table) {
    int result = 0;
    for (int row = 0; row < 8; row++) {
      if (((table >>> row) & 1) != 0) {
        result |= ((row & 4) == 0 ? ~a : a) & ((row & 2) == 0 ? ~b : b) & ((row & 1) == 0 ? ~c : c);
      }
    }
    return result;
  }

  static int extract(int value, int position, int length, boolean signed) {
    int at = position & 0xff;
    int count = length & 0xff;
    if (count == 0) {
      return 0;
    }
    int last = Math.min(at + count - 1, 31);
    int sign = signed && ((value >>> last) & 1) != 0 ? -1 : 0;
    if (at > 31) {
      return sign;
    }
    int bits = last - at + 1;
    int mask = bits == 32 ? -1 : (1 << bits) - 1;
    return ((value >>> at) & mask) | (sign & ~mask);
  }

  static int insert(int field, int value, int position, int length) {
    int at = position & 0xff;
    int count = length & 0xff;
    if (at > 31 || count == 0) {
      return value;
    }
    int mask = (count > 31 ? -1 : (1 << count) - 1) << at;
    return (value & ~mask) | ((field << at) & mask);
  }

  static int dot(int a, int b, int c, boolean signed) {
    int sum = c;
    for (int shift = 0; shift < 32; shift += 8) {
      byte x = (byte) (a >> shift);
      byte y = (byte) (b >> shift);
      sum += signed ? x * y : Byte.toUnsignedInt(x) * Byte.toUnsignedInt(y);
    }
    return sum;
  }

  /** Checks the number of threads of a barrier, which has to be a multiple of 32. */
  static int wholeWarps(int threads) {
    if (threads < 32 || threads % 32 != 0) {
      throw new IllegalArgumentException(
          "a barrier of " + threads + " threads: has to be a multiple of 32");
    }
    return threads;
  }

  /** Checks the index that a hint refers to. */
  static void touch(GlobalArray array, long index) {
    Objects.checkIndex(index, array.length());
  }
}
