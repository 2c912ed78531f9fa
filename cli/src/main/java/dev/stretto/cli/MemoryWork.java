package dev.stretto.cli;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
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
import javax.crypto.Cipher;
import javax.crypto.ShortBufferException;
import org.jspecify.annotations.Nullable;

/**
 * Random bytes in memory, the same on every run: ordinary memory for the first two modes, pinned
 * memory for the others. There is one kind at a time.
 */
final class MemoryWork implements Work {
  private static final long PAGE_BYTES = 4096;
  private static final long PIECE_BYTES = 4L << 20;
  private static final int BUFFER_BYTES = 64 << 10;
  private static final long SEED = 20;

  private final Device device;
  private final long size;
  private final @Nullable NewFile out;
  private @Nullable Memory memory;
  private MemorySegment[] expected = {};

  /** Has what is expected; explicit arenas do not count as direct memory of the JVM. */
  private final Arena right = Arena.ofShared();

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
    release();
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

  /** What the JDK's cipher makes of the same bytes is kept: it takes longer than all modes. */
  @Override
  public OptionalLong firstDifference(Secret secret) {
    if (expected.length == 0) {
      MemorySegment[] all = new MemorySegment[(int) Math.ceilDiv(size, PIECE_BYTES)];
      inPieces(at -> all[(int) (at / PIECE_BYTES)] = encrypted(at, secret));
      expected = all;
    }
    MemorySegment[] known = expected;
    long different =
        LongStream.range(0, known.length)
            .parallel()
            .map(piece -> mismatch(known[(int) piece], piece * PIECE_BYTES))
            .min()
            .orElse(size);
    return different < size ? OptionalLong.of(different) : OptionalLong.empty();
  }

  private MemorySegment encrypted(long at, Secret secret) {
    MemorySegment plain = memory().in.asSlice(at, pieceBytes(at));
    MemorySegment encrypted = right.allocate(plain.byteSize());
    Cipher cipher = secret.jdkCipher(at);
    byte[] clear = new byte[BUFFER_BYTES];
    byte[] made = new byte[BUFFER_BYTES];
    try {
      for (long from = 0; from < plain.byteSize(); from += BUFFER_BYTES) {
        int bytes = (int) Math.min(BUFFER_BYTES, plain.byteSize() - from);
        MemorySegment.copy(plain, JAVA_BYTE, from, clear, 0, bytes);
        int _ = cipher.update(clear, 0, bytes, made, 0);
        MemorySegment.copy(made, 0, encrypted, JAVA_BYTE, from, bytes);
      }
    } catch (ShortBufferException e) {
      throw new IllegalStateException("the JDK's ChaCha20 does not encrypt byte by byte", e);
    }
    return encrypted;
  }

  /** {@return the first different byte of a piece, or the number of all bytes} */
  private long mismatch(MemorySegment piece, long at) {
    long found = memory().out.asSlice(at, piece.byteSize()).mismatch(piece);
    return found < 0 ? size : at + found;
  }

  @Override
  public double alone(Part part, Encryption encryption) {
    throw new IllegalStateException("a flow from memory to memory has no parts");
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
    release();
    right.close();
  }

  private void release() {
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
