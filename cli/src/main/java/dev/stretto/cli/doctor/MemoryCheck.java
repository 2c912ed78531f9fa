package dev.stretto.cli.doctor;

import dev.stretto.route.HostMemory;
import java.util.List;
import java.util.Locale;

/** How much host memory there is to be pinned. */
final class MemoryCheck implements Check {
  private static final String NAME = "memory";
  private static final long MIB = 1 << 20;

  /** What a device may pin unless the program says otherwise. */
  private static final int PART = 4;

  private static final long LEAST_STAGING = 4 * MIB;
  private static final long MOST_STAGING = 136 * MIB;

  @Override
  public List<Finding> examine(Machine machine) {
    long bytes = HostMemory.bytes(machine.root());
    if (bytes == Long.MAX_VALUE) {
      return List.of();
    }
    long budget = bytes / PART;
    String what = mib(bytes) + "; a device may pin " + mib(budget);
    String remedy = "give the machine or the container more memory, or set device.pinnedBudget(…)";
    if (budget < LEAST_STAGING) {
      return List.of(Finding.bad(NAME, what + ", too little", remedy));
    }
    if (budget < MOST_STAGING) {
      return List.of(Finding.warn(NAME, what + "; 136 are faster", remedy));
    }
    if (machine.jvm().maxHeapBytes() > bytes - budget) {
      return List.of(
          Finding.warn(
              NAME,
              what + ", beside a heap of " + mib(machine.jvm().maxHeapBytes()),
              "together they are more than there is: a smaller -Xmx, or device.pinnedBudget(…)"));
    }
    return List.of(Finding.ok(NAME, what));
  }

  private static String mib(long bytes) {
    return String.format(Locale.ROOT, "%,d MiB", bytes / MIB);
  }
}
