package dev.stretto.bench.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/** A file of random numbers to measure with. */
final class TestFile {
  private TestFile() {}

  /** Makes the file, unless there is one of that many bytes. */
  static void make(Path file, long bytes) throws IOException {
    if (Files.exists(file) && Files.size(file) == bytes) {
      return;
    }
    ByteBuffer part = ByteBuffer.allocateDirect(64 << 20);
    SplittableRandom random = new SplittableRandom(1);
    while (part.hasRemaining()) {
      part.putLong(random.nextLong());
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      for (long at = 0; at < bytes; at += part.capacity()) {
        part.clear().limit((int) Math.min(part.capacity(), bytes - at));
        while (part.hasRemaining()) {
          channel.write(part, at + part.position());
        }
      }
      channel.force(false); // so that nothing is written while others read
    }
  }

  /** Drops a file from the page cache. */
  static void drop(Path file) throws IOException {
    command(
        "dd", "of=" + file, "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none");
  }

  /** Runs a command of the system. */
  static void command(String... words) throws IOException {
    Process process = new ProcessBuilder(words).inheritIO().start();
    try {
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException(String.join(" ", words) + " failed with exit code " + status);
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
