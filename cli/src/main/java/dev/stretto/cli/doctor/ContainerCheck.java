package dev.stretto.cli.doctor;

import java.util.Arrays;
import java.util.List;

/** A container that was started without its GPU. */
final class ContainerCheck implements Check {
  private static final String NAME = "container";
  private static final String CAPABILITIES = "NVIDIA_DRIVER_CAPABILITIES";
  private static final String START =
      "docker run --gpus all …, with NVIDIA's Container Toolkit on the host; Kubernetes: "
          + "resources: limits: nvidia.com/gpu: 1";

  @Override
  public List<Finding> examine(Machine machine) {
    if (!machine.isContainer()) {
      return List.of();
    }
    if (!machine.exists("/dev/nvidiactl") && !machine.exists("/dev/dxg")) {
      String visible = machine.variable("NVIDIA_VISIBLE_DEVICES").orElse("");
      boolean hidden = visible.equals("void") || visible.equals("none");
      return List.of(
          Finding.bad(
              NAME,
              "this container was started without a GPU"
                  + (hidden ? " (NVIDIA_VISIBLE_DEVICES=" + visible + ")" : ""),
              START));
    }
    String capabilities = machine.variable(CAPABILITIES).orElse("compute");
    if (Arrays.stream(capabilities.split(",", -1))
        .map(String::strip)
        .noneMatch(each -> each.equals("compute") || each.equals("all"))) {
      return List.of(
          Finding.bad(
              NAME,
              CAPABILITIES + "=" + capabilities + " leaves libcuda outside",
              "docker run -e " + CAPABILITIES + "=compute,utility …"));
    }
    return List.of(Finding.ok(NAME, "a container with device files of GPUs"));
  }
}
