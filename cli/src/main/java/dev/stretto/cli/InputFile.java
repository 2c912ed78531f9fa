package dev.stretto.cli;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.function.LongConsumer;

/**
 * The file to encrypt, which must not change.
 *
 * @param path its path
 * @param size how many bytes it has
 * @param modified when it was last written
 */
record InputFile(Path path, long size, FileTime modified) {
  private static final long MOST_READ_AHEAD = 32L << 30;
  private static final long READ_AHEAD_BYTES = 4L << 20;

  /**
   * @throws CommandFailure if it is not a file that can be encrypted
   */
  static InputFile of(Path path) {
    try {
      if (!Files.exists(path)) {
        throw new CommandFailure(path + " does not exist");
      }
      if (!Files.isRegularFile(path)) {
        throw new CommandFailure(path + " is not a regular file");
      }
      InputFile file = new InputFile(path, Files.size(path), Files.getLastModifiedTime(path));
      try (FileChannel readable = file.open()) {
        file.checkSize(readable.size());
      }
      return file;
    } catch (IOException e) {
      throw new CommandFailure(path + " cannot be read: " + Faults.reason(e), e);
    }
  }

  private void checkSize(long bytes) {
    if (bytes == 0) {
      throw new CommandFailure(path + " is empty: there is nothing to encrypt");
    }
    if (bytes > Secret.MOST_BYTES) {
      throw new CommandFailure(
          ("%s has %d bytes; ChaCha20 takes at most %d with one key and nonce, since "
                  + "its counter has 32 bits")
              .formatted(path, bytes, Secret.MOST_BYTES));
    }
  }

  FileChannel open() throws IOException {
    return FileChannel.open(path, StandardOpenOption.READ);
  }

  /**
   * Fills a segment with bytes of the file.
   *
   * @param position in the file
   */
  void read(FileChannel channel, long position, MemorySegment into) throws IOException {
    ByteBuffer buffer = into.asByteBuffer();
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, position + buffer.position()) < 0) {
        throw new CommandFailure(
            "%s was truncated while it was read: it had %d bytes and now ends at %d"
                .formatted(path, size, position + buffer.position()));
      }
    }
  }

  /**
   * Reads the whole file, so that it is in the system's cache, unless it is too large for that.
   *
   * @param progress receives the number of bytes read
   */
  void readAhead(LongConsumer progress) throws IOException {
    if (size > MOST_READ_AHEAD) {
      return;
    }
    try (FileChannel channel = open();
        Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(READ_AHEAD_BYTES);
      for (long position = 0; position < size; position += READ_AHEAD_BYTES) {
        long bytes = Math.min(READ_AHEAD_BYTES, size - position);
        read(channel, position, buffer.asSlice(0, bytes));
        progress.accept(position + bytes);
      }
    }
  }

  /**
   * @throws CommandFailure if the file has changed since the beginning
   */
  void requireUnchanged() {
    try {
      long now = Files.size(path);
      if (now != size) {
        throw new CommandFailure(
            "%s changed while it was read: it had %d bytes and now has %d"
                .formatted(path, size, now));
      }
      if (!Files.getLastModifiedTime(path).equals(modified)) {
        throw new CommandFailure(path + " was written to while it was read");
      }
    } catch (IOException e) {
      throw new CommandFailure(path + " can no longer be read: " + Faults.reason(e), e);
    }
  }
}
