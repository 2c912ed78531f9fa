package dev.stretto.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import javax.crypto.Cipher;
import javax.crypto.ShortBufferException;

/** Compares a whole output with that of the JDK's own cipher. */
final class Verification {
  private static final long PIECE_BYTES = 8L << 20;
  private static final int BUFFER_BYTES = 64 << 10;
  private static final long NONE = Long.MAX_VALUE;

  private final InputFile input;
  private final Path output;
  private final Secret secret;
  private final AtomicLong firstDifference = new AtomicLong(NONE);

  private Verification(InputFile input, Path output, Secret secret) {
    this.input = input;
    this.output = output;
    this.secret = secret;
  }

  /** The first position where the output differs, or empty if every byte is right. */
  static OptionalLong firstDifference(InputFile input, Path output, Secret secret) {
    return new Verification(input, output, secret).run();
  }

  private OptionalLong run() {
    try (FileChannel plain = input.open();
        FileChannel made = FileChannel.open(output, StandardOpenOption.READ)) {
      long pieces = Math.ceilDiv(input.size(), PIECE_BYTES);
      LongStream.range(0, pieces).parallel().forEach(piece -> check(piece, plain, made));
      long difference = firstDifference.get();
      if (difference == NONE && made.size() != input.size()) {
        difference = Math.min(made.size(), input.size());
      }
      return difference == NONE ? OptionalLong.empty() : OptionalLong.of(difference);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void check(long piece, FileChannel plain, FileChannel made) {
    long from = piece * PIECE_BYTES;
    long to = Math.min(from + PIECE_BYTES, input.size());
    Cipher cipher = secret.jdkCipher(from);
    byte[] expected = new byte[BUFFER_BYTES];
    byte[] actual = new byte[BUFFER_BYTES];
    byte[] clear = new byte[BUFFER_BYTES];
    try {
      for (long at = from; at < to && at < firstDifference.get(); at += BUFFER_BYTES) {
        int bytes = (int) Math.min(BUFFER_BYTES, to - at);
        read(plain, at, clear, bytes);
        int there = read(made, at, actual, bytes);
        cipher.update(clear, 0, bytes, expected, 0);
        int difference = Arrays.mismatch(expected, 0, bytes, actual, 0, there);
        if (difference >= 0) {
          firstDifference.accumulateAndGet(at + difference, Math::min);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ShortBufferException e) {
      throw new IllegalStateException("the JDK's ChaCha20 does not encrypt byte by byte", e);
    }
  }

  /** Reads as many bytes as there are, up to {@code bytes}. */
  private static int read(FileChannel channel, long position, byte[] into, int bytes)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(into, 0, bytes);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, position + buffer.position()) < 0) {
        break;
      }
    }
    return buffer.position();
  }
}
