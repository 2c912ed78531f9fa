package dev.stretto.bindings;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import javax.crypto.Cipher;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Arrays of words: a pattern, what the cipher makes of it according to the JDK, comparisons. */
final class Words {
  private static final int SLICE = (1 << 20) / Long.BYTES;

  private Words() {}

  static long[] pattern(int count, long seed) {
    long[] words = new long[count];
    Arrays.parallelSetAll(words, i -> (i + seed) * 0x9e3779b97f4a7c15L);
    return words;
  }

  static void wipe(long[] words) {
    slices(words, at -> Arrays.fill(words, at, end(words, at), -1));
  }

  /** {@return the words as the JDK's cipher enciphers them} */
  static long[] enciphered(long[] words) {
    long[] result = new long[words.length];
    slices(words, at -> encipher(words, result, at, end(words, at) - at));
    return result;
  }

  private static void encipher(long[] words, long[] result, int at, int count) {
    ByteBuffer text = littleEndian(count * Long.BYTES);
    text.asLongBuffer().put(words, at, count);
    ByteBuffer enciphered = littleEndian(count * Long.BYTES);
    try {
      Cipher cipher = Cipher.getInstance("ChaCha20");
      int counter = Kernels.counter((long) at * Long.BYTES);
      cipher.init(
          Cipher.ENCRYPT_MODE,
          new SecretKeySpec(bytes(Kernels.KEY), "ChaCha20"),
          new ChaCha20ParameterSpec(bytes(Kernels.NONCE), counter));
      cipher.doFinal(text, enciphered);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    enciphered.flip().asLongBuffer().get(result, at, count);
  }

  private static ByteBuffer littleEndian(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] bytes(List<Integer> words) {
    byte[] bytes = new byte[words.size() * Integer.BYTES];
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    words.forEach(buffer::putInt);
    return bytes;
  }

  static void requireSame(long[] expected, long[] actual) {
    slices(
        expected,
        at -> {
          int end = end(expected, at);
          int wrong = Arrays.mismatch(expected, at, end, actual, at, end);
          if (wrong >= 0) {
            throw new IllegalStateException(
                "word %d is %016x, not %016x"
                    .formatted(at + wrong, actual[at + wrong], expected[at + wrong]));
          }
        });
  }

  private interface Slice {
    void at(int word);
  }

  private static void slices(long[] words, Slice work) {
    IntStream.range(0, Math.ceilDiv(words.length, SLICE))
        .parallel()
        .forEach(slice -> work.at(slice * SLICE));
  }

  private static int end(long[] words, int at) {
    return Math.min(words.length, at + SLICE);
  }
}
