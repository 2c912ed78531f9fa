package dev.stretto.cli.doctor;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The memory through which processes share events and virtual devices. */
final class SharedMemoryCheck implements Check {
  private static final String NAME = "shared-memory";
  private static final String FOLDER = "/dev/shm";
  private static final Pattern SIZE = Pattern.compile("(?:^|,)size=([0-9]{1,15})([kmg]?)(?:,|$)");

  /** What Docker gives a container. */
  private static final long LITTLE = 64 << 20;

  @Override
  public List<Finding> examine(Machine machine) {
    for (String line : machine.lines("/proc/self/mounts")) {
      String[] fields = line.split(" ", -1);
      if (fields.length > 3 && fields[1].equals(FOLDER)) {
        return judge(fields[3].toLowerCase(Locale.ROOT));
      }
    }
    return List.of();
  }

  private static List<Finding> judge(String options) {
    Matcher size = SIZE.matcher(options);
    if (!size.find()) {
      return List.of(Finding.ok(NAME, FOLDER + " has no limit of its own"));
    }
    int power = "kmg".indexOf(size.group(2)) + 1;
    long bytes = Long.parseLong(size.group(1)) << (size.group(2).isEmpty() ? 0 : 10 * power);
    String what = FOLDER + " has " + bytes / (1 << 20) + " MiB";
    return List.of(
        bytes <= LITTLE
            ? Finding.warn(
                NAME,
                what + ", little for several processes",
                "docker run --shm-size=1g …; Kubernetes: an emptyDir with medium: Memory")
            : Finding.ok(NAME, what));
  }
}
