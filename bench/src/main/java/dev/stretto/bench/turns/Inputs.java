package dev.stretto.bench.turns;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** Numbers for the other process. */
final class Inputs {
  private Inputs() {}

  /** Writes 16-bit numbers as they lie in memory. */
  static void write(Path file, short[] numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(Short.BYTES, numbers.length));
    bytes.order(ByteOrder.nativeOrder()).asShortBuffer().put(numbers);
    try {
      Files.write(file, bytes.array());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
