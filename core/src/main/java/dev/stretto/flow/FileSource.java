package dev.stretto.flow;

import dev.stretto.Copy;
import dev.stretto.Stream;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.file.HostFiles;
import dev.stretto.file.WriteException;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A file whose length must not change while it is read. */
final class FileSource implements StagedSource {
  private final Path path;
  private final FileChannel channel;
  private final long first;
  private final long size;
  private final long bytes;
  private volatile boolean failed;

  FileSource(Path path) {
    this(path, 0);
  }

  /**
   * @param first the position of the first byte
   */
  FileSource(Path path, long first) {
    this(path, first, -1);
  }

  /**
   * @param first the position of the first byte
   * @param wanted how many bytes; -1 for all that follow
   */
  private FileSource(Path path, long first, long wanted) {
    if (first < 0) {
      throw new IllegalArgumentException("a position of " + first + ": must be 0 or more");
    }
    this.path = path;
    this.first = first;
    try {
      requireRegular();
      channel = HostFiles.here().openToRead(path);
    } catch (NoSuchFileException e) {
      throw new FlowException(path + " does not exist", e);
    } catch (IOException e) {
      throw new FlowException(path + " cannot be read: " + e, e);
    }
    try {
      size = channel.size();
      requireTrueSize();
      if (first > size) {
        throw new FlowException(
            "%s has %d bytes, but is to be read from byte %d on".formatted(path, size, first));
      }
      if (wanted > size - first) {
        throw new FlowException(
            "%s has %d bytes, but %d are to be read from byte %d on"
                .formatted(path, size, wanted, first));
      }
      bytes = wanted < 0 ? size - first : wanted;
    } catch (IOException e) {
      FlowException failure = new FlowException(path + " cannot be read: " + e, e);
      Throwable _ = Flow.closeQuietly(channel, failure);
      throw failure;
    } catch (FlowException e) {
      Throwable _ = Flow.closeQuietly(channel, e);
      throw e;
    }
  }

  /** {@return the source of a part of a file} */
  static FileSource part(Path path, long first, long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(bytes + " bytes: must be 0 or more");
    }
    return new FileSource(path, first, bytes);
  }

  private void requireRegular() throws IOException {
    FileKind kind = FileKind.of(path);
    if (kind == FileKind.FOLDER) {
      throw new FlowException(path + " is a folder, which cannot be read");
    }
    if (kind != FileKind.REGULAR) {
      throw new FlowException(
          path
              + " is "
              + kind
              + ", whose length is unknown: use "
              + "Source.channel(FileChannel.open(path)), which reads until it ends");
    }
  }

  /**
   * Files of {@code /proc} and the like are generated when they are read, and report a length of 0
   * before.
   */
  private void requireTrueSize() throws IOException {
    if (size == 0 && channel.read(ByteBuffer.allocate(1), 0) > 0) {
      throw new FlowException(
          path
              + " reports a length of 0 bytes, but has content: use "
              + "Source.channel(FileChannel.open(path)), which reads until it ends");
    }
  }

  Path path() {
    return path;
  }

  @Override
  public long size() {
    return bytes;
  }

  @Override
  public boolean isPositional() {
    return true;
  }

  @Override
  public long read(long position, MemorySegment into) {
    Objects.requireNonNull(into, "into");
    ByteBuffer buffer = into.asByteBuffer();
    long begin = first + position;
    try {
      while (buffer.hasRemaining()) {
        int read = channel.read(buffer, begin + buffer.position());
        if (read < 0) {
          throw truncated(begin + buffer.position());
        }
      }
    } catch (IOException e) {
      failed = true;
      throw new FlowException(
          path + " cannot be read at byte " + (begin + buffer.position()) + ": " + e, e);
    }
    return buffer.position();
  }

  private FlowException truncated(long end) {
    failed = true;
    return new FlowException(
        path
            + " was truncated while it was read: it had "
            + size
            + " bytes and ends at "
            + end
            + " now");
  }

  @Override
  public List<Copy> copy(Stream stream, long position, GlobalBytes to) {
    try {
      return List.of(stream.copy(channel, first + position, to));
    } catch (IndexOutOfBoundsException | UncheckedIOException e) {
      throw failure(e);
    }
  }

  @Override
  public Throwable cause(Throwable thrown) {
    return thrown instanceof CopyFailedException e
            && e.getCause() instanceof UncheckedIOException copying
            && !(copying.getCause() instanceof WriteException)
        ? failure(e)
        : thrown;
  }

  private FlowException failure(RuntimeException thrown) {
    failed = true;
    try {
      long now = channel.size();
      if (now < size) {
        return truncated(now);
      }
    } catch (IOException e) {
      thrown.addSuppressed(e);
    }
    return new FlowException(path + " cannot be read: " + thrown.getMessage(), thrown);
  }

  @Override
  public void close() {
    if (!channel.isOpen()) {
      return; // by an interrupt, with which a flow that has failed stops threads that still read
    }
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
                + " were read");
      }
    } catch (IOException e) {
      throw new FlowException(path + " cannot be closed: " + e, e);
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
