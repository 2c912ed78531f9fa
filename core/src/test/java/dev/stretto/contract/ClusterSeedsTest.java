package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Sample;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalInts;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Kernels that use the shared memory of other blocks, with their threads in many orders. */
class ClusterSeedsTest {
  private static final int SEEDS = Sample.of("stretto.seeds", 20, 200);

  private static void eachOrderGives(
      int[] expected, Grid grid, KernelMethod.Of2<GlobalInts, GlobalInts> kernel) {
    for (int seed = 1; seed <= SEEDS; seed++) {
      try (Device device = Device.open("virtual:h200,seed=" + seed)) {
        assertThat(ClusterMemory.run(device, grid, expected.length, kernel))
            .as("seed %d", seed)
            .isEqualTo(expected);
      }
    }
  }

  private static Grid grid(int blocks, int threads, int cluster) {
    return Grid.of(blocks, threads).withCluster(cluster, 1, 1);
  }

  @Test
  void readsAndWritesOfOtherBlocks() {
    eachOrderGives(ClusterMemory.rotated(96, 16, 3), grid(6, 16, 3), ClusterMemory::rotated);
  }

  @Test
  void atomicOperations() {
    eachOrderGives(ClusterMemory.histogram(4, 32, 4), grid(4, 32, 4), ClusterMemory::histogram);
  }

  @Test
  void bulkCopies() {
    eachOrderGives(ClusterMemory.ring(256, 64, 4), grid(4, 64, 4), ClusterMemory::ring);
  }

  @Test
  void releases() {
    int[] in = ClusterMemory.numbers();
    int[] expected = new int[64];
    for (int i = 0; i < 64; i++) {
      expected[i] = 2 * in[i ^ 32];
    }
    eachOrderGives(expected, grid(2, 32, 2), ClusterMemory::released);
  }

  @Test
  void storesThatABarrierCounts() {
    int[] in = ClusterMemory.numbers();
    int[] expected = new int[128];
    for (int i = 0; i < 128; i++) {
      expected[i] = 10 * in[i ^ 64] + 6;
    }
    eachOrderGives(expected, grid(2, 64, 2), ClusterMemory::stores);
  }

  @Test
  void numbersThatThreadsJoinToThoseOfOtherBlocks() {
    eachOrderGives(ClusterReductions.joined(3, 3), grid(3, 32, 3), ClusterReductions::eachThread);
  }

  @Test
  void bulkCopiesThatJoin() {
    eachOrderGives(ClusterReductions.joined(3, 3), grid(3, 32, 3), ClusterReductions::inBulk);
  }

  @Test
  void countsThatAreExpectedAsTheyAreSent() {
    eachOrderGives(ClusterMemory.histogram(4, 32, 4), grid(4, 32, 4), ClusterReductions::binned);
  }

  @Test
  void arrivalsInEachWay() {
    int[] expected = new int[192];
    Arrays.fill(expected, 8 + 7);
    eachOrderGives(expected, grid(6, 32, 3), ClusterBarriers::arrivals);
  }

  @Test
  void waitsForATime() {
    int[] in = ClusterMemory.numbers();
    int[] expected = new int[128];
    Arrays.setAll(expected, i -> in[i ^ 64]);
    eachOrderGives(expected, grid(2, 64, 2), BarrierWaits::ofCluster);
    Arrays.fill(expected, 31);
    eachOrderGives(expected, grid(2, 64, 1), BarrierWaits::inVain);
    eachOrderGives(BarrierWaitTest.inTime(128), grid(2, 64, 1), BarrierWaits::inTime);
  }

  @Test
  void waitsWhileOthersLook() {
    int[] expected = new int[64];
    Arrays.setAll(expected, i -> i == 0 ? 7 : 14);
    eachOrderGives(expected, grid(1, 64, 1), BarrierWaits::whileOthersLook);
  }
}
