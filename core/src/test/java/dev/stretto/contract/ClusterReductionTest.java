package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalInts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Asynchronous changes of the shared memory of other blocks of the cluster. */
class ClusterReductionTest extends ContractTest {
  @BeforeEach
  void thereAreClusters() {
    assumeTrue(device.properties().computeMajor() >= 9);
  }

  private static Grid grid(int blocks, int threads, int cluster) {
    return Grid.of(blocks, threads).withCluster(cluster, 1, 1);
  }

  private int[] run(Grid grid, int n, KernelMethod.Of2<GlobalInts, GlobalInts> kernel) {
    return ClusterMemory.run(device, grid, n, kernel);
  }

  @Test
  void threadsJoinNumbersToThoseOfAnotherBlock() {
    for (int cluster = 2; cluster <= 4; cluster++) {
      int[] expected = ClusterReductions.joined(12, cluster);
      assertThat(run(grid(12, 32, cluster), expected.length, ClusterReductions::eachThread))
          .as("clusters of %d", cluster)
          .isEqualTo(expected);
    }
  }

  @Test
  void bulkCopiesJoinNumbersToThoseOfAnotherBlock() {
    for (int cluster = 2; cluster <= 4; cluster++) {
      int[] expected = ClusterReductions.joined(12, cluster);
      assertThat(run(grid(12, 32, cluster), expected.length, ClusterReductions::inBulk))
          .as("clusters of %d", cluster)
          .isEqualTo(expected);
    }
  }

  @Test
  void sendersSayHowManyBytesABlockExpects() {
    for (int cluster = 2; cluster <= 8; cluster *= 2) {
      assertThat(run(grid(16, 64, cluster), 256, ClusterReductions::binned))
          .as("clusters of %d", cluster)
          .isEqualTo(ClusterMemory.histogram(16, 64, cluster));
    }
  }

  @Test
  void anElementThatIsNotThereIsNamed() {
    assumeTrue(machine().isVirtual()); // a GPU changes anything
    assertThatThrownBy(() -> run(grid(2, 32, 2), 64, ClusterReductions::beyond))
        .isInstanceOf(DeviceLostException.class)
        .hasStackTraceContaining("out of bounds");
  }

  @Test
  void aPlaceThatBulkCopiesDoNotReachIsNamed() {
    assumeTrue(machine().isVirtual());
    assertThatThrownBy(() -> run(grid(2, 32, 2), 64, ClusterReductions::askew))
        .isInstanceOf(DeviceLostException.class)
        .hasStackTraceContaining("multiple of 16");
  }

  @Test
  void anOlderDeviceRefusesThem() {
    try (Device older = Device.open("virtual:a100")) {
      assertThatThrownBy(
              () -> ClusterMemory.run(older, Grid.of(2, 64), 512, ClusterReductions::binned))
          .isInstanceOfAny(KernelRefusedException.class, DeviceLostException.class)
          .hasStackTraceContaining("9.0");
    }
  }
}
