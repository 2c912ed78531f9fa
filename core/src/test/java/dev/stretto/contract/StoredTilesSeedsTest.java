package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.stretto.Device;
import dev.stretto.Sample;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** Kernels that store by {@code memcpyAsync}, with their threads in many orders. */
class StoredTilesSeedsTest {
  private static final int SEEDS = Sample.of("stretto.seeds", 10, 200);

  private static void eachOrderGives(StoredTilesTest.Stores kernel, IntUnaryOperator expected) {
    for (int seed = 1; seed <= SEEDS; seed++) {
      String name =
          (seed % 2 == 0 ? "virtual:a100" : "virtual:h200")
              + (seed % 4 < 2 ? ",schedule=quiet" : "")
              + ",order=checked,seed="
              + seed;
      int alignment = seed % 3 == 0 ? 4 : 16;
      assertThatCode(
              () -> {
                try (Device device = Device.open(name)) {
                  StoredTilesTest.check(device, 2, kernel, alignment, expected);
                }
              })
          .as("%s, alignment %d", name, alignment)
          .doesNotThrowAnyException();
    }
  }

  @Test
  void tilesOfABlock() {
    eachOrderGives(StoredTiles::byBlock, StoredTilesTest::turned);
    eachOrderGives(StoredTiles::ahead, StoredTilesTest::straight);
    eachOrderGives(StoredTiles::thereAndBack, StoredTilesTest::straight);
    eachOrderGives(StoredTiles::bothAhead, StoredTilesTest::straight);
  }

  @Test
  void tilesOfWarpsAndThreads() {
    eachOrderGives(StoredTiles::byWarp, StoredTilesTest::straight);
    eachOrderGives(StoredTiles::byThread, StoredTilesTest::straight);
  }

  @Test
  void stages() {
    eachOrderGives(StoredTiles::inStages, StoredTilesTest::turned);
    eachOrderGives(StoredTiles::byRoles, StoredTilesTest::turned);
  }
}
