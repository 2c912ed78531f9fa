package dev.stretto;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How many files of a package depend on each other in a circle. Such files can only be understood,
 * tested and moved together.
 */
class CyclesTest {
  @ParameterizedTest(name = "at most {1} files of {0}")
  @CsvSource({
    "dev.stretto, 15",
    "dev.stretto.enqueue, 1",
    "dev.stretto.observe, 2",
    "dev.stretto.kernel, 12",
    "dev.stretto.kernel.host, 12",
    "dev.stretto.kernel.machine, 12",
    "dev.stretto.route, 10",
  })
  void fewFilesOfAPackageAreInOneCycle(String room, int most) {
    assertThat(largestCycle(uses(room))).hasSizeLessThanOrEqualTo(most);
  }

  /** By file, which other files of the same package it uses. */
  private static Map<String, Set<String>> uses(String room) {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass each : ArchitectureTest.CORE) {
      if (each.getPackageName().equals(room)) {
        Set<String> used = uses.computeIfAbsent(file(each), _ -> new TreeSet<>());
        for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass().getBaseComponentType();
          if (target.getPackageName().equals(room)) {
            used.add(file(target));
          }
        }
      }
    }
    return uses;
  }

  private static String file(JavaClass inner) {
    String name = inner.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  /** Two files are in one cycle if each is reached from the other. */
  private static List<String> largestCycle(Map<String, Set<String>> uses) {
    Map<String, Set<String>> reached = new HashMap<>();
    uses.keySet().forEach(file -> reached.put(file, reachedFrom(file, uses)));
    return uses.keySet().stream()
        .map(
            file ->
                uses.keySet().stream()
                    .filter(
                        other ->
                            reached.get(file).contains(other) && reached.get(other).contains(file))
                    .toList())
        .max(Comparator.comparingInt(List::size))
        .map(ArrayList::new)
        .orElseThrow();
  }

  private static Set<String> reachedFrom(String file, Map<String, Set<String>> uses) {
    Set<String> reached = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(Set.of(file));
    for (String next = open.poll(); next != null; next = open.poll()) {
      for (String used : uses.getOrDefault(next, Set.of())) {
        if (reached.add(used)) {
          open.add(used);
        }
      }
    }
    return reached;
  }
}
