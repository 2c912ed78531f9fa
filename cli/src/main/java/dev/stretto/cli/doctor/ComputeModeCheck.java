package dev.stretto.cli.doctor;

import dev.stretto.driver.cuda.DriverProbe.Gpu;
import java.util.List;
import java.util.stream.Stream;

/** How many processes may use a GPU. */
final class ComputeModeCheck implements Check {
  private static final String NAME = "compute-mode";

  @Override
  public List<Finding> examine(Machine machine) {
    return machine.driver().gpus().stream().flatMap(ComputeModeCheck::judge).toList();
  }

  private static Stream<Finding> judge(Gpu gpu) {
    String remedy = "sudo nvidia-smi -i " + gpu.pciBusId() + " -c DEFAULT";
    return switch (gpu.computeMode()) {
      case 1, 3 ->
          Stream.of(Finding.warn(NAME, gpu.pciBusId() + " lets in one process at a time", remedy));
      case 2 -> Stream.of(Finding.bad(NAME, gpu.pciBusId() + " lets in no process", remedy));
      default -> Stream.empty();
    };
  }
}
