package dev.stretto.kernels.attention;

import dev.stretto.Device;
import dev.stretto.driver.DeviceProperties;

/** Picks a kernel by device and shape. */
final class Chooser {
  private Chooser() {}

  static AttentionChoice choose(Device device, Problem problem, boolean bf16) {
    DeviceProperties properties = device.properties();
    int capability = 10 * properties.computeMajor() + properties.computeMinor();
    String of =
        "compute capability %d.%d".formatted(properties.computeMajor(), properties.computeMinor());
    if (capability == 90) {
      int dim = WarpGroupLaunch.dim(problem.shape());
      return new AttentionChoice(
          AttentionKernel.WARP_GROUPS,
          WarpGroups.rows(dim),
          WarpGroupLaunch.keysOfBlock(problem),
          "%s has warp groups (wgmma) and tensor maps; its kernel has rows of %d numbers%s"
              .formatted(
                  of,
                  dim,
                  dim == problem.shape().headDim()
                      ? ""
                      : ", of which " + problem.shape().headDim() + " are given"));
    }
    AttentionKernel kernel =
        bf16 && capability < 80 ? AttentionKernel.FLOATS : AttentionKernel.TENSOR_CORES;
    PortableLaunch.Blocks blocks =
        PortableLaunch.blocks(problem.shape().headDim(), kernel, properties);
    return new AttentionChoice(
        kernel, PortableAttention.ROWS, blocks.keys(), reason(of, kernel, blocks));
  }

  private static String reason(String of, AttentionKernel kernel, PortableLaunch.Blocks blocks) {
    String why =
        switch (kernel) {
          case FLOATS -> "tensor cores of " + of + " do not multiply bfloat16 numbers";
          case TENSOR_CORES, WARP_GROUPS -> of + " has no warp groups (wgmma), but mma.sync";
        };
    return "%s; %d keys at a time, in %d %s of shared memory"
        .formatted(why, blocks.keys(), blocks.stages(), blocks.stages() == 1 ? "stage" : "stages");
  }
}
