package dev.stretto.kernels.product;

import dev.stretto.Device;
import dev.stretto.Stream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Warp groups with each size of tiles, with and without parts, whatever would be chosen. */
@ParameterizedClass(name = "on {0}")
@MethodSource("dev.stretto.kernels.Devices#few")
class WarpGroupProductTest {
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

  private void check(ProductCase product, int... splits) {
    for (Tiling tiling : ProductModel.WARP_GROUPS) {
      for (int parts : splits) {
        product.check(device, stream, choice(tiling, parts));
      }
    }
  }

  @Test
  void eachTileAndEachNumberOfParts() {
    check(ProductCase.plain(150, 264, 200), 1, 2, 4);
  }

  @Test
  void ofAStoredTransposedMatrix() {
    check(ProductCase.plain(150, 264, 200).transposedB(), 1, 2);
  }

  @Test
  void ofBinary16Numbers() {
    check(ProductCase.plain(70, 136, 72).with(ProductFormat.BINARY16), 1);
    check(ProductCase.plain(70, 136, 72).with(ProductFormat.BINARY16).transposedB(), 2);
  }

  @Test
  void manyAtATime() {
    check(ProductCase.plain(70, 72, 136).times(3), 1, 3);
    check(ProductCase.plain(70, 72, 136).times(3).transposedB().withBias(), 1, 3);
  }

  @Test
  void eachActivationWithABiasAndWithout() {
    List<ProductCase> cases = new ArrayList<>();
    for (Activation activation : Activation.values()) {
      cases.add(ProductCase.plain(65, 136, 72).with(activation));
      cases.add(
          ProductCase.plain(65, 136, 72).with(activation).withBias().with(ProductFormat.BINARY16));
    }
    for (ProductCase product : cases) {
      product.check(device, stream, choice(new Tiling(128, 128, 2), 1));
      product.check(device, stream, choice(new Tiling(64, 256, 1), 2));
    }
  }

  @Test
  void theLeastOfEachDimension() {
    check(ProductCase.plain(1, 8, 8), 1);
    check(ProductCase.plain(1, 8, 520), 1, 3);
    check(ProductCase.plain(1, 520, 8).transposedB().withBias(), 1);
  }
}
