package dev.stretto.cli;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stretto.Device;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Random bytes in memory, the same on every run: ordinary memory for the first two modes, pinned
 * memory for the others. There is one kind at a time.
 */
final class MemoryWork implements Work {
  private static final long PAGE_BYTES = 4096;
  private static final long PIECE_BYTES = 4L << 20;
  private static final long SEED = 20;

  private final Device device;
  private final long size;
  private final @Nullable NewFile out;
  private @Nullable Memory memory;

  /** Both ends, in memory of one kind. */
  private record Memory(Arena arena, boolean isPinned, MemorySegment in, MemorySegment out) {}

  /**
   * @param size in bytes, a multiple of 8
   * @param out where the last mode's output is written in the end; null for nowhere
   */
  MemoryWork(Device device, long size, @Nullable NewFile out) {
    this.device = device;
    this.size = size;
    this.out = out;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public String describe() {
    return ByteSize.show(size) + " of random bytes in memory";
  }

  @Override
  public void begin(Mode mode, boolean isLast) {
    boolean isPinned = mode == Mode.PINNED || mode == Mode.OVERLAP;
    Memory before = memory;
    if (before != null && before.isPinned == isPinned) {
      inPieces(at -> before.out.asSlice(at, pieceBytes(at)).fill((byte) 0));
      return;
    }
    close();
    Arena arena = isPinned ? device.pinnedArena() : Arena.ofShared();
    MemorySegment in = arena.allocate(size, PAGE_BYTES);
    memory = new Memory(arena, isPinned, in, arena.allocate(size, PAGE_BYTES));
    inPieces(at -> randomize(in.asSlice(at, pieceBytes(at)), at));
  }

  private static void randomize(MemorySegment piece, long at) {
    SplittableRandom random = new SplittableRandom(SEED + at);
    for (long i = 0; i < piece.byteSize() / Long.BYTES; i++) {
      piece.setAtIndex(JAVA_LONG, i, random.nextLong());
    }
  }

  private void inPieces(LongConsumer work) {
    LongStream.range(0, Math.ceilDiv(size, PIECE_BYTES))
        .parallel()
        .forEach(piece -> work.accept(piece * PIECE_BYTES));
  }

  private long pieceBytes(long at) {
    return Math.min(PIECE_BYTES, size - at);
  }

  private Memory memory() {
    Memory now = memory;
    if (now == null) {
      throw new IllegalStateException("no mode has begun");
    }
    return now;
  }

  @Override
  public Source source() {
    return Source.of(memory().in.asReadOnly());
  }

  @Override
  public Sink sink() {
    return Sink.of(memory().out);
  }

  @Override
  public void requireUnchanged() {
    // Nobody else has the memory.
  }

  @Override
  public OptionalLong firstDifference(Secret secret) {
    return Verification.firstDifference(
        Verification.Bytes.of(memory().in), Verification.Bytes.of(memory().out), secret);
  }

  @Override
  public void complete() {
    if (out == null) {
      return;
    }
    try (FileChannel channel = FileChannel.open(out.path(), StandardOpenOption.WRITE)) {
      for (long at = 0; at < size; at += PIECE_BYTES) {
        ByteBuffer buffer = memory().out.asSlice(at, pieceBytes(at)).asByteBuffer();
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
      }
    } catch (IOException e) {
      throw new CommandFailure(out.path() + " cannot be written: " + Faults.reason(e), e);
    }
    out.complete();
  }

  @Override
  public void close() {
    Memory last = memory;
    memory = null;
    if (last != null) {
      last.arena.close();
    }
  }

  @Override
  public Steps steps(long chunkBytes) {
    Memory now = memory();
    return new Steps() {
      @Override
      public MemorySegment in(long position, long bytes) {
        return now.in.asSlice(position, bytes);
      }

      @Override
      public MemorySegment out(long position, long bytes) {
        return now.out.asSlice(position, bytes);
      }

      @Override
      public void done(long position, long bytes) {
        // It is where it belongs.
      }

      @Override
      public void close() {
        // The memory is kept for the next mode.
      }
    };
  }
}
