package dev.stretto.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/** The input if no file is named: the same bytes on every run. */
final class RandomBytes {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final long SEED = 20;

  private RandomBytes() {}

  static void write(Path file, long bytes) {
    SplittableRandom random = new SplittableRandom(SEED);
    byte[] buffer = new byte[BUFFER_BYTES];
    try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (long left = bytes; left > 0; left -= BUFFER_BYTES) {
        random.nextBytes(buffer);
        ByteBuffer from = ByteBuffer.wrap(buffer, 0, (int) Math.min(left, BUFFER_BYTES));
        while (from.hasRemaining()) {
          out.write(from);
        }
      }
    } catch (IOException e) {
      throw new CommandFailure(
          "%d random bytes cannot be written to %s: %s".formatted(bytes, file, Faults.reason(e)),
          e);
    }
  }
}
