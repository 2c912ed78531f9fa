package dev.stretto.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** Errors in the GPUs' memory. */
final class ErrorCorrectionCheck implements Check {
  @Override
  public List<Finding> examine(Machine machine) {
    List<Finding> findings = new ArrayList<>();
    for (SmiRow row : machine.smi()) {
      if (row.uncorrected().matches("0*[1-9][0-9]*")) {
        findings.add(
            Finding.bad(
                "ecc",
                row.address() + " has " + row.uncorrected() + " errors that were not corrected",
                "sudo nvidia-smi --gpu-reset, or restart; if they come back, replace it"));
      } else if (!row.correction().isEmpty()) {
        findings.add(
            Finding.ok(
                "ecc",
                row.correction().equals("Enabled")
                    ? row.address() + " corrects errors of its memory; none is left"
                    : row.address() + " does not correct errors of its memory"));
      }
    }
    return findings;
  }
}
