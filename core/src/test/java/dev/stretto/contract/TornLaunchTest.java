package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalInts;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * That a seed lets copies on other streams happen in the midst of a launch. Its order is not
 * checked: otherwise they are refused.
 */
@WithOrder("off")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TornLaunchTest {
  private static final int SEEDS = 100;
  private static final int BLOCKS = 64;
  private static final int THREADS = 32;

  /** A kernel that fills an array. */
  interface Filling extends KernelMethod.Of2<GlobalInts, Integer> {}

  /** One of them. */
  record Named(String name, Filling kernel, int blocks) {
    @Override
    public String toString() {
      return name + ", " + blocks + " blocks";
    }
  }

  private static List<Named> kernels() {
    return List.of(
        new Named("each thread its element", RaceKernels::filled, BLOCKS),
        new Named("each thread its element", RaceKernels::filled, 1),
        new Named("with a barrier", RaceKernels::filledByNeighbours, BLOCKS));
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void aCopyWithoutAWaitMaySeeAPartOfIt(Named named) {
    int torn = 0;
    int length = named.blocks * THREADS;
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Device device = Device.open("virtual:h200,seed=" + seed);
          Stream kernels = device.stream();
          Stream copies = device.stream();
          GlobalInts x = device.allocateInts(length)) {
        kernels.fill(x, 0).await();
        int[] seen = new int[length];
        kernels.launch(Grid.of(named.blocks, THREADS), named.kernel, x, 7);
        copies.copy(x, seen).await();
        torn += Arrays.stream(seen).distinct().count() > 1 ? 1 : 0;
        kernels.copy(x, seen).await();
        assertThat(seen).as("seed %d, after the launch", seed).containsOnly(7);
      }
    }
    assertThat(torn).as("seeds that saw a part").isGreaterThanOrEqualTo(3);
  }
}
