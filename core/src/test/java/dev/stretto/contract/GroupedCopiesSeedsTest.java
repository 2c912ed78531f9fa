package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Sample;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import org.junit.jupiter.api.Test;

/** Kernels whose copies belong to parts of a block, with their threads in many orders. */
class GroupedCopiesSeedsTest {
  private static final int SEEDS = Sample.of("stretto.seeds", 10, 200);

  private static void eachOrderIsRight(GroupedCopiesTest.Grouped kernel) {
    for (int seed = 1; seed <= SEEDS; seed++) {
      String name =
          (seed % 2 == 0 ? "virtual:a100" : "virtual:h200")
              + (seed % 4 < 2 ? ",schedule=quiet" : "")
              + ",order=checked,seed="
              + seed;
      int alignment = seed % 3 == 0 ? 4 : seed % 3 == 1 ? 16 : 1;
      assertThatCode(
              () -> {
                try (Device device = Device.open(name)) {
                  GroupedCopiesTest.check(device, 1, kernel, alignment);
                }
              })
          .as("%s, alignment %d", name, alignment)
          .doesNotThrowAnyException();
    }
  }

  @Test
  void tiles() {
    eachOrderIsRight(GroupedCopies::byTile);
    eachOrderIsRight(GroupedCopies::tilesAhead);
    eachOrderIsRight(GroupedCopies::tilesStore);
    eachOrderIsRight(GroupedCopies::tilesLeave);
    eachOrderIsRight(GroupedCopies::lanesTakeTurns);
    eachOrderIsRight(GroupedCopies::tilesBringAndStore);
    eachOrderIsRight(GroupedCopies::lanesStoreInTurns);
  }

  @Test
  void aLaneThatLeavesItsTileAloneIsTold() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      try (Device device = Device.open("virtual:h200,seed=" + seed);
          Stream stream = device.stream();
          GlobalInts numbers = device.allocateInts(32)) {
        stream.launch(Grid.of(1, 32), GroupedCopies::oneLeavesItsTile, numbers, numbers);
        assertThatThrownBy(stream::await)
            .as("seed %d", seed)
            .hasMessageContaining("quit of lanes 0x")
            .hasMessageContaining("have to call the same");
      }
    }
  }

  @Test
  void warps() {
    eachOrderIsRight(GroupedCopies::warpsAhead);
    eachOrderIsRight(GroupedCopies::lanesProduce);
    eachOrderIsRight(GroupedCopies::aWarpProduces);
  }

  @Test
  void someWarps() {
    eachOrderIsRight(GroupedCopies::byHalves);
    eachOrderIsRight(GroupedCopies::someWarpsAhead);
    eachOrderIsRight(GroupedCopies::rolesOfSomeWarps);
  }
}
