package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.flow.Chunk;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;

/**
 * The first three modes: one chunk at a time, read, copied in, encrypted, copied out and written.
 */
final class StepByStep implements ModeRun {
  /**
   * Large enough that the cost of starting a copy does not count, and small compared with any
   * device's memory.
   */
  private static final long CHUNK_BYTES = 64L << 20;

  private static final long PAGE_BYTES = 4096;

  private final Device device;
  private final Encryption encryption;
  private final Mode mode;
  private final long chunkAsked;

  /**
   * @param chunkAsked the requested chunk size, or 0
   */
  StepByStep(Device device, Encryption encryption, Mode mode, long chunkAsked) {
    this.device = device;
    this.encryption = encryption;
    this.mode = mode;
    this.chunkAsked = chunkAsked;
  }

  @Override
  public Shape run(InputFile input, Path output, LongConsumer progress) {
    long chunk = Math.min(chunkAsked == 0 ? chunkBytes() : chunkAsked, input.size());
    try (FileChannel in = input.open();
        FileChannel out = FileChannel.open(output, StandardOpenOption.WRITE);
        Stream stream = device.stream();
        Arena arena = mode == Mode.PINNED ? device.pinnedArena() : Arena.ofShared();
        GlobalBytes onDevice = device.allocateBytes(chunk)) {
      MemorySegment host = arena.allocate(chunk, PAGE_BYTES);
      for (long position = 0; position < input.size(); position += chunk) {
        long bytes = Math.min(chunk, input.size() - position);
        MemorySegment here = host.asSlice(0, bytes);
        GlobalBytes there = onDevice.slice(0, bytes);
        input.read(in, position, here);
        spend(device.hostClock().readNanos(bytes));
        encrypt(stream, here, new Chunk(position / chunk, position, bytes, 0, there, there));
        write(output, out, position, here);
        spend(device.hostClock().writeNanos(bytes, 1));
        progress.accept(position + bytes);
      }
    } catch (IOException e) {
      throw new CommandFailure(input.path() + " cannot be read: " + Faults.reason(e), e);
    }
    return new Shape(chunk, 1);
  }

  /** Half of a device's memory is enough. */
  private long chunkBytes() {
    long most = device.freeBytes() / 2 / Encryption.GRANULARITY * Encryption.GRANULARITY;
    return Math.clamp(most, Encryption.GRANULARITY, CHUNK_BYTES);
  }

  private void encrypt(Stream stream, MemorySegment host, Chunk chunk) {
    switch (mode) {
      case SYNC -> {
        stream.copy(host, chunk.in(), Route.Kind.AWAITED_PAGEABLE).await();
        encryption.enqueue(stream, chunk);
        stream.await();
        stream.copy(chunk.out(), host, Route.Kind.AWAITED_PAGEABLE).await();
      }
      case PAGEABLE -> {
        stream.copy(host, chunk.in(), Route.Kind.AWAITED_PAGEABLE);
        encryption.enqueue(stream, chunk);
        stream.copy(chunk.out(), host, Route.Kind.AWAITED_PAGEABLE).await();
      }
      case PINNED -> {
        stream.copy(host, chunk.in(), Route.Kind.DIRECT);
        encryption.enqueue(stream, chunk);
        stream.copy(chunk.out(), host, Route.Kind.DIRECT).await();
      }
      case OVERLAP -> throw new IllegalArgumentException(mode + " does several steps at once");
    }
  }

  private static void write(Path file, FileChannel channel, long position, MemorySegment from) {
    ByteBuffer buffer = from.asByteBuffer();
    try {
      while (buffer.hasRemaining()) {
        channel.write(buffer, position + buffer.position());
      }
    } catch (IOException e) {
      throw new CommandFailure(
          "%s cannot be written at byte %d: %s"
              .formatted(file, position + buffer.position(), Faults.reason(e)),
          e);
    }
  }

  /** On a virtual device, advances the time as reading or writing would. */
  private void spend(long nanos) {
    device.hostClock().atLeast(device.hostClock().now() + nanos);
  }
}
