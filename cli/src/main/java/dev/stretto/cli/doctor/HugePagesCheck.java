package dev.stretto.cli.doctor;

import java.util.List;

/** Large pages, which make large copies of the host faster. */
final class HugePagesCheck implements Check {
  private static final String FILE = "/sys/kernel/mm/transparent_hugepage/enabled";

  @Override
  public List<Finding> examine(Machine machine) {
    String modes = machine.text(FILE).orElse("");
    if (modes.isEmpty()) {
      return List.of();
    }
    return List.of(
        modes.contains("[never]")
            ? Finding.warn(
                "huge-pages", "transparent huge pages are off", "echo madvise | sudo tee " + FILE)
            : Finding.ok("huge-pages", "transparent huge pages: " + modes));
  }
}
