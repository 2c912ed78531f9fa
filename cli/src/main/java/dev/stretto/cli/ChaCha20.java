package dev.stretto.cli;

import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;

/**
 * ChaCha20 (RFC 8439) as a kernel: the Java twin of {@code chacha20.ptx}, which does the same on a
 * GPU. Thread {@code i} encrypts block {@code i}, 64 bytes.
 */
public final class ChaCha20 {
  /** The bytes that a thread encrypts. */
  static final int BLOCK_BYTES = 64;

  /** The threads of a block of the grid, which the PTX demands. */
  static final int THREADS = 256;

  private ChaCha20() {}

  /**
   * Encrypts.
   *
   * @param block the thread's position
   * @param src what to encrypt
   * @param dst where to; may be {@code src}
   * @param bytes how many
   * @param k0 the key's eight little-endian words
   * @param k1 the key's second word
   * @param k2 the key's third word
   * @param k3 the key's fourth word
   * @param k4 the key's fifth word
   * @param k5 the key's sixth word
   * @param k6 the key's seventh word
   * @param k7 the key's eighth word
   * @param counter block counter of the first 64 bytes
   * @param n0 the nonce's three little-endian words
   * @param n1 the nonce's second word
   * @param n2 the nonce's third word
   */
  // Sixteen locals rather than an array: the JIT keeps them in registers.
  public static void chacha20(
      ThreadBlock block,
      GlobalBytes src,
      GlobalBytes dst,
      long bytes,
      int k0,
      int k1,
      int k2,
      int k3,
      int k4,
      int k5,
      int k6,
      int k7,
      int counter,
      int n0,
      int n1,
      int n2) {
    long number = block.globalIndexX();
    long at = number * BLOCK_BYTES;
    if (at >= bytes) {
      return;
    }
    int count = counter + (int) number;
    int x0 = 0x61707865;
    int x1 = 0x3320646e;
    int x2 = 0x79622d32;
    int x3 = 0x6b206574;
    int x4 = k0;
    int x5 = k1;
    int x6 = k2;
    int x7 = k3;
    int x8 = k4;
    int x9 = k5;
    int x10 = k6;
    int x11 = k7;
    int x12 = count;
    int x13 = n0;
    int x14 = n1;
    int x15 = n2;
    for (int twoRounds = 0; twoRounds < 10; twoRounds++) {
      x0 += x4;
      x12 = Integer.rotateLeft(x12 ^ x0, 16);
      x8 += x12;
      x4 = Integer.rotateLeft(x4 ^ x8, 12);
      x0 += x4;
      x12 = Integer.rotateLeft(x12 ^ x0, 8);
      x8 += x12;
      x4 = Integer.rotateLeft(x4 ^ x8, 7);
      x1 += x5;
      x13 = Integer.rotateLeft(x13 ^ x1, 16);
      x9 += x13;
      x5 = Integer.rotateLeft(x5 ^ x9, 12);
      x1 += x5;
      x13 = Integer.rotateLeft(x13 ^ x1, 8);
      x9 += x13;
      x5 = Integer.rotateLeft(x5 ^ x9, 7);
      x2 += x6;
      x14 = Integer.rotateLeft(x14 ^ x2, 16);
      x10 += x14;
      x6 = Integer.rotateLeft(x6 ^ x10, 12);
      x2 += x6;
      x14 = Integer.rotateLeft(x14 ^ x2, 8);
      x10 += x14;
      x6 = Integer.rotateLeft(x6 ^ x10, 7);
      x3 += x7;
      x15 = Integer.rotateLeft(x15 ^ x3, 16);
      x11 += x15;
      x7 = Integer.rotateLeft(x7 ^ x11, 12);
      x3 += x7;
      x15 = Integer.rotateLeft(x15 ^ x3, 8);
      x11 += x15;
      x7 = Integer.rotateLeft(x7 ^ x11, 7);
      x0 += x5;
      x15 = Integer.rotateLeft(x15 ^ x0, 16);
      x10 += x15;
      x5 = Integer.rotateLeft(x5 ^ x10, 12);
      x0 += x5;
      x15 = Integer.rotateLeft(x15 ^ x0, 8);
      x10 += x15;
      x5 = Integer.rotateLeft(x5 ^ x10, 7);
      x1 += x6;
      x12 = Integer.rotateLeft(x12 ^ x1, 16);
      x11 += x12;
      x6 = Integer.rotateLeft(x6 ^ x11, 12);
      x1 += x6;
      x12 = Integer.rotateLeft(x12 ^ x1, 8);
      x11 += x12;
      x6 = Integer.rotateLeft(x6 ^ x11, 7);
      x2 += x7;
      x13 = Integer.rotateLeft(x13 ^ x2, 16);
      x8 += x13;
      x7 = Integer.rotateLeft(x7 ^ x8, 12);
      x2 += x7;
      x13 = Integer.rotateLeft(x13 ^ x2, 8);
      x8 += x13;
      x7 = Integer.rotateLeft(x7 ^ x8, 7);
      x3 += x4;
      x14 = Integer.rotateLeft(x14 ^ x3, 16);
      x9 += x14;
      x4 = Integer.rotateLeft(x4 ^ x9, 12);
      x3 += x4;
      x14 = Integer.rotateLeft(x14 ^ x3, 8);
      x9 += x14;
      x4 = Integer.rotateLeft(x4 ^ x9, 7);
    }
    x0 += 0x61707865;
    x1 += 0x3320646e;
    x2 += 0x79622d32;
    x3 += 0x6b206574;
    x4 += k0;
    x5 += k1;
    x6 += k2;
    x7 += k3;
    x8 += k4;
    x9 += k5;
    x10 += k6;
    x11 += k7;
    x12 += count;
    x13 += n0;
    x14 += n1;
    x15 += n2;
    if (bytes - at >= BLOCK_BYTES) {
      dst.setInt(at, src.getInt(at) ^ x0);
      dst.setInt(at + 4, src.getInt(at + 4) ^ x1);
      dst.setInt(at + 8, src.getInt(at + 8) ^ x2);
      dst.setInt(at + 12, src.getInt(at + 12) ^ x3);
      dst.setInt(at + 16, src.getInt(at + 16) ^ x4);
      dst.setInt(at + 20, src.getInt(at + 20) ^ x5);
      dst.setInt(at + 24, src.getInt(at + 24) ^ x6);
      dst.setInt(at + 28, src.getInt(at + 28) ^ x7);
      dst.setInt(at + 32, src.getInt(at + 32) ^ x8);
      dst.setInt(at + 36, src.getInt(at + 36) ^ x9);
      dst.setInt(at + 40, src.getInt(at + 40) ^ x10);
      dst.setInt(at + 44, src.getInt(at + 44) ^ x11);
      dst.setInt(at + 48, src.getInt(at + 48) ^ x12);
      dst.setInt(at + 52, src.getInt(at + 52) ^ x13);
      dst.setInt(at + 56, src.getInt(at + 56) ^ x14);
      dst.setInt(at + 60, src.getInt(at + 60) ^ x15);
    } else {
      int[] stream = {x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15};
      for (int i = 0; i < bytes - at; i++) {
        int keyByte = stream[i / 4] >> (8 * (i % 4));
        dst.set(at + i, (byte) (src.get(at + i) ^ keyByte));
      }
    }
  }
}
