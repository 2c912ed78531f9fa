package dev.stretto.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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

  /** Bytes that can be read anywhere. */
  interface Bytes {
    long size() throws IOException;

    /** Reads as many bytes as there are, up to {@code bytes}, and returns how many. */
    int read(long position, byte[] into, int bytes) throws IOException;

    /** The bytes of a file. */
    static Bytes of(FileChannel channel) {
      return new Bytes() {
        @Override
        public long size() throws IOException {
          return channel.size();
        }

        @Override
        public int read(long position, byte[] into, int bytes) throws IOException {
          ByteBuffer buffer = ByteBuffer.wrap(into, 0, bytes);
          while (buffer.hasRemaining()) {
            if (channel.read(buffer, position + buffer.position()) < 0) {
              break;
            }
          }
          return buffer.position();
        }
      };
    }

    /** The bytes of memory. */
    static Bytes of(MemorySegment memory) {
      return new Bytes() {
        @Override
        public long size() {
          return memory.byteSize();
        }

        @Override
        public int read(long position, byte[] into, int bytes) {
          MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, position, into, 0, bytes);
          return bytes;
        }
      };
    }
  }

  private final Bytes plain;
  private final Bytes made;
  private final Secret secret;
  private final AtomicLong firstDifference = new AtomicLong(NONE);

  private Verification(Bytes plain, Bytes made, Secret secret) {
    this.plain = plain;
    this.made = made;
    this.secret = secret;
  }

  /** The first position where a file differs from what it should be, or empty if there is none. */
  static OptionalLong firstDifference(InputFile input, Path output, Secret secret) {
    try (FileChannel plain = input.open();
        FileChannel made = FileChannel.open(output, StandardOpenOption.READ)) {
      return firstDifference(Bytes.of(plain), Bytes.of(made), secret);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first position where bytes differ from what they should be, or empty if there is none. */
  static OptionalLong firstDifference(Bytes plain, Bytes made, Secret secret) {
    try {
      return new Verification(plain, made, secret).run(plain.size(), made.size());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private OptionalLong run(long size, long madeSize) {
    long pieces = Math.ceilDiv(size, PIECE_BYTES);
    LongStream.range(0, pieces).parallel().forEach(piece -> check(piece, size));
    long difference = firstDifference.get();
    if (difference == NONE && madeSize != size) {
      difference = Math.min(madeSize, size);
    }
    return difference == NONE ? OptionalLong.empty() : OptionalLong.of(difference);
  }

  private void check(long piece, long size) {
    long from = piece * PIECE_BYTES;
    long to = Math.min(from + PIECE_BYTES, size);
    Cipher cipher = secret.jdkCipher(from);
    byte[] expected = new byte[BUFFER_BYTES];
    byte[] actual = new byte[BUFFER_BYTES];
    byte[] clear = new byte[BUFFER_BYTES];
    try {
      for (long at = from; at < to && at < firstDifference.get(); at += BUFFER_BYTES) {
        int bytes = (int) Math.min(BUFFER_BYTES, to - at);
        int _ = plain.read(at, clear, bytes);
        int there = made.read(at, actual, bytes);
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
}
