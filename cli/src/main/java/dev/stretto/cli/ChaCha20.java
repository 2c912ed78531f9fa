package dev.stretto.cli;

import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;

/**
 * The Java version of {@code chacha20.ptx}, which {@code nvcc} made from {@code chacha20.cu}: it
 * runs the Java kernel, which takes the key's words in pairs.
 */
public final class ChaCha20 {
  private ChaCha20() {}

  /**
   * Encrypts.
   *
   * @param block the thread's position
   * @param src the plain text; begins at a multiple of 16 bytes, although the PTX needs only 4
   * @param dst the cipher text; may be {@code src}
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
    ChaCha20Kernel.chacha20(
        block,
        src.slice(0, bytes),
        dst.slice(0, bytes),
        pair(k0, k1),
        pair(k2, k3),
        pair(k4, k5),
        pair(k6, k7),
        counter,
        n0,
        n1,
        n2);
  }

  /** Two words as a kernel takes them. */
  static long pair(int first, int second) {
    return Integer.toUnsignedLong(first) | (long) second << 32;
  }
}
