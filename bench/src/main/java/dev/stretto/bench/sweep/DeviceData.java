package dev.stretto.bench.sweep;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Puts the {@link Pattern} into device memory and looks for it there. All of it passes through one
 * piece of pinned memory that is kept: unpinning in the background would disturb the next row.
 */
final class DeviceData implements AutoCloseable {
  private static final long CHUNK = 64L << 20;

  private final PinnedArena arena;
  private @Nullable MemorySegment chunk;

  DeviceData(Device device) {
    this.arena = device.pinnedArena();
  }

  void fill(GlobalBytes memory) {
    inChunks(
        memory,
        (stream, host, at) -> {
          Pattern.fill(host, at);
          stream.copy(host, memory.slice(at, host.byteSize())).await();
        });
  }

  void poison(GlobalBytes memory) {
    try (Stream stream = Device.of(memory).stream()) {
      stream.fill(memory, Pattern.POISON).await();
    }
  }

  /** Requires the pattern in the bytes that a predicate chooses, and the poison in the others. */
  void require(GlobalBytes memory, LongPredicate copied) {
    inChunks(
        memory,
        (stream, host, at) -> {
          stream.copy(memory.slice(at, host.byteSize()), host).await();
          Pattern.require(host, at, copied);
        });
  }

  /** Requires one word everywhere. */
  void requireWord(GlobalBytes memory, long word) {
    inChunks(
        memory,
        (stream, host, at) -> {
          stream.copy(memory.slice(at, host.byteSize()), host).await();
          for (long i = 0; i < host.byteSize(); i += Long.BYTES) {
            Pattern.requireWord(at + i, host.get(JAVA_LONG, i), word);
          }
        });
  }

  /** Moves a part of device memory from or to the host. */
  private interface Move {
    void of(Stream stream, MemorySegment host, long at);
  }

  private void inChunks(GlobalBytes memory, Move move) {
    MemorySegment passage = chunk;
    if (passage == null) {
      passage = arena.allocate(CHUNK, 4096);
      chunk = passage;
    }
    long size = memory.byteSize();
    try (Stream stream = Device.of(memory).stream()) {
      for (long at = 0; at < size; at += CHUNK) {
        move.of(stream, passage.asSlice(0, Math.min(CHUNK, size - at)), at);
      }
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
