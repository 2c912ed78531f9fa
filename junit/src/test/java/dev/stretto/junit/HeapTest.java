package dev.stretto.junit;

import static dev.stretto.junit.DeviceAssertions.assertAllocatesAtMost;
import static dev.stretto.junit.DeviceAssertions.assertAllocatesNothing;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;

/** What loops allocate, on devices whose drivers allocate themselves. */
class HeapTest {
  private static final int N = 64;

  @Kernel
  static void increment(ThreadBlock block, GlobalInts x, int by, int n) {
    long i = block.globalIndexX();
    if (i < n) {
      x.set(i, x.get(i) + by);
    }
  }

  // @start region="nothing"
  @DeviceTest(seeds = 3, order = Order.OFF)
  void aPreparedLaunchAllocatesNothing(Device device, Stream stream) throws Throwable {
    try (GlobalInts x = device.allocateInts(N)) {
      stream.fill(x, 0);
      Launch launch = device.prepare(Grid.of(1, N), HeapTest::increment, x, 1, N);
      assertAllocatesNothing(() -> stream.launch(launch));
    }
  }

  // @end

  @DeviceTest(seeds = 3, order = Order.OFF)
  void aCopyAllocatesItsResultAlone(Device device, Stream stream, PinnedArena pinned)
      throws Throwable {
    MemorySegment host = pinned.allocate(4L * N);
    try (GlobalInts x = device.allocateInts(N)) {
      assertAllocatesAtMost(32, () -> stream.copy(host, x));
      assertThatThrownBy(() -> assertAllocatesNothing(() -> stream.copy(host, x)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(
              "bytes are allocated per run in the best of 300 rounds of 100, and 0");
    }
  }

  @DeviceTest(seeds = 1, order = Order.OFF)
  void whatTheLoopItselfAllocatesIsCounted(Device device, Stream stream) {
    int[][] kept = new int[1][];
    try (GlobalInts x = device.allocateInts(N)) {
      assertThatThrownBy(
              () ->
                  assertAllocatesAtMost(
                      100,
                      () -> {
                        kept[0] = new int[N];
                        stream.fill(x, 1);
                      }))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("and 100 at most were expected");
    }
  }

  @DeviceTest(seeds = 1)
  void aNegativeBudgetIsRefused() {
    assertThatThrownBy(() -> assertAllocatesAtMost(-1, () -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
