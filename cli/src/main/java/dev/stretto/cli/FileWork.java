package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.Observer.HostWork;
import dev.stretto.Observer.Kind;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A file that is encrypted into a new file in each mode. */
final class FileWork implements Work {
  private static final long PAGE_BYTES = 4096;

  private final Device device;
  private final InputFile input;
  private final @Nullable NewFile out;
  private final TemporaryFiles files;
  private @Nullable Path output;
  private Mode mode = Mode.SYNC;

  /**
   * @param out where the last mode's output goes; null for nowhere
   */
  FileWork(Device device, InputFile input, @Nullable NewFile out, TemporaryFiles files) {
    this.device = device;
    this.input = input;
    this.out = out;
    this.files = files;
  }

  @Override
  public long size() {
    return input.size();
  }

  @Override
  public String describe() {
    return input.path() + " (" + ByteSize.show(input.size()) + ")";
  }

  @Override
  public void begin(Mode now, boolean isLast) {
    try {
      drop();
      mode = now;
      output = isLast && out != null ? out.path() : files.create("encrypted");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void drop() throws IOException {
    Path last = output;
    output = null;
    if (last != null && (out == null || !last.equals(out.path()))) {
      files.delete(last);
    }
  }

  private Path output() {
    Path path = output;
    if (path == null) {
      throw new IllegalStateException("no mode has begun");
    }
    return path;
  }

  @Override
  public Source source() {
    return Source.file(input.path());
  }

  @Override
  public Sink sink() {
    return Sink.file(output());
  }

  @Override
  public void requireUnchanged() {
    input.requireUnchanged();
  }

  @Override
  public OptionalLong firstDifference(Secret secret) {
    return Verification.firstDifference(input, output(), secret);
  }

  @Override
  public double alone(Part part, Encryption encryption) {
    return new Alone(device, encryption, input, output(), files).rate(part);
  }

  @Override
  public void complete() {
    if (out != null) {
      out.complete();
    }
  }

  @Override
  public void close() {
    try {
      drop();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Steps steps(long chunkBytes) {
    try {
      return new FileSteps(chunkBytes);
    } catch (IOException e) {
      throw new CommandFailure(input.path() + " cannot be read: " + Faults.reason(e), e);
    }
  }

  /** A chunk is read into memory, encrypted there, and written. */
  private final class FileSteps implements Steps {
    private final FileChannel from;
    private final FileChannel to;
    private final Arena arena;
    private final MemorySegment host;

    FileSteps(long chunkBytes) throws IOException {
      from = input.open();
      to = forWriting();
      arena = mode == Mode.PINNED ? device.pinnedArena() : Arena.ofShared();
      host = arena.allocate(chunkBytes, PAGE_BYTES);
    }

    private FileChannel forWriting() {
      try {
        return FileChannel.open(output(), StandardOpenOption.WRITE);
      } catch (IOException e) {
        throw new CommandFailure(output() + " cannot be written: " + Faults.reason(e), e);
      }
    }

    @Override
    public MemorySegment in(long position, long bytes) {
      MemorySegment here = host.asSlice(0, bytes);
      long begin = now();
      try {
        input.read(from, position, here);
      } catch (IOException e) {
        throw new CommandFailure(input.path() + " cannot be read: " + Faults.reason(e), e);
      }
      spend(device.hostClock().readNanos(bytes));
      device.report(new HostWork(Kind.READ, "file", bytes, begin, now()));
      return here;
    }

    @Override
    public MemorySegment out(long position, long bytes) {
      return host.asSlice(0, bytes);
    }

    @Override
    public void done(long position, long bytes) {
      ByteBuffer buffer = host.asSlice(0, bytes).asByteBuffer();
      long begin = now();
      try {
        while (buffer.hasRemaining()) {
          to.write(buffer, position + buffer.position());
        }
      } catch (IOException e) {
        throw new CommandFailure(
            "%s cannot be written at byte %d: %s"
                .formatted(output(), position + buffer.position(), Faults.reason(e)),
            e);
      }
      spend(device.hostClock().writeNanos(bytes, 1));
      device.report(new HostWork(Kind.WRITE, "file", bytes, begin, now()));
    }

    private long now() {
      return device.hostClock().isModelled() ? device.hostClock().now() : System.nanoTime();
    }

    /** On a virtual device, advances the time as reading or writing would. */
    private void spend(long nanos) {
      device.hostClock().atLeast(device.hostClock().now() + nanos);
    }

    @Override
    public void close() {
      try (arena;
          from) {
        to.close();
      } catch (IOException e) {
        throw new CommandFailure(output() + " cannot be written: " + Faults.reason(e), e);
      }
    }
  }
}
