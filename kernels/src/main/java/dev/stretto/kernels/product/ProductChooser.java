package dev.stretto.kernels.product;

import dev.stretto.driver.DeviceProperties;

/** Chooses a kernel by what a device has and how rows lie in memory. */
final class ProductChooser {
  /** Where copies by tensor map and of 16 bytes begin. */
  private static final int UNIT = 16;

  private ProductChooser() {}

  /** Whether all rows of A, B and C begin at multiples of 16 bytes in arrays that do. */
  static boolean hasAlignedRows(Problem problem) {
    return problem.n() % (UNIT / Short.BYTES) == 0 && problem.k() % (UNIT / Short.BYTES) == 0;
  }

  /**
   * {@return how to compute a product}
   *
   * @param aligned whether A, B and C begin at multiples of 16 bytes
   */
  static ProductChoice choose(
      DeviceProperties device, Problem problem, ProductFormat format, boolean aligned) {
    int capability = 10 * device.computeMajor() + device.computeMinor();
    ProductModel model = new ProductModel(problem, device.multiprocessors());
    if (capability == 90 && aligned && hasAlignedRows(problem)) {
      ProductModel.Plan plan = model.warpGroups();
      return choice(
          ProductKernel.WARP_GROUPS, plan, "9.0 has warp groups; " + size(problem, device, plan));
    }
    ProductModel.Plan plan = model.portable();
    String size = size(problem, device, plan);
    if (capability < 80 && format == ProductFormat.BFLOAT16) {
      String why = "7.5 has no products of bfloat16 numbers, but of binary16 ones; " + size;
      return choice(ProductKernel.FLOATS, plan, why);
    }
    return choice(
        ProductKernel.TENSOR_CORES, plan, whyPortable(device, problem, aligned) + "; " + size);
  }

  private static ProductChoice choice(ProductKernel kernel, ProductModel.Plan plan, String why) {
    Tiling tiling = plan.tiling();
    return new ProductChoice(
        kernel, tiling.rows(), tiling.columns(), tiling.blocks(), plan.splits(), why);
  }

  private static String whyPortable(DeviceProperties device, Problem problem, boolean aligned) {
    if (device.computeMajor() != 9 || device.computeMinor() != 0) {
      return "only 9.0 has warp groups, and this is %d.%d"
          .formatted(device.computeMajor(), device.computeMinor());
    }
    if (!aligned) {
      return "a tensor map begins at a multiple of 16 bytes, and an array does not";
    }
    return "a tensor map's rows have a multiple of 8 numbers, and n is %d, k is %d"
        .formatted(problem.n(), problem.k());
  }

  private static String size(Problem problem, DeviceProperties device, ProductModel.Plan plan) {
    long tiles = plan.tiling().tiles(problem) * plan.tiling().blocks();
    String waves =
        "%d tiles take %d %s of %d multiprocessors"
            .formatted(
                tiles,
                plan.waves(),
                plan.waves() == 1 ? "wave" : "waves",
                device.multiprocessors());
    return plan.splits() == 1
        ? waves
        : "%d tiles are few for %d multiprocessors, so k = %d is divided by %d"
            .formatted(tiles, device.multiprocessors(), problem.k(), plan.splits());
  }
}
