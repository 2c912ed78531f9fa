package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.Int4;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CUDA's code for each way in which a kernel loses a virtual device, as GPUs give it. */
class FaultCodeTest {
  private static final int MISALIGNED = 716;
  private static final int ASSERT = 710;
  private static final int ILLEGAL = 700;

  private static DeviceLostException lost(
      String name, int blocks, KernelMethod.Of1<GlobalInts> kernel, int code) {
    try (Device device = Device.open(name);
        Stream stream = device.stream();
        GlobalInts array = device.allocateInts(256)) {
      stream.fill(array, 1);
      stream.launch(Grid.of(blocks, 32), kernel, array);
      DeviceLostException lost =
          catchThrowableOfType(DeviceLostException.class, () -> stream.await());
      assertThat(lost.getCause())
          .isInstanceOfSatisfying(
              DriverException.class, cause -> assertThat(cause.code()).isEqualTo(code));
      return lost;
    }
  }

  @ParameterizedTest
  @CsvSource({"virtual,1", "virtual,2", "virtual,64", "'virtual:h200,seed=1',2"})
  void anAccessOutsideOfSharedMemoryIsAnIllegalAddress(String name, int blocks) {
    assertThat(lost(name, blocks, FaultCodeTest::outsideShared, ILLEGAL))
        .hasMessageStartingWith(
            "Byte 4194308 out of bounds for length 128 of an array in shared memory");
  }

  @ParameterizedTest
  @CsvSource({"virtual,1", "virtual,2", "virtual,64", "'virtual:h200,seed=1',2"})
  void anAccessOutsideOfAnArrayIsAnIllegalAddress(String name, int blocks) {
    assertThat(lost(name, blocks, FaultCodeTest::outsideGlobal, ILLEGAL))
        .hasMessageStartingWith("Index 17592186044416 out of bounds for length 256");
  }

  @ParameterizedTest
  @CsvSource({"virtual,1", "virtual,2", "virtual,64", "'virtual:h200,seed=1',2"})
  void anAssertionThatFailsIsOne(String name, int blocks) {
    assertThat(lost(name, blocks, FaultCodeTest::asserting, ASSERT))
        .hasMessageStartingWith("assertion failed");
  }

  @ParameterizedTest
  @CsvSource({"virtual,1", "virtual,2", "virtual,64", "'virtual:h200,seed=1',2"})
  void fourElementsFromAnOddPlaceAreAMisalignedAddress(String name, int blocks) {
    assertThat(lost(name, blocks, FaultCodeTest::misaligned, MISALIGNED))
        .hasMessageContaining("a multiple of 16");
  }

  @ParameterizedTest
  @CsvSource({"virtual:h200,1", "virtual:h200,2", "'virtual:h200,seed=1',2"})
  void aBulkCopyFromBehindAllMemoryIsAnIllegalAddress(String name, int blocks) {
    assertThat(lost(name, blocks, FaultCodeTest::bulkFromNowhere, ILLEGAL))
        .hasMessageContaining("out of bounds");
  }

  @Kernel
  private static void outsideShared(ThreadBlock block, GlobalInts array) {
    SharedInts values = block.sharedInts(32);
    values.set(block.threadRank(), 1);
    block.sync();
    if (block.threadRank() == 0) {
      array.set(0, values.get((1 << 20) + array.get(1)));
    }
  }

  @Kernel
  private static void outsideGlobal(ThreadBlock block, GlobalInts array) {
    array.set(1L << 44, 1);
  }

  @Kernel
  private static void asserting(ThreadBlock block, GlobalInts array) {
    assert array.get(block.threadRank()) == 0;
  }

  @Kernel
  private static void misaligned(ThreadBlock block, GlobalInts array) {
    array.set4(array.get(0), new Int4(1, 2, 3, 4));
  }

  @Kernel
  private static void bulkFromNowhere(ThreadBlock block, GlobalInts array) {
    SharedInts values = block.sharedInts(32);
    Barrier barrier = block.barrier(1);
    if (block.threadRank() == 0) {
      long _ = barrier.arriveExpecting(128);
      PtxBulkCopies.cpAsyncBulkToShared(
          values, 0, array, 1L << 46, 128, barrier.words(), barrier.index());
      barrier.waitForParity(0);
    }
  }
}
