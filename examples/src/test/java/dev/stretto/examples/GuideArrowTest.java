package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Registration;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

/** The code of the guide's recipe for buffers of Apache Arrow. */
class GuideArrowTest {
  private static final int N = 1 << 20;

  // @start region="arrow"
  /** The first bytes of a buffer, as memory that Stretto copies; it keeps the buffer. */
  @SuppressWarnings("restricted")
  static MemorySegment segment(ArrowBuf buffer, long bytes, Arena arena) {
    if (bytes < 0 || bytes > buffer.capacity()) {
      throw new IndexOutOfBoundsException(bytes + " bytes of " + buffer.capacity());
    }
    buffer.getReferenceManager().retain();
    return MemorySegment.ofAddress(buffer.memoryAddress())
        .reinterpret(bytes, arena, _ -> buffer.getReferenceManager().release());
  }

  // @end

  private static ArrowBuf ones(BufferAllocator allocator) {
    ArrowBuf buffer = allocator.buffer(4L * N);
    for (int i = 0; i < N; i++) {
      buffer.setFloat(4L * i, i);
    }
    return buffer;
  }

  @Test
  void aBufferIsCopiedInBothDirections() {
    try (Device device = Device.open("virtual:h200");
        Stream stream = device.stream();
        BufferAllocator allocator = new RootAllocator();
        ArrowBuf column = ones(allocator);
        ArrowBuf result = allocator.buffer(4L * N);
        GlobalFloats x = device.allocateFloats(N)) {
      // @start region="arrow-copy"
      try (Arena arena = Arena.ofShared()) {
        stream.copy(segment(column, 4L * N, arena), x);
        stream.copy(x, segment(result, 4L * N, arena)).await(); // before the arena is closed
      }
      // @end
      assertThat(result.getFloat(4L * (N - 1))).isEqualTo(N - 1);
      assertThat(column.refCnt()).isEqualTo(1);
    }
  }

  @Test
  void aPinnedBufferIsReadDirectlyAndReleasedAfterItsLastCopy() {
    try (Device device = Device.open("virtual:h200");
        Stream stream = device.stream();
        BufferAllocator allocator = new RootAllocator();
        GlobalFloats x = device.allocateFloats(N)) {
      ArrowBuf column = ones(allocator);
      Copy copy;
      // @start region="arrow-pinned"
      try (Arena arena = Arena.ofShared()) {
        MemorySegment floats = segment(column, 4L * N, arena);
        column.close(); // the arena has a reference of its own
        Registration _ = device.register(floats, arena);
        copy = stream.copy(floats, x); // DIRECT: the copy engine reads the buffer itself
      } // ends the registration, which awaits the copy; then Arrow may free the buffer
      // @end
      assertThat(copy.isDone()).isTrue();
      assertThat(copy.route().kind()).isEqualTo(Route.Kind.DIRECT);
      assertThat(pinned(device)).isZero();
      assertThat(allocator.getAllocatedMemory()).isZero();
      float[] back = new float[1];
      stream.copy(x.slice(N - 1, 1), back).await();
      assertThat(back).containsExactly(N - 1);
    }
  }

  private static long pinned(Device device) {
    return device.metrics().getPinnedBytes();
  }

  @Test
  void aBufferWhoseArenaIsClosedTooEarlyFailsTheCopyAndIsNotRead() {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    try (Device device = Device.open("virtual:h200");
        BufferAllocator allocator = new RootAllocator();
        GlobalFloats x = device.allocateFloats(N)) {
      Stream stream = device.stream();
      ArrowBuf column = ones(allocator);
      Arena arena = Arena.ofShared();
      MemorySegment floats = segment(column, 4L * N, arena);
      column.close();
      stream.then(closed::join);
      Copy copy = stream.copy(floats, x);
      arena.close();
      assertThat(allocator.getAllocatedMemory()).isZero();
      closed.complete(null);
      assertThatThrownBy(copy::await).isInstanceOf(CopyFailedException.class);
      stream.close();
    }
  }

  @Test
  void moreThanABufferHasIsRefused() {
    try (BufferAllocator allocator = new RootAllocator();
        ArrowBuf buffer = allocator.buffer(64);
        Arena arena = Arena.ofShared()) {
      assertThatThrownBy(() -> segment(buffer, buffer.capacity() + 1, arena))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(buffer.refCnt()).isEqualTo(1);
    }
  }
}
