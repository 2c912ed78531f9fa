package dev.stretto.flow;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/** A file that is written at several places at once. */
final class FileSink implements Sink {
  private final Path path;
  private final FileChannel channel;
  private final AtomicLong end = new AtomicLong();

  FileSink(Path path) {
    this.path = path;
    try {
      // Not truncated: what lies there is written over, which is faster, and cut off at the end.
      // Besides, ext4 flushes a file
      // that was truncated when it is closed, a quarter of a second for each gibibyte.
      channel = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
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
      end.accumulateAndGet(position + buffer.position(), Math::max);
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
    try (channel) {
      if (channel.size() > end.get()) {
        channel.truncate(end.get());
      }
    } catch (IOException e) {
      throw new FlowException(path + " cannot be closed: " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
