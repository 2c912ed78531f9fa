package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalInts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Shared memory of other blocks of the cluster. */
class ClusterMemoryTest extends ContractTest {
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
  void blocksReadWhatEachHasWritten() {
    for (int cluster = 1; cluster <= 8; cluster *= 2) {
      assertThat(run(grid(16, 32, cluster), 512, ClusterMemory::rotated))
          .as("clusters of %d", cluster)
          .isEqualTo(ClusterMemory.rotated(512, 32, cluster));
    }
  }

  @Test
  void aHistogramLiesInAllBlocksOfACluster() {
    for (int cluster = 2; cluster <= 8; cluster *= 2) {
      assertThat(run(grid(8, 64, cluster), 128, ClusterMemory::histogram))
          .as("clusters of %d", cluster)
          .isEqualTo(ClusterMemory.histogram(8, 64, cluster));
    }
  }

  @Test
  void arraysOfAllTypesAreReached() {
    try (Stream stream = device.stream();
        GlobalDoubles out = device.allocateDoubles(12)) {
      double[] got = new double[12];
      stream.launch(grid(2, 32, 2), ClusterMemory::types, out);
      stream.copy(out, got).await();
      assertThat(got).containsExactly(-7, 300, 70_000, 1L << 40, 1.5, 2.25, 0.5, -3, 1, 2, 3, 4);
    }
  }

  @Test
  void aBranchDecidesWhoseMemoryIsUsed() {
    int[] expected = new int[256];
    int[] in = ClusterMemory.numbers();
    for (int i = 0; i < 256; i++) {
      boolean own = in[i] % 3 == 0;
      expected[i] = in[(own ? i : i ^ 64) ^ 1];
    }
    assertThat(run(grid(4, 64, 2), 256, ClusterMemory::chosen)).isEqualTo(expected);
  }

  @Test
  void aReleaseInAnotherBlockLetsItsThreadsSeeWhatWasWrittenThere() {
    int[] expected = new int[128];
    int[] in = ClusterMemory.numbers();
    for (int i = 0; i < 128; i++) {
      expected[i] = 2 * in[i ^ 32];
    }
    assertThat(run(grid(4, 32, 2), 128, ClusterMemory::released)).isEqualTo(expected);
  }

  @Test
  void bulkCopiesGoAroundTheBlocks() {
    for (int cluster = 2; cluster <= 8; cluster *= 2) {
      assertThat(run(grid(8, 64, cluster), 512, ClusterMemory::ring))
          .as("clusters of %d", cluster)
          .isEqualTo(ClusterMemory.ring(512, 64, cluster));
    }
  }

  @Test
  void storesArriveAtTheOtherBlocksBarrier() {
    int[] expected = new int[256];
    int[] in = ClusterMemory.numbers();
    for (int i = 0; i < 256; i++) {
      expected[i] = 10 * in[i ^ 64] + 6;
    }
    assertThat(run(grid(4, 64, 2), 256, ClusterMemory::stores)).isEqualTo(expected);
  }

  @Test
  void aBarrierIsToldByAnotherBlockWhatToExpect() {
    int[] in = ClusterMemory.numbers();
    int[] expected = new int[64];
    for (int i = 0; i < 64; i++) {
      expected[i] = in[i % 32];
    }
    assertThat(run(grid(2, 32, 2), 64, ClusterMemory::expects)).isEqualTo(expected);
  }

  @Test
  void copiesThatDoNotReachAnotherBlockAreRefused() {
    assertThatThrownBy(() -> run(grid(2, 64, 2), 128, ClusterMemory::copiesToAnother))
        .isInstanceOfAny(KernelRefusedException.class, DeviceLostException.class)
        .hasStackTraceContaining("does not reach the shared memory of another block");
  }

  @Test
  void anArrayOfAnotherBlockLeadsToNoOther() {
    assertThatThrownBy(() -> run(grid(2, 64, 2), 128, ClusterMemory::ofAnotherTwice))
        .isInstanceOfAny(KernelRefusedException.class, DeviceLostException.class)
        .hasStackTraceContaining("another block");
  }

  @Test
  void anElementThatIsNotThereIsNamed() {
    assumeTrue(machine().isVirtual()); // a GPU writes anything
    assertThatThrownBy(() -> run(grid(2, 64, 2), 128, ClusterMemory::beyond))
        .isInstanceOf(DeviceLostException.class)
        .hasStackTraceContaining("out of bounds");
  }

  @Test
  void aBlockThatIsNotThereIsNamed() {
    assumeTrue(machine().isVirtual()); // a GPU reads anything
    assertThatThrownBy(() -> run(grid(2, 64, 2), 128, ClusterMemory::third))
        .isInstanceOf(DeviceLostException.class)
        .hasStackTraceContaining("Cluster.shared to block 2 of a cluster of 2");
  }

  @Test
  void anOlderDeviceRefusesThem() {
    try (Device older = Device.open("virtual:a100")) {
      assertThatThrownBy(
              () -> ClusterMemory.run(older, Grid.of(2, 64), 128, ClusterMemory::rotated))
          .isInstanceOfAny(KernelRefusedException.class, DeviceLostException.class)
          .hasStackTraceContaining("9.0");
    }
  }
}
