package dev.stretto.bench.sweep;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Host memory of a kind. */
final class HostMemory implements AutoCloseable {
  /** Kinds of host memory. */
  enum Kind {
    PINNED,
    HEAP,
    NATIVE,
    /** A file that can only be read, with the pattern in it. */
    MAPPED
  }

  private final MemorySegment segment;
  private final Runnable release;

  private HostMemory(MemorySegment segment, Runnable release) {
    this.segment = segment;
    this.release = release;
  }

  static HostMemory of(Kind kind, Device device, long bytes) {
    return switch (kind) {
      case PINNED -> {
        PinnedArena arena = device.pinnedArena();
        yield new HostMemory(arena.allocate(bytes, 4096), arena::close);
      }
      case HEAP ->
          new HostMemory(
              MemorySegment.ofArray(new long[Math.toIntExact(bytes / Long.BYTES)]), () -> {});
      case NATIVE -> {
        Arena arena = Arena.ofShared();
        yield new HostMemory(arena.allocate(bytes, 4096), arena::close);
      }
      case MAPPED -> mapped(bytes);
    };
  }

  private static HostMemory mapped(long bytes) {
    try {
      Path file = Files.createTempFile("sweep", ".bin");
      try {
        Arena arena = Arena.ofShared();
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
            Arena writing = Arena.ofShared()) {
          Pattern.fill(channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, writing));
          return new HostMemory(
              channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes, arena), arena::close);
        }
      } finally {
        Files.delete(file); // its pages stay as long as they are mapped
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  MemorySegment segment() {
    return segment;
  }

  @Override
  public void close() {
    release.run();
  }
}
