package dev.stretto.flow;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that must stay as long as it was. */
final class FileSource implements Source {
  private final Path path;
  private final FileChannel channel;
  private final long size;
  private volatile boolean failed;

  FileSource(Path path) {
    this.path = path;
    try {
      channel = FileChannel.open(path, StandardOpenOption.READ);
      size = channel.size();
    } catch (NoSuchFileException e) {
      throw new FlowException(path + " does not exist", e);
    } catch (IOException e) {
      throw new FlowException(path + " cannot be read: " + e.getMessage(), e);
    }
  }

  Path path() {
    return path;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public boolean isPositional() {
    return true;
  }

  @Override
  public long read(long position, MemorySegment into) {
    ByteBuffer buffer = into.asByteBuffer();
    try {
      while (buffer.hasRemaining()) {
        int read = channel.read(buffer, position + buffer.position());
        if (read < 0) {
          failed = true;
          throw new FlowException(
              path
                  + " was truncated while it was read: it had "
                  + size
                  + " bytes and ends at "
                  + (position + buffer.position())
                  + " now");
        }
      }
    } catch (IOException e) {
      failed = true;
      throw new FlowException(
          path
              + " cannot be read at byte "
              + (position + buffer.position())
              + ": "
              + e.getMessage(),
          e);
    }
    return buffer.position();
  }

  @Override
  public void close() {
    try (channel) {
      long now = channel.size();
      if (!failed && now != size) {
        throw new FlowException(
            path
                + " changed while it was read: it had "
                + size
                + " bytes and has "
                + now
                + " now; the first "
                + Math.min(size, now)
                + " were taken");
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
