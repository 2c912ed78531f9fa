package dev.stretto.kernels.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tiles are chosen, and why. */
class ProductModelTest {
  private static final int MULTIPROCESSORS = 132;

  private static ProductModel.Plan plan(int m, int n, int k) {
    return new ProductModel(new Problem(m, n, k, 1, false), MULTIPROCESSORS).warpGroups();
  }

  @ParameterizedTest
  @ValueSource(ints = {4096, 8192, 16384})
  void largeSquaresHaveTheLargestTilesAndClusters(int size) {
    ProductModel.Plan plan = plan(size, size, size);
    assertThat(plan.tiling()).isEqualTo(new Tiling(128, 256, 2));
    assertThat(plan.splits()).isEqualTo(1);
  }

  @Test
  void inOneWaveSharingCostsMoreThanItSaves() {
    assertThat(plan(2048, 2048, 2048).tiling()).isEqualTo(new Tiling(128, 256, 1));
  }

  @Test
  void rowsThatOneTileHoldsAreNotDividedSoThatBIsReadOnce() {
    for (int m = 65; m <= 128; m++) {
      assertThat(plan(m, 4096, 11008).tiling().rows()).isEqualTo(128);
    }
    assertThat(plan(128, 4096, 11008).tiling()).isEqualTo(new Tiling(128, 64, 1));
  }

  @ParameterizedTest
  @CsvSource({"1, 4096, 4096", "16, 4096, 14336", "128, 4096, 11008", "64, 64, 16384"})
  void aLongInnerDimensionIsDividedIfTilesAreFew(int m, int n, int k) {
    ProductModel.Plan plan = plan(m, n, k);
    long tiles = plan.tiling().tiles(new Problem(m, n, k, 1, false));
    assertThat(plan.splits()).isGreaterThan(1);
    assertThat(plan.waves()).isEqualTo(1);
    assertThat(tiles * plan.splits()).isBetween(1L, (long) MULTIPROCESSORS);
  }

  @ParameterizedTest
  @CsvSource({"1, 4096, 4096", "16, 11008, 4096", "64, 14336, 4096"})
  void fewRowsHaveTilesOfFewRows(int m, int n, int k) {
    assertThat(plan(m, n, k).tiling().rows()).isEqualTo(64);
  }

  @Test
  void fewTilesAreMadeSmallerOrDivided() {
    ProductModel.Plan plan = plan(1024, 1024, 1024);
    Tiling tiling = plan.tiling();
    assertThat(tiling.rows() * tiling.columns() / plan.splits()).isLessThan(128 * 256);
    assertThat(plan.waves()).isEqualTo(1);
  }

  @Test
  void aClusterHasRowsForBothBlocks() {
    for (int m = 1; m <= 128; m++) {
      assertThat(plan(m, 8192, 8192).tiling().blocks()).isEqualTo(1);
    }
  }

  /** No part is empty, and the model's best is no worse than any whole plan, but for the margin. */
  @Test
  void partsHaveWorkAndNothingIsMuchBetter() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 500; i++) {
      int m = 1 << random.nextInt(14);
      int n = 8 * (1 + random.nextInt(1024));
      int k = 8 * (1 + random.nextInt(2048));
      ProductModel model = new ProductModel(new Problem(m, n, k, 1, false), MULTIPROCESSORS);
      ProductModel.Plan best = model.warpGroups();
      int stages = Math.ceilDiv(k, WarpGroupProduct.DEPTH);
      int each = Math.ceilDiv(stages, best.splits());
      assertThat((best.splits() - 1) * each).as("%d x %d x %d", m, n, k).isLessThan(stages);
      for (Tiling tiling : ProductModel.WARP_GROUPS) {
        boolean divided = tiling.rows() == 64 && m == 128;
        if (!divided && (tiling.blocks() == 1 || m > tiling.rows())) {
          assertThat(model.plan(tiling, 1, WarpGroupProduct.DEPTH, 1).clocks())
              .as("%d x %d x %d", m, n, k)
              .isGreaterThan(best.clocks() * 0.94);
        }
      }
    }
  }

  @Test
  void theWavesAreCounted() {
    ProductModel model = new ProductModel(new Problem(4096, 4096, 64, 1, false), MULTIPROCESSORS);
    // 16 pairs of tiles below each other times 16, on 66 pairs of multiprocessors.
    assertThat(model.plan(new Tiling(128, 256, 2), 1, 64, 1).waves()).isEqualTo(4);
    assertThat(model.plan(new Tiling(128, 256, 1), 1, 64, 1).waves()).isEqualTo(4);
    // 2,048 tiles of two blocks each, which find room everywhere.
    assertThat(model.plan(new Tiling(64, 128, 1), 2, 64, 1).waves()).isEqualTo(32);
    // 2,048 tiles of three blocks each, which find room on 112 multiprocessors.
    assertThat(model.plan(new Tiling(64, 128, 1), 3, 64, 1).waves()).isEqualTo(56);
  }

  @Test
  void aDeviceWithFewMultiprocessorsHasAPlan() {
    for (int multiprocessors = 1; multiprocessors <= 16; multiprocessors++) {
      Problem problem = new Problem(1, 64, 8192, 1, false);
      assertThat(new ProductModel(problem, multiprocessors).warpGroups().waves()).isPositive();
    }
  }

  @Test
  void anyNumberOfRowsHasAPlanWithWarpGroupsAndWithout() {
    for (int m = 1; m <= 300; m++) {
      ProductModel model = new ProductModel(new Problem(m, 72, 200, 1, false), MULTIPROCESSORS);
      assertThat(model.warpGroups().waves()).isPositive();
      assertThat(model.portable().waves()).isPositive();
    }
  }

  @Test
  void theChoiceSaysWhy() {
    try (Device hopper = Device.open("virtual:h200");
        Device turing = Device.open("virtual:t4");
        Device blackwell = Device.open("virtual:b200")) {
      ProductFormat bfloats = ProductFormat.BFLOAT16;
      MatrixProduct large = MatrixProduct.of(4096, 4096, 4096);
      assertThat(large.choice(hopper, bfloats))
          .hasToString(
              "WARP_GROUPS, tiles of 128 x 256, 2 blocks a cluster, 1 splits: 9.0 has warp groups;"
                  + " 512 tiles take 4 waves of 132 multiprocessors");
      assertThat(MatrixProduct.of(1, 4096, 4096).choice(hopper, bfloats).reason())
          .isEqualTo(
              "9.0 has warp groups; 32 tiles are few for 132 multiprocessors, so k = 4096 is"
                  + " divided by 2");
      assertThat(MatrixProduct.of(64, 10, 64).choice(hopper, bfloats).reason())
          .startsWith(
              "a tensor map's rows have a multiple of 8 numbers, and n is 10, k is 64; 1 tiles");
      assertThat(large.choice(blackwell, bfloats).reason())
          .startsWith("only 9.0 has warp groups, and this is 10.0; ");
      assertThat(large.choice(turing, bfloats).reason())
          .startsWith("7.5 has no products of bfloat16 numbers, but of binary16 ones; ");
      assertThat(large.choice(turing, ProductFormat.BINARY16).kernel())
          .isEqualTo(ProductKernel.TENSOR_CORES);
    }
  }
}
