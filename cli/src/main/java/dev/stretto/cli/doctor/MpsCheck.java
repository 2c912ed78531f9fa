package dev.stretto.cli.doctor;

import java.util.List;

/** NVIDIA's service that lets several processes share a GPU at the same time. */
final class MpsCheck implements Check {
  private static final String NAME = "mps";
  private static final String FOLDER = "CUDA_MPS_PIPE_DIRECTORY";
  private static final String SHARE = "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE";
  private static final String DEFAULT_FOLDER = "/tmp/nvidia-mps";

  @Override
  public List<Finding> examine(Machine machine) {
    String folder = machine.variable(FOLDER).orElse(DEFAULT_FOLDER);
    boolean runs = folder.startsWith("/") && machine.exists(folder + "/control");
    if (!runs) {
      return machine.variable(FOLDER).isPresent()
          ? List.of(
              Finding.warn(
                  NAME,
                  FOLDER + " is set, but no MPS runs in " + folder,
                  "start nvidia-cuda-mps-control -d, or unset " + FOLDER))
          : List.of();
    }
    return List.of(
        Finding.warn(
            NAME,
            "MPS runs: a fault of one process ends all that share the GPU"
                + machine.variable(SHARE).map(share -> "; " + share + " % of it").orElse(""),
            "echo quit | nvidia-cuda-mps-control ends it, if you do not need it"));
  }
}
