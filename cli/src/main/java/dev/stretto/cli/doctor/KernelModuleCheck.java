package dev.stretto.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** The kernel's half of the driver, and whether it has the GPUs. */
final class KernelModuleCheck implements Check {
  private static final String NAME = "kernel-module";

  @Override
  public List<Finding> examine(Machine machine) {
    List<Finding> findings = new ArrayList<>();
    for (PciGpu gpu : machine.pciGpus()) {
      switch (gpu.driver().orElse("")) {
        case "nouveau", "nova", "nova_core" ->
            findings.add(
                Finding.bad(
                    NAME,
                    gpu.address() + " belongs to " + gpu.driver().orElse(""),
                    "install NVIDIA's driver, which blocks that module, and restart"));
        case "vfio-pci" ->
            findings.add(
                Finding.bad(
                    NAME,
                    gpu.address() + " is reserved for a virtual machine (vfio-pci)",
                    "unbind it from vfio-pci, or run inside that virtual machine"));
        default -> {
          // Containers do not always see which driver has a GPU.
        }
      }
    }
    if (machine.moduleVersion().isPresent()) {
      findings.add(Finding.ok(NAME, "nvidia " + machine.moduleVersion().orElseThrow()));
    } else if (findings.isEmpty() && !machine.pciGpus().isEmpty()) {
      findings.add(
          Finding.bad(
              NAME,
              "the kernel module nvidia is not loaded",
              "sudo modprobe nvidia; if it is missing, install NVIDIA's driver, also for "
                  + "this kernel (uname -r)"));
    }
    return findings;
  }
}
