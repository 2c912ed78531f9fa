package dev.stretto.junit;

import static dev.stretto.junit.DeviceAssertions.assertHidden;
import static dev.stretto.junit.DeviceAssertions.assertOverlapped;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Observer.Kind;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What ran at the same time. */
class OverlapTest {
  private static final int N = 1 << 16;

  @Kernel
  static void half(ThreadBlock block, GlobalFloats x, int n) {
    long i = block.globalIndexX();
    if (i < n) {
      x.set(i, 0.5f * x.get(i));
    }
  }

  // @start region="overlapped"
  @DeviceTest(seeds = 5)
  void theSecondChunkIsCopiedWhileTheFirstIsComputed(
      Device device, Stream even, Stream odd, PinnedArena pinned, Timeline timeline) {
    MemorySegment host = pinned.allocate(ValueLayout.JAVA_FLOAT, 2 * N);
    long chunk = host.byteSize() / 2;
    try (GlobalFloats x = device.allocateFloats(N);
        GlobalFloats y = device.allocateFloats(N)) {
      even.copy(host.asSlice(0, chunk), x);
      even.launch(Grid.covering(N, 256), OverlapTest::half, x, N);
      odd.copy(host.asSlice(chunk), y);
      odd.launch(Grid.covering(N, 256), OverlapTest::half, y, N);
      device.await();
    }
    assertOverlapped(timeline, Kind.HOST_TO_DEVICE, Kind.KERNEL);
  }

  // @end

  @DeviceTest(seeds = 5)
  void whatOneStreamDoesIsNotAtTheSameTime(
      Device device, Stream stream, PinnedArena pinned, Timeline timeline) {
    MemorySegment host = pinned.allocate(ValueLayout.JAVA_FLOAT, N);
    try (GlobalFloats x = device.allocateFloats(N)) {
      stream.copy(host, x);
      stream.launch(Grid.covering(N, 256), OverlapTest::half, x, N);
      if (device.isSeeded()) { // else it may be done by now
        assertThatThrownBy(() -> assertHidden(timeline, 0.1))
            .hasMessageContaining("2 operations are not done");
      }
      stream.await();
    }
    assertThatThrownBy(() -> assertOverlapped(timeline, Kind.HOST_TO_DEVICE, Kind.KERNEL))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("no HOST_TO_DEVICE and KERNEL ran at the same time, of 1 and 1:")
        .hasMessageContaining(">>>");
    assertThatThrownBy(
            () -> assertOverlapped(timeline, span -> span.bytes() > 0, span -> span.bytes() > 0))
        .hasMessageContaining("of 1 and 1");
    assertThatThrownBy(() -> assertHidden(timeline, 0.5))
        .hasMessageContaining("0.00 of the copying time was hidden, and 0.50 at least");
    assertHidden(timeline, 0);
    assertThatThrownBy(() -> assertHidden(timeline, 1.5))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
