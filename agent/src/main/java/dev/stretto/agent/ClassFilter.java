package dev.stretto.agent;

import java.util.ArrayList;
import java.util.List;

/**
 * Which packages are watched: those below one of some names, or all; but none below others.
 *
 * @param only where to look; everywhere if empty
 * @param not where not to look
 */
record ClassFilter(List<String> only, List<String> not) {
  ClassFilter {
    only = List.copyOf(only);
    not = List.copyOf(not);
  }

  /** {@return the filter that a list stands for, such as {@code com.acme,-com.acme.made}} */
  static ClassFilter parse(String list) {
    List<String> only = new ArrayList<>();
    List<String> not = new ArrayList<>();
    for (String each : list.split(",", -1)) {
      String name = each.strip();
      if (name.startsWith("-")) {
        not.add(name.substring(1));
      } else if (!name.isEmpty()) {
        only.add(name);
      }
    }
    return new ClassFilter(only, not);
  }

  /** {@return whether a class, its name with dots, is watched} */
  boolean admits(String name) {
    return (only.isEmpty() || only.stream().anyMatch(each -> isBelow(name, each)))
        && not.stream().noneMatch(each -> isBelow(name, each));
  }

  private static boolean isBelow(String name, String place) {
    return name.equals(place) || name.startsWith(place + ".") || name.startsWith(place + "$");
  }
}
