package dev.stretto.bindings;

import dev.stretto.cli.ChaCha20;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The kernels that every library launches, as PTX, with their grids and constants. */
final class Kernels {
  static final int THREADS = 256;

  /** Key of RFC 8439, section 2.4.2. */
  static final List<Integer> KEY =
      List.of(
          0x03020100,
          0x07060504,
          0x0b0a0908,
          0x0f0e0d0c,
          0x13121110,
          0x17161514,
          0x1b1a1918,
          0x1f1e1d1c);

  /** Nonce of RFC 8439, section 2.4.2. */
  static final List<Integer> NONCE = List.of(0, 0x4a000000, 0);

  private static final int CIPHER_BLOCK = 64;
  private static final int MOST_SUM_BLOCKS = 1024;

  private Kernels() {}

  /** {@return the PTX of the entry {@code chacha20}} */
  static String cipher() {
    return resource(ChaCha20.class, "chacha20.ptx");
  }

  /** {@return the PTX of the entries {@code sum} and {@code empty}} */
  static String others() {
    return resource(Kernels.class, "kernels.ptx");
  }

  static int cipherBlocks(long bytes) {
    return Math.toIntExact(Math.ceilDiv(bytes, CIPHER_BLOCK * THREADS));
  }

  /** {@return the cipher's counter for the bytes at a position} */
  static int counter(long position) {
    return Math.toIntExact(1 + position / CIPHER_BLOCK);
  }

  static int sumBlocks(long words) {
    return Math.clamp(Math.ceilDiv(words, THREADS), 1, MOST_SUM_BLOCKS);
  }

  private static String resource(Class<?> owner, String name) {
    try (InputStream in = owner.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing beside " + owner.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
