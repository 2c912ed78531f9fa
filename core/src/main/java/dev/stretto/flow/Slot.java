package dev.stretto.flow;

import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What one chunk at a time uses: a stream, a pinned buffer if the source or the sink needs one, and
 * device memory.
 */
final class Slot {
  final int number;
  final Stream stream;
  final GlobalBytes in;
  final GlobalBytes out;
  private final @Nullable MemorySegment buffer;

  long index;
  long bytes;
  long permitNanos;
  boolean busy;

  Slot(int number, Stream stream, GlobalBytes in, GlobalBytes out, @Nullable MemorySegment buffer) {
    this.number = number;
    this.stream = stream;
    this.in = in;
    this.out = out;
    this.buffer = buffer;
  }

  MemorySegment buffer(long length) {
    MemorySegment pinned = buffer;
    if (pinned == null) {
      throw new AssertionError("this flow needs no buffers");
    }
    return pinned.asSlice(0, length);
  }
}
