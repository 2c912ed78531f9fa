package dev.stretto.compiler;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** SHA-256, with and without a key. */
final class Sha256 {
  static final int BYTES = 32;

  private static final int BLOCK_BYTES = 64;
  private static final byte INNER = 0x36;
  private static final byte OUTER = 0x5c;

  private Sha256() {}

  static byte[] of(byte[] bytes) {
    return digest().digest(bytes);
  }

  /**
   * The keyed hash (HMAC, RFC 2104) of several pieces, one after the other. Implemented here
   * because loading {@code javax.crypto} takes tens of milliseconds, which a program's first launch
   * would have to wait for.
   *
   * @param key at most 64 bytes
   */
  static byte[] keyed(byte[] key, byte[]... pieces) {
    MessageDigest inner = digest();
    inner.update(padded(key, INNER));
    for (byte[] piece : pieces) {
      inner.update(piece);
    }
    MessageDigest outer = digest();
    outer.update(padded(key, OUTER));
    return outer.digest(inner.digest());
  }

  private static byte[] padded(byte[] key, byte with) {
    byte[] block = Arrays.copyOf(key, BLOCK_BYTES);
    for (int i = 0; i < block.length; i++) {
      block[i] ^= with;
    }
    return block;
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
