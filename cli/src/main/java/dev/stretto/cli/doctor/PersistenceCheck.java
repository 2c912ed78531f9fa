package dev.stretto.cli.doctor;

import java.util.List;

/** Whether the driver stays awake between two programs. */
final class PersistenceCheck implements Check {
  @Override
  public List<Finding> examine(Machine machine) {
    return machine.smi().stream()
        .filter(row -> row.persistence().equals("Disabled"))
        .map(
            row ->
                Finding.warn(
                    "persistence",
                    row.address() + " sleeps between programs, so each starts slowly",
                    "sudo systemctl enable --now nvidia-persistenced, or sudo nvidia-smi -pm 1"))
        .toList();
  }
}
