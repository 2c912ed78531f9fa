package dev.stretto.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.StrettoException;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** Tests that fail, each for one reason. Others run them and look at how they fail. */
class WrongPrograms {
  private static final int N = 1000;

  @Kernel
  static void twice(ThreadBlock block, GlobalInts x, int n) {
    long i = block.globalIndexX();
    if (i < n) {
      x.set(i, 2 * x.get(i));
    }
  }

  @Kernel
  static void beyond(ThreadBlock block, GlobalInts x) {
    x.set(block.globalIndexX() + 1, 1);
  }

  @DeviceTest(seeds = 30, order = Order.OFF)
  void leavesOutTheWaitOfAKernel(Device device, Stream copies, Stream kernels) {
    int[] numbers = IntStream.range(0, N).toArray();
    try (GlobalInts x = device.allocateInts(N)) {
      copies.copy(numbers, x);
      kernels.launch(Grid.covering(N, 128), WrongPrograms::twice, x, N);
      kernels.copy(x, numbers).await();
    }
    assertThat(numbers[1]).isEqualTo(2);
  }

  @DeviceTest(seeds = 30)
  void leavesOutTheWaitOfACopy(Device device, Stream upload, Stream download) {
    int[] numbers = new int[N];
    try (GlobalInts x = device.allocateInts(N)) {
      upload.copy(numbers, x); // the first place
      download.copy(x, numbers).await(); // the second place
    }
  }

  @DeviceTest(seeds = 1)
  void losesTwoArraysAndAStream(Device device) {
    Stream stream = device.stream("forgotten");
    GlobalInts x = device.allocateInts(N); // opened here
    GlobalInts y = device.allocateInts(2 * N);
    PinnedArena arena = device.pinnedArena();
    stream.fill(x, 1);
    stream.copy(x, y.slice(0, N)).await();
    arena.close();
  }

  @DeviceTest(seeds = 2, faults = Faults.ONE_BY_ONE)
  void losesAnArrayAnyway(Device device) {
    GlobalInts x = device.allocateInts(N);
    assertThat(x.isOpen()).isTrue();
  }

  @DeviceTest(seeds = 2, faults = Faults.ONE_BY_ONE)
  void losesAnArrayWhenTheSecondCannotBeHad(Device device) {
    GlobalInts x = device.allocateInts(N); // the array that is lost
    GlobalInts y = device.allocateInts(N); // the allocation that fails
    y.close();
    x.close();
  }

  @DeviceTest(seeds = 2, faults = Faults.ONE_BY_ONE)
  void takesNoNoticeOfAFailedCopy(Device device, Stream stream) {
    int[] numbers = IntStream.range(0, 50).toArray();
    int[] result = new int[50];
    try (GlobalInts x = device.allocateInts(50)) {
      try {
        stream.copy(numbers, x);
      } catch (StrettoException e) {
        // and goes on
      }
      stream.copy(x, result).await();
    }
    assertThat(result).isEqualTo(numbers);
  }

  @DeviceTest(seeds = 1)
  void awaitsNothing(Device device, Stream stream) {
    GlobalInts x = device.allocateInts(N);
    stream.launch(Grid.of(1, N), WrongPrograms::beyond, x);
    x.close();
  }

  @DeviceTest(seeds = 3)
  void comparesNumbers(@Seed long seed) {
    Assumptions.assumeTrue(seed != 0);
    org.junit.jupiter.api.Assertions.assertEquals(1, seed);
  }

  @DeviceTest
  void takesMoreDevicesThanThereAre(Device first, Device second) {
    assertThat(first).isNotEqualTo(second);
  }

  @DeviceTest
  void takesASeedAsText(@Seed String seed) {
    assertThat(seed).isEmpty();
  }

  @DeviceTest(devices = "virtual:h200")
  void namesTheDriver(Device device) {
    assertThat(device.isVirtual()).isTrue();
  }

  @DeviceTest(devices = "h200,seed=4")
  void namesTheSeed(Device device) {
    assertThat(device.isVirtual()).isTrue();
  }

  @DeviceTest(seeds = 1, gpu = Gpu.REQUIRED)
  void needsAGpu(Device device) {
    assertThat(device.name()).isNotEmpty();
  }

  @DeviceTest(seeds = 1)
  void fails(Device device, TestInfo info) {
    throw new IllegalStateException("a test with its own parameter: " + info.getDisplayName());
  }

  /** A test whose instance and devices are of its own in each run. */
  static class FailingWithState {
    private int runs;
    private Stream before;

    @BeforeEach
    void opens(Device device, Stream stream) {
      runs++;
      before = stream;
    }

    @DeviceTest(seeds = 1)
    void failsOnce(Device device) {
      try (GlobalInts x = device.allocateInts(N)) {
        before.fill(x, 1).await();
      }
      throw new IllegalStateException("run " + runs + " of this instance");
    }

    @AfterEach
    void awaits(Device device) {
      device.await();
    }
  }

  /** A class of its own: what is after each test would be after all of those above. */
  static class FailingAfterEach {
    @AfterEach
    void fails(Device device) {
      throw new IllegalStateException("after " + device.name());
    }

    @DeviceTest(seeds = 1)
    void succeeds(Device device) {
      assertThat(device.isOpen()).isTrue();
    }
  }
}
