package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalInts;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Waits at a barrier for a time, and the rest of what barriers have in the cluster's scope. */
class BarrierWaitTest extends ContractTest {
  private static final int N = 12 * 64;

  private int[] run(KernelMethod.Of2<GlobalInts, GlobalInts> kernel) {
    return ClusterMemory.run(device, Grid.of(12, 64), N, kernel);
  }

  private int[] runClusters(KernelMethod.Of2<GlobalInts, GlobalInts> kernel) {
    assumeTrue(device.properties().computeMajor() >= 9);
    return ClusterMemory.run(device, Grid.of(12, 64).withCluster(2, 1, 1), N, kernel);
  }

  static int[] inTime(int n) {
    int[] in = ClusterMemory.numbers();
    int[] sums = new int[n];
    Arrays.setAll(sums, i -> 3 * in[i / 64 * 64 + (i + 1) % 64] + 6);
    return sums;
  }

  private static int[] allOf(int number) {
    int[] all = new int[N];
    Arrays.fill(all, number);
    return all;
  }

  @Test
  void aPhaseThatEndsInTime() {
    assertThat(run(BarrierWaits::inTime)).isEqualTo(inTime(N));
  }

  @Test
  void aPhaseThatDoesNotEndInTime() {
    assertThat(run(BarrierWaits::inVain)).isEqualTo(allOf(31));
  }

  @Test
  void aThreadWaitsInVainWhileOthersLookForIt() {
    int[] got = run(BarrierWaits::whileOthersLook);
    for (int i = 0; i < N; i++) {
      assertThat(got[i]).isEqualTo(i % 64 == 0 ? 7 : 14);
    }
  }

  @Test
  void olderDevicesWaitByAsking() {
    try (Device older = Device.open("virtual:a100")) {
      assertThat(ClusterMemory.run(older, Grid.of(12, 64), N, BarrierWaits::inTime))
          .isEqualTo(inTime(N));
      assertThat(ClusterMemory.run(older, Grid.of(12, 64), N, BarrierWaits::inVain))
          .isEqualTo(allOf(31));
    }
  }

  @Test
  void onAVirtualDeviceTheShortestWaitEndsFirst() {
    int[] order = new int[N];
    Arrays.setAll(order, i -> 63 - i % 64);
    for (String kernels : new String[] {"virtual:h200", "virtual:a100"}) {
      try (Device virtual = Device.open(kernels)) {
        assertThat(ClusterMemory.run(virtual, Grid.of(12, 64), N, BarrierWaits::oneAfterTheOther))
            .isEqualTo(order);
      }
    }
  }

  @Test
  void threadsThatWaitForEverAreTold() {
    assumeTrue(machine().isVirtual());
    assertThatThrownBy(() -> ClusterMemory.run(device, Grid.of(1, 32), 32, BarrierWaits::forEver))
        .isInstanceOf(DeviceLostException.class)
        .hasStackTraceContaining("misses 1 of 33 arrivals");
  }

  @Test
  void aTimeThatIsNegativeIsRefused() {
    assumeTrue(machine().isVirtual());
    assertThatThrownBy(() -> run(BarrierWaits::backwards))
        .isInstanceOf(DeviceLostException.class)
        .hasStackTraceContaining("-7 nanoseconds: 0 or more");
  }

  @Test
  void instructionsWaitForATime() {
    assumeTrue(device.properties().computeMajor() >= 9);
    int[] got = run(BarrierWaits::byInstructions);
    for (int i = 0; i < N; i++) {
      assertThat(got[i]).isEqualTo(i % 64 < 8 ? 8 : 7);
    }
  }

  @Test
  void relaxedWaitsSeeTheEndOfAPhase() {
    assumeTrue(device.properties().computeMajor() >= 9);
    int[] in = ClusterMemory.numbers();
    int[] expected = new int[N];
    Arrays.setAll(expected, i -> 100 * in[i / 64 * 64 + (i + 1) % 64] + 16);
    assertThat(run(BarrierWaits::relaxedWaits)).isEqualTo(expected);
  }

  @Test
  void relaxedWaitsSeeWhatThreadsOfAnotherBlockEnd() {
    int[] in = ClusterMemory.numbers();
    int[] expected = new int[N];
    Arrays.setAll(expected, i -> 100 * in[i ^ 64] + (i % 64 == 0 ? 4 : 0));
    int[] got = runClusters(ClusterBarriers::relaxedWaits);
    if (machine().isSeeded()) { // where a wait for a time may end before
      Arrays.setAll(expected, i -> expected[i] / 100);
      Arrays.setAll(got, i -> got[i] / 100);
    }
    assertThat(got).isEqualTo(expected);
  }

  @Test
  void aBarrierOfAClusterIsWaitedForForATime() {
    int[] in = ClusterMemory.numbers();
    int[] expected = new int[N];
    Arrays.setAll(expected, i -> in[i ^ 64]);
    assertThat(runClusters(BarrierWaits::ofCluster)).isEqualTo(expected);
  }

  @Test
  void blocksArriveAtEachOthersBarriersInEachWay() {
    assertThat(runClusters(ClusterBarriers::arrivals)).isEqualTo(allOf(8 + 7));
  }
}
