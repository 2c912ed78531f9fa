package dev.stretto.flow;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that is written at several places at once. */
final class FileSink implements Sink {
  private final Path path;
  private final FileChannel channel;

  FileSink(Path path) {
    this.path = path;
    try {
      channel =
          FileChannel.open(
              path,
              StandardOpenOption.WRITE,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING);
    } catch (IOException e) {
      throw new FlowException(path + " cannot be written: " + e, e);
    }
  }

  @Override
  public boolean isPositional() {
    return true;
  }

  @Override
  public void write(long position, MemorySegment from) {
    ByteBuffer buffer = from.asByteBuffer();
    try {
      while (buffer.hasRemaining()) {
        channel.write(buffer, position + buffer.position());
      }
    } catch (IOException e) {
      throw new FlowException(
          path
              + " cannot be written at byte "
              + (position + buffer.position())
              + ": "
              + e.getMessage(),
          e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new FlowException(path + " cannot be closed: " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
