package dev.stretto.cli.doctor;

import java.util.List;

/** The limit of locked memory, which drivers of network adapters count too. */
final class LockedMemoryCheck implements Check {
  private static final String NAME = "locked-memory";
  private static final String LINE = "Max locked memory";
  private static final long LITTLE = 64 << 10;

  @Override
  public List<Finding> examine(Machine machine) {
    for (String line : machine.lines("/proc/self/limits")) {
      if (line.startsWith(LINE)) {
        return List.of(judge(line.substring(LINE.length()).strip().split("\\s+", -1)[0]));
      }
    }
    return List.of();
  }

  private static Finding judge(String limit) {
    if (limit.matches("\\d{1,18}") && Long.parseLong(limit) <= LITTLE) {
      return Finding.warn(
          NAME,
          "ulimit -l is " + Long.parseLong(limit) / 1024 + " KiB",
          "ulimit -l unlimited; docker run --ulimit memlock=-1 …");
    }
    return Finding.ok(NAME, "ulimit -l: " + limit);
  }
}
