package dev.stretto.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** GPUs that are cut into instances. */
final class MigCheck implements Check {
  private static final String FOLDER = "/proc/driver/nvidia/capabilities";

  @Override
  public List<Finding> examine(Machine machine) {
    List<Finding> findings = new ArrayList<>();
    for (SmiRow row : machine.smi()) {
      if (row.mig().equals("Enabled")) {
        findings.add(on(row.address()));
      }
    }
    if (!findings.isEmpty()) {
      return findings;
    }
    // Without nvidia-smi, the kernel's module tells at least of instances that exist.
    for (String gpu : machine.names(FOLDER)) {
      if (machine.names(FOLDER + "/" + gpu + "/mig").stream()
          .anyMatch(it -> it.matches("gi\\d+"))) {
        findings.add(on(gpu));
      }
    }
    return findings;
  }

  private static Finding on(String gpu) {
    return Finding.warn(
        "mig",
        "MIG is on for " + gpu + ": a process sees one instance, without peers",
        "sudo nvidia-smi -mig 0 makes it whole; an instance: CUDA_VISIBLE_DEVICES=MIG-…");
  }
}
