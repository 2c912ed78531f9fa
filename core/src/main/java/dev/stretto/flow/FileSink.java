package dev.stretto.flow;

import dev.stretto.Copy;
import dev.stretto.Stream;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.file.HostFiles;
import dev.stretto.file.WritableFile;
import dev.stretto.file.WriteException;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** A file that is written at several positions at once. */
final class FileSink implements StagedSink {
  private final Path path;
  private final FileChannel channel;
  private final AtomicLong end = new AtomicLong();

  /** Whether the disk has no room, so that what the file held before stays. */
  private volatile boolean refused;

  FileSink(Path path) {
    this.path = path;
    try {
      requireWritable();
      // Not truncated: existing content is overwritten, which is faster, and the rest is cut off at
      // the end. Also, ext4 flushes a truncated file when it is closed, which takes a quarter of a
      // second for each gibibyte.
      channel = HostFiles.here().openToWrite(path);
    } catch (IOException e) {
      throw new FlowException(path + " cannot be written: " + e, e);
    }
  }

  private void requireWritable() throws IOException {
    FileKind kind = Files.exists(path) ? FileKind.of(path) : FileKind.REGULAR;
    if (kind == FileKind.FOLDER) {
      throw new FlowException(path + " is a folder, which cannot be written");
    }
    if (kind == FileKind.PIPE || kind == FileKind.SOCKET) {
      throw new FlowException(
          path
              + " is "
              + kind
              + ", which cannot be written at several positions at once: use "
              + "Sink.channel(FileChannel.open(path, WRITE))");
    }
  }

  @Override
  public boolean isPositional() {
    return true;
  }

  @Override
  public void expect(long bytes) {
    if (channel instanceof WritableFile file) {
      try {
        file.expect(bytes);
      } catch (IOException e) {
        refused = true;
        throw new FlowException(path + " cannot be written: " + e.getMessage(), e);
      }
    }
  }

  @Override
  public boolean isStaged() {
    return channel instanceof WritableFile file && file.isMapped();
  }

  @Override
  public Copy copy(Stream stream, GlobalBytes from, long position) {
    try {
      return stream.copy(from, channel, position);
    } catch (UncheckedIOException e) {
      throw new FlowException(path + " cannot be written: " + e.getMessage(), e);
    }
  }

  @Override
  public void written(long position, long bytes) {
    end.accumulateAndGet(position + bytes, Math::max);
  }

  @Override
  public Throwable cause(Throwable thrown) {
    return thrown instanceof CopyFailedException e
            && e.getCause() instanceof UncheckedIOException copying
            && copying.getCause() instanceof WriteException why
        ? cannotBeWritten(why)
        : thrown;
  }

  private FlowException cannotBeWritten(IOException why) {
    return new FlowException(path + " cannot be written: " + why.getMessage(), why);
  }

  @Override
  public void write(long position, MemorySegment from) {
    Objects.requireNonNull(from, "from");
    ByteBuffer buffer = from.asByteBuffer();
    try {
      while (buffer.hasRemaining()) {
        channel.write(buffer, position + buffer.position());
      }
      written(position, buffer.position());
    } catch (IOException e) {
      throw new FlowException(
          path + " cannot be written at byte " + (position + buffer.position()) + ": " + e, e);
    }
  }

  @Override
  public void close() {
    // A flow that has failed interrupts threads that still write, and an interrupt closes the
    // channel.
    try (FileChannel open =
        channel.isOpen() ? channel : FileChannel.open(path, StandardOpenOption.WRITE)) {
      if (!refused && open.size() > end.get()) {
        open.truncate(end.get());
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
