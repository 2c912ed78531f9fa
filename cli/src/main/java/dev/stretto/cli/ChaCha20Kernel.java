package dev.stretto.cli;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.Int4;

/**
 * ChaCha20 (RFC 8439) as a kernel. Thread {@code i} encrypts block {@code i}, 64 bytes, which it
 * reads and writes 16 bytes at a time.
 *
 * <p>The state of a block, 16 words, is a local array. Once the calls are inlined, every index is a
 * constant, so the array lies in registers on a GPU and, if the JIT does the same, on a virtual
 * device.
 */
final class ChaCha20Kernel {
  /** The bytes that a thread encrypts; chunks other than the first begin at a multiple of it. */
  static final int BLOCK_BYTES = 64;

  /** The most threads in a block of the grid. */
  static final int THREADS = 256;

  // "expand 32-byte k"
  private static final int C0 = 0x61707865;
  private static final int C1 = 0x3320646e;
  private static final int C2 = 0x79622d32;
  private static final int C3 = 0x6b206574;

  private ChaCha20Kernel() {}

  /**
   * Encrypts.
   *
   * @param block the thread's position
   * @param src the plain text; begins at a multiple of 16 bytes
   * @param dst the cipher text, of the same size; may be {@code src}
   * @param key01 the key's first two little-endian words, the first in the lower half
   * @param key23 the third and the fourth word
   * @param key45 the fifth and the sixth word
   * @param key67 the seventh and the eighth word
   * @param counter block counter of the first 64 bytes; it wraps at 2^32, as in the RFC
   * @param nonce0 the nonce's first little-endian word
   * @param nonce1 the second word
   * @param nonce2 the third word
   */
  @Kernel(maxThreads = THREADS)
  static void chacha20(
      ThreadBlock block,
      GlobalBytes src,
      GlobalBytes dst,
      long key01,
      long key23,
      long key45,
      long key67,
      int counter,
      int nonce0,
      int nonce1,
      int nonce2) {
    long number = block.globalIndexX();
    long at = number * BLOCK_BYTES;
    long left = src.length() - at;
    if (left <= 0) {
      return;
    }
    int count = counter + (int) number;
    int[] x = {
      C0,
      C1,
      C2,
      C3,
      low(key01),
      high(key01),
      low(key23),
      high(key23),
      low(key45),
      high(key45),
      low(key67),
      high(key67),
      count,
      nonce0,
      nonce1,
      nonce2
    };
    for (int twoRounds = 0; twoRounds < 10; twoRounds++) {
      quarterRound(x, 0, 4, 8, 12);
      quarterRound(x, 1, 5, 9, 13);
      quarterRound(x, 2, 6, 10, 14);
      quarterRound(x, 3, 7, 11, 15);
      quarterRound(x, 0, 5, 10, 15);
      quarterRound(x, 1, 6, 11, 12);
      quarterRound(x, 2, 7, 8, 13);
      quarterRound(x, 3, 4, 9, 14);
    }
    Int4 a = new Int4(x[0] + C0, x[1] + C1, x[2] + C2, x[3] + C3);
    Int4 b = new Int4(x[4] + low(key01), x[5] + high(key01), x[6] + low(key23), x[7] + high(key23));
    Int4 c =
        new Int4(x[8] + low(key45), x[9] + high(key45), x[10] + low(key67), x[11] + high(key67));
    Int4 d = new Int4(x[12] + count, x[13] + nonce0, x[14] + nonce1, x[15] + nonce2);
    if (left >= BLOCK_BYTES) {
      GlobalInts from = src.slice(at, BLOCK_BYTES).asInts();
      // All loads come before the first store: the compiler cannot know whether src is dst.
      Int4 text0 = from.get4(0);
      Int4 text1 = from.get4(4);
      Int4 text2 = from.get4(8);
      Int4 text3 = from.get4(12);
      GlobalInts to = dst.slice(at, BLOCK_BYTES).asInts();
      to.set4(0, xor(text0, a));
      to.set4(4, xor(text1, b));
      to.set4(8, xor(text2, c));
      to.set4(12, xor(text3, d));
    } else {
      for (int i = 0; i < left; i++) {
        int word = word(i < 32 ? (i < 16 ? a : b) : (i < 48 ? c : d), i / 4 % 4);
        dst.set(at + i, (byte) (src.get(at + i) ^ (word >>> (8 * (i % 4)))));
      }
    }
  }

  private static void quarterRound(int[] x, int a, int b, int c, int d) {
    x[a] += x[b];
    x[d] = Integer.rotateLeft(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = Integer.rotateLeft(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = Integer.rotateLeft(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = Integer.rotateLeft(x[b] ^ x[c], 7);
  }

  private static int low(long words) {
    return (int) words;
  }

  private static int high(long words) {
    return (int) (words >>> 32);
  }

  private static Int4 xor(Int4 a, Int4 b) {
    return new Int4(a.x() ^ b.x(), a.y() ^ b.y(), a.z() ^ b.z(), a.w() ^ b.w());
  }

  private static int word(Int4 words, int index) {
    return switch (index) {
      case 0 -> words.x();
      case 1 -> words.y();
      case 2 -> words.z();
      default -> words.w();
    };
  }
}
