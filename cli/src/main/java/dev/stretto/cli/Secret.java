package dev.stretto.cli;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A ChaCha20 key with its nonce. The first block of the message has the counter 1, as in RFC 8439.
 */
final class Secret {
  /** The key of the RFC's example: for measuring, not for secrets. */
  static final String EXAMPLE_KEY =
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

  /** The nonce of the RFC's example. */
  static final String EXAMPLE_NONCE = "000000000000004a00000000";

  /** The counter has 32 bits, and one key stream must not be used twice. */
  static final long MOST_BYTES = 0xffff_ffffL * ChaCha20Kernel.BLOCK_BYTES;

  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int FIRST_COUNTER = 1;

  private final byte[] key;
  private final byte[] nonce;

  private Secret(byte[] key, byte[] nonce) {
    this.key = key;
    this.nonce = nonce;
  }

  /**
   * @throws CommandFailure if one of them is not a hexadecimal number of the right length
   */
  static Secret ofHex(String key, String nonce) {
    return new Secret(parse("--key", key, KEY_BYTES), parse("--nonce", nonce, NONCE_BYTES));
  }

  private static byte[] parse(String what, String hex, int bytes) {
    if (hex.length() != 2 * bytes) {
      throw CommandFailure.wrongCommandLine(
          "%s has %d hexadecimal digits; ChaCha20 takes %d (%d bytes)"
              .formatted(what, hex.length(), 2 * bytes, bytes));
    }
    try {
      return HexFormat.of().parseHex(hex);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.wrongCommandLine(what + " is not hexadecimal: " + e.getMessage());
    }
  }

  /** The key's eight words. */
  int[] keyWords() {
    return words(key);
  }

  /** The nonce's three words. */
  int[] nonceWords() {
    return words(nonce);
  }

  private static int[] words(byte[] bytes) {
    int[] words = new int[bytes.length / Integer.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(words);
    return words;
  }

  /**
   * The counter of a block.
   *
   * @param position of its first byte, a multiple of 64
   */
  static int counterAt(long position) {
    return (int) (FIRST_COUNTER + position / ChaCha20Kernel.BLOCK_BYTES);
  }

  /**
   * The JDK's own cipher, starting at a position.
   *
   * @param position a multiple of 64
   */
  Cipher jdkCipher(long position) {
    try {
      Cipher cipher = Cipher.getInstance("ChaCha20");
      cipher.init(
          Cipher.ENCRYPT_MODE,
          new SecretKeySpec(key, "ChaCha20"),
          new ChaCha20ParameterSpec(nonce, counterAt(position)));
      return cipher;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no ChaCha20: " + e.getMessage(), e);
    }
  }
}
