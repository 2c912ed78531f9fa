package dev.stretto.cli.doctor;

import java.util.List;

/** The GPUs on the bus. */
final class HardwareCheck implements Check {
  @Override
  public List<Finding> examine(Machine machine) {
    List<PciGpu> gpus = machine.pciGpus();
    if (!gpus.isEmpty()) {
      return gpus.stream().map(gpu -> Finding.ok("gpu", "NVIDIA GPU at " + gpu.address())).toList();
    }
    if (machine.isWsl() || !machine.driver().gpus().isEmpty()) {
      return List.of(); // another check tells of them
    }
    return List.of(
        Finding.bad(
            "gpu",
            "there is no NVIDIA GPU on the PCI bus",
            "pass one through to this virtual machine, or use virtual devices: "
                + "-Ddev.stretto.device=virtual"));
  }
}
