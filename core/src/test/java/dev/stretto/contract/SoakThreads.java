package dev.stretto.contract;

import dev.stretto.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The process's platform threads by kind, which is their name without numbers. A pool has as many
 * threads as work came at once so far, and need not have had all of them at the first look: what
 * counts is whether a kind has more than its pool may have, or has grown that is no pool.
 *
 * @param byKind how many of each kind
 */
record SoakThreads(Map<String, Integer> byKind) {
  /** By so many may a kind grow of which nothing is known: of the JVM, the JUnit launcher. */
  private static final int SLACK = 16;

  /** {@return those that there are now} */
  static SoakThreads now() {
    Map<String, Integer> byKind = new TreeMap<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      byKind.merge(kind(thread.getName()), 1, Integer::sum);
    }
    return new SoakThreads(byKind);
  }

  private static String kind(String name) {
    return name.replaceAll("[0-9]+", "#");
  }

  /** {@return what has grown since, and should not, in words} */
  List<String> grownSince(SoakThreads first) {
    List<String> grown = new ArrayList<>();
    byKind.forEach(
        (kind, now) -> {
          int before = first.byKind.getOrDefault(kind, 0);
          if (now > Math.max(before, most(kind)) + SLACK) {
            grown.add("%s: %d, %d at first".formatted(kind, now, before));
          }
        });
    return grown;
  }

  /** How many threads a pool may have. */
  private static int most(String kind) {
    int cores = Runtime.getRuntime().availableProcessors();
    if (kind.startsWith("stretto-pump")) {
      // Of each device; "#" stands for the numbers of all of them.
      return MOST_DEVICES * Math.min(cores, Settings.PUMPS.value().intValue());
    }
    if (kind.startsWith("stretto-virtual")) {
      return MOST_DEVICES * Math.max(cores, 8);
    }
    if (kind.startsWith("stretto-release")) {
      return MOST_DEVICES;
    }
    // The carriers of virtual threads, of which blocked ones are replaced for a while, and those of
    // the common pool.
    return kind.startsWith("ForkJoinPool") ? 2 * cores : 0;
  }

  /** Pools of devices that were closed a second ago still have threads. */
  private static final int MOST_DEVICES = 4;

  @Override
  public String toString() {
    return byKind.values().stream().mapToInt(Integer::intValue).sum()
        + byKind.entrySet().stream()
            .filter(entry -> entry.getValue() > 1)
            .map(entry -> entry.getValue() + " " + entry.getKey())
            .collect(Collectors.joining(", ", " (", ")"));
  }
}
