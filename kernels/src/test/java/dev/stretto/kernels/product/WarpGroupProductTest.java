package dev.stretto.kernels.product;

import dev.stretto.Device;
import dev.stretto.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Warp groups with each size of tiles, with and without parts, whatever would be chosen. */
@ParameterizedClass(name = "on {0}")
@MethodSource("dev.stretto.kernels.Devices#one")
class WarpGroupProductTest {
  private static final Tiling SMALL = new Tiling(64, 128, 1);
  private static final Tiling LARGE = new Tiling(128, 256, 2);
  private static final Tiling[] ALL = ProductModel.WARP_GROUPS.toArray(Tiling[]::new);

  private final Device device;
  private final Stream stream;

  WarpGroupProductTest(String name) {
    device = Device.open(name);
    stream = device.stream();
  }

  @AfterEach
  void close() {
    stream.close();
    device.close();
  }

  private static ProductChoice choice(Tiling tiling, int splits) {
    return new ProductChoice(
        ProductKernel.WARP_GROUPS,
        tiling.rows(),
        tiling.columns(),
        tiling.blocks(),
        splits,
        "asked for by a test");
  }

  private void check(ProductCase product, int splits, Tiling... tilings) {
    for (Tiling tiling : tilings) {
      product.check(device, stream, choice(tiling, splits));
    }
  }

  @Test
  void eachTile() {
    check(ProductCase.plain(150, 264, 200), 1, ALL);
  }

  @Test
  void theInnerDimensionIsDivided() {
    check(ProductCase.plain(150, 264, 200), 2, ALL);
    check(ProductCase.plain(150, 264, 200), 4, SMALL, LARGE);
  }

  @Test
  void theBlocksOfAClusterAddTheirSumsAndFinishThem() {
    ProductCase layer = ProductCase.plain(70, 136, 328).transposedB();
    check(layer.withBias().with(Activation.GELU), 5, SMALL);
    check(ProductCase.plain(1, 72, 520).withBias(), 8, SMALL);
  }

  @Test
  void moreThanEightPartsAreAddedByASecondKernel() {
    check(ProductCase.plain(20, 72, 584), 9, SMALL);
  }

  @Test
  void aMatrixThatIsReadOnce() {
    Tiling narrow = new Tiling(128, 64, 1);
    check(ProductCase.plain(100, 136, 200), 1, SMALL, narrow);
    check(ProductCase.plain(128, 72, 264).transposedB().withBias(), 2, narrow);
    check(ProductCase.plain(16, 72, 136).times(3), 2, SMALL, narrow);
  }

  @Test
  void ofAStoredTransposedMatrix() {
    check(ProductCase.plain(150, 264, 136).transposedB(), 1, ALL);
    check(ProductCase.plain(150, 264, 136).transposedB(), 3, SMALL, LARGE);
  }

  @Test
  void ofBinary16Numbers() {
    ProductCase halfs = ProductCase.plain(70, 136, 72).with(ProductFormat.BINARY16);
    check(halfs, 1, SMALL, LARGE);
    check(halfs.transposedB(), 2, SMALL, LARGE);
  }

  @Test
  void manyAtATime() {
    ProductCase many = ProductCase.plain(70, 72, 136).times(3);
    check(many, 1, SMALL, LARGE);
    check(many.transposedB().withBias(), 3, SMALL, LARGE);
  }

  @Test
  void eachActivationWithABiasAndWithout() {
    for (Activation activation : Activation.values()) {
      ProductCase plain = ProductCase.plain(65, 136, 72).with(activation);
      check(plain.withBias(), 1, LARGE);
      check(plain.with(ProductFormat.BINARY16), 2, SMALL);
    }
  }

  @Test
  void theLeastOfEachDimension() {
    check(ProductCase.plain(1, 8, 8), 1, ALL);
    check(ProductCase.plain(1, 8, 520), 3, SMALL, LARGE);
    check(ProductCase.plain(1, 520, 8).transposedB().withBias(), 1, SMALL, LARGE);
  }

  @Test
  void theWorkOfASeededDeviceComesInAnyOrder() {
    String seed = "virtual:h200,order=checked,seed=" + Integer.getInteger("stretto.seed", 1);
    try (Device seeded = Device.open(seed);
        Stream on = seeded.stream()) {
      ProductCase.plain(150, 264, 264).check(seeded, on, choice(LARGE, 1));
      ProductCase product = ProductCase.plain(70, 72, 264);
      product.transposedB().check(seeded, on, choice(new Tiling(128, 128, 2), 3));
      product.times(2).check(seeded, on, choice(SMALL, 2));
    }
  }
}
