package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.flow.Chunk;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/** The first three modes: one chunk at a time, copied in, encrypted and copied out. */
final class StepByStep implements ModeRun {
  /**
   * Large enough that the cost of starting a copy does not count, and small compared with any
   * device's memory.
   */
  private static final long CHUNK_BYTES = 64L << 20;

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
  public Shape run(Work work, LongConsumer progress) {
    long chunk = Math.min(chunkAsked == 0 ? chunkBytes() : chunkAsked, work.size());
    try (Work.Steps steps = work.steps(chunk);
        Stream stream = device.stream();
        GlobalBytes onDevice = device.allocateBytes(chunk)) {
      for (long position = 0; position < work.size(); position += chunk) {
        long bytes = Math.min(chunk, work.size() - position);
        GlobalBytes there = onDevice.slice(0, bytes);
        MemorySegment in = steps.in(position, bytes);
        MemorySegment out = steps.out(position, bytes);
        encrypt(stream, in, out, new Chunk(position / chunk, position, bytes, 0, there, there));
        steps.done(position, bytes);
        progress.accept(position + bytes);
      }
    }
    return new Shape(chunk, 1, null);
  }

  /** Half of a device's memory is enough. */
  private long chunkBytes() {
    long most = device.freeBytes() / 2 / Encryption.GRANULARITY * Encryption.GRANULARITY;
    return Math.clamp(most, Encryption.GRANULARITY, CHUNK_BYTES);
  }

  private void encrypt(Stream stream, MemorySegment in, MemorySegment out, Chunk chunk) {
    switch (mode) {
      case SYNC -> {
        stream.copy(in, chunk.in(), Route.Kind.AWAITED_PAGEABLE).await();
        encryption.enqueue(stream, chunk);
        stream.await();
        stream.copy(chunk.out(), out, Route.Kind.AWAITED_PAGEABLE).await();
      }
      case PAGEABLE -> {
        stream.copy(in, chunk.in(), Route.Kind.AWAITED_PAGEABLE);
        encryption.enqueue(stream, chunk);
        stream.copy(chunk.out(), out, Route.Kind.AWAITED_PAGEABLE).await();
      }
      case PINNED -> {
        stream.copy(in, chunk.in(), Route.Kind.DIRECT);
        encryption.enqueue(stream, chunk);
        stream.copy(chunk.out(), out, Route.Kind.DIRECT).await();
      }
      case OVERLAP -> throw new IllegalArgumentException(mode + " does several steps at once");
    }
  }
}
