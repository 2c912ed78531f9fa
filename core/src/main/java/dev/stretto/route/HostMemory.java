package dev.stretto.route;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * How much memory the process may use: the machine's, or less if it runs in a container or another
 * control group. Reads the files of Linux ({@code proc(5)}, {@code cgroups(7)}). A file that cannot
 * be read counts as no limit.
 */
public final class HostMemory {
  /** A mounted hierarchy of control groups: which part of it is mounted at which place. */
  private record Mount(Path part, Path place, boolean unified) {}

  /** Read once: it takes ten times as long as all else that opening a virtual device does. */
  private static final class OfThisProcess {
    static final long BYTES = bytes(Path.of("/"));
  }

  private final Path root;

  private HostMemory(Path root) {
    this.root = root;
  }

  /**
   * {@return how many bytes the process might use when this was first asked, or {@link
   * Long#MAX_VALUE} if no limit is known}
   */
  static long bytes() {
    return OfThisProcess.BYTES;
  }

  /**
   * {@return the same, with the files read below a folder}
   *
   * @param root the folder that contains {@code proc}
   */
  public static long bytes(Path root) {
    HostMemory memory = new HostMemory(root);
    return Math.min(memory.ofMachine(), memory.ofGroups());
  }

  private long ofMachine() {
    for (String line : lines(root.resolve("proc/meminfo"))) {
      if (line.startsWith("MemTotal:")) {
        long kibibytes = number(line.replaceAll("[^0-9]", ""));
        return kibibytes > Long.MAX_VALUE / 1024 ? kibibytes : kibibytes * 1024;
      }
    }
    return Long.MAX_VALUE;
  }

  /** {@return the lowest limit of the process's groups and the groups around them} */
  private long ofGroups() {
    long least = Long.MAX_VALUE;
    for (String line : lines(root.resolve("proc/self/cgroup"))) {
      String[] fields = line.split(":", 3); // hierarchy, controllers, path
      if (fields.length < 3) {
        continue;
      }
      boolean unified = fields[1].isEmpty();
      if (unified || List.of(fields[1].split(",")).contains("memory")) {
        for (Mount mount : mounts(unified)) {
          least = Math.min(least, ofGroup(mount, fields[2]));
        }
      }
    }
    return least;
  }

  private List<Mount> mounts(boolean unified) {
    return lines(root.resolve("proc/self/mountinfo")).stream()
        .map(line -> line.split(" "))
        .filter(fields -> isMountOfMemory(fields, unified))
        .map(fields -> new Mount(path(fields[3]), path(fields[4]), unified))
        .toList();
  }

  /** Fields: number, parent, device, part, place, options, others, "-", kind, source, options. */
  private static boolean isMountOfMemory(String[] fields, boolean unified) {
    int dash = Arrays.asList(fields).indexOf("-");
    if (dash < 6 || dash + 3 >= fields.length) {
      return false;
    }
    return unified
        ? fields[dash + 1].equals("cgroup2")
        : fields[dash + 1].equals("cgroup")
            && List.of(fields[dash + 3].split(",")).contains("memory");
  }

  /**
   * Returns the lowest limit from the process's group up to the top of the mount. A container may
   * see its own group as the top, or a path that begins outside the mount. Then only the top can be
   * read.
   */
  private long ofGroup(Mount mount, String path) {
    Path top = root.resolve(relative(mount.place));
    Path group = path(path);
    Path below = group.startsWith(mount.part) ? mount.part.relativize(group) : path("");
    Path folder = top.resolve(relative(below)).normalize();
    if (!folder.startsWith(top) || !Files.isDirectory(folder)) {
      folder = top;
    }
    long least = ofFolder(folder, mount.unified);
    for (Path up = folder.getParent();
        up != null && up.startsWith(top) && !folder.equals(top);
        up = up.getParent()) {
      least = Math.min(least, ofFolder(up, mount.unified));
    }
    return least;
  }

  private static long ofFolder(Path folder, boolean unified) {
    if (unified) {
      return Math.min(limit(folder, "memory.max"), limit(folder, "memory.high"));
    }
    long least = limit(folder, "memory.limit_in_bytes");
    for (String line : lines(folder.resolve("memory.stat"))) {
      if (line.startsWith("hierarchical_memory_limit ")) { // including groups that cannot be seen
        least = Math.min(least, number(line.substring(line.indexOf(' ') + 1)));
      }
    }
    return least;
  }

  private static long limit(Path folder, String name) {
    List<String> lines = lines(folder.resolve(name));
    return lines.isEmpty() ? Long.MAX_VALUE : number(lines.getFirst());
  }

  /** A number of bytes; anything else, such as "max", is no limit. */
  private static long number(String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException | SecurityException e) {
      return List.of(); // no limit is known
    }
  }

  /** Decodes the path of a mount, in which spaces are written as octal numbers. */
  private static Path path(String text) {
    try {
      return Path.of(text.replace("\\040", " "));
    } catch (InvalidPathException e) {
      return Path.of("");
    }
  }

  private static Path relative(Path path) {
    return path.isAbsolute() ? Path.of("/").relativize(path) : path;
  }
}
