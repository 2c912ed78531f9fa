package dev.stretto.cli.doctor;

import dev.stretto.driver.cuda.DriverProbe.Gpu;
import java.util.List;

/** What the GPUs can do. */
final class ProductsCheck implements Check {
  private static final int OLDEST = 8;

  @Override
  public List<Finding> examine(Machine machine) {
    return machine.driver().gpus().stream().map(ProductsCheck::judge).toList();
  }

  private static Finding judge(Gpu gpu) {
    String what =
        "%s, compute capability %d.%d"
            .formatted(gpu.name(), gpu.computeMajor(), gpu.computeMinor());
    return gpu.computeMajor() < OLDEST
        ? Finding.warn(
            "product", what, "copies work; kernels in Java need compute capability 8.0 or later")
        : Finding.ok("product", what);
  }
}
