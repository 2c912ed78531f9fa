package dev.stretto.twin;

import dev.stretto.twin.Differences.Difference;
import dev.stretto.twin.Outcome.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What C++ printed beside what Java printed. Only the differences that are listed are expected, and
 * those have to be there.
 */
final class Comparison {
  private final Differences meant = Differences.fromCuda();
  private final Differences ofVirtualDevices;
  private final Outcome cpp;
  private final Outcome java;

  /** What was found to differ and no list has, as a list would have it. */
  private final List<Difference> unlisted = new ArrayList<>();

  private Comparison(Outcome cpp, Outcome java, Differences ofVirtualDevices) {
    this.cpp = cpp;
    this.java = java;
    this.ofVirtualDevices = ofVirtualDevices;
  }

  /** {@return a comparison of both sides on one GPU} */
  static Comparison onGpu(Outcome cpp, Outcome java) {
    return new Comparison(cpp, java, Differences.NONE);
  }

  /** {@return a comparison of Java on virtual devices with C++ as it was noted on a GPU} */
  static Comparison ofVirtualDevices(Outcome noted, Outcome java) {
    return new Comparison(noted, java, Differences.ofVirtualDevices());
  }

  /** {@return the names of all programs of either side} */
  private Set<String> programs() {
    Set<String> all = new LinkedHashSet<>(cpp.programs().keySet());
    all.addAll(java.programs().keySet());
    return all;
  }

  /** {@return how many of a program's lines differ as they are meant to} */
  private long expected(String program) {
    return java.programs().getOrDefault(program, Map.of()).entrySet().stream()
        .filter(
            line ->
                line.getValue().isExpectedToDiffer()
                    || ofVirtualDevices.byPlace().containsKey(place(program, line.getKey())))
        .count();
  }

  /** {@return what is wrong with a program, a line each} */
  List<String> unexpected(String program) {
    Map<String, Value> theirs = cpp.programs().getOrDefault(program, Map.of());
    Map<String, Value> ours = java.programs().getOrDefault(program, Map.of());
    Set<String> keys = new LinkedHashSet<>(theirs.keySet());
    keys.addAll(ours.keySet());
    List<String> wrong = new ArrayList<>();
    for (String key : keys) {
      Value their = theirs.get(key);
      Value our = ours.get(key);
      if (their == null || our == null) {
        wrong.add(
            "%s=%s is printed by %s alone"
                .formatted(
                    place(program, key),
                    (their == null ? our : their).text(),
                    their == null ? "Java" : "C++"));
      } else {
        compare(place(program, key), their, our, wrong);
      }
    }
    return wrong;
  }

  private void compare(String place, Value their, Value our, List<String> wrong) {
    Difference found = new Difference(place, their.text(), our.text());
    Difference listed = listed(place);
    if (listed == null && !found.one().equals(found.other())) {
      wrong.add("%s: C++ %s, Java %s".formatted(place, found.one(), found.other()));
      unlisted.add(found);
    } else if (listed != null && !listed.equals(found)) {
      wrong.add(
          "%s: C++ %s, Java %s, but %s says %s and %s"
              .formatted(
                  place,
                  found.one(),
                  found.other(),
                  ofVirtualDevices.byPlace().containsKey(place)
                      ? Differences.OF_VIRTUAL_DEVICES
                      : Differences.FROM_CUDA,
                  listed.one(),
                  listed.other()));
      unlisted.add(found);
    }
    boolean isMeant = meant.byPlace().containsKey(place);
    if (our.isExpectedToDiffer() != isMeant) {
      wrong.add(
          place
              + (isMeant
                  ? " is in differences.txt, and Java does not say why"
                  : " is an expected difference in Java, and not in differences.txt"));
    }
  }

  /** What virtual devices do comes first: what Stretto means to do there, it does otherwise. */
  private @Nullable Difference listed(String place) {
    Difference virtual = ofVirtualDevices.byPlace().get(place);
    return virtual != null ? virtual : meant.byPlace().get(place);
  }

  private static String place(String program, String key) {
    return program + ": " + key;
  }

  /**
   * Prints a table of two files, and ends with 1 if anything differs that is not meant to: {@code
   * Comparison [--virtual] CPP JAVA}.
   *
   * @param words {@code --virtual} if Java ran on virtual devices; what C++ printed, what Java
   *     printed
   */
  public static void main(String[] words) throws IOException {
    boolean virtual = words[0].equals("--virtual");
    Outcome cpp = Outcome.of(Files.readAllLines(Path.of(words[words.length - 2])));
    Outcome java = Outcome.of(Files.readAllLines(Path.of(words[words.length - 1])));
    Comparison comparison = virtual ? ofVirtualDevices(cpp, java) : onGpu(cpp, java);
    System.exit(comparison.print(virtual ? "virtual devices" : "GPU") ? 0 : 1);
  }

  /** Prints the table, then what differs once more, and the sum last. */
  private boolean print(String javaOn) {
    Map<String, List<String>> different = new LinkedHashMap<>();
    int listed = 0;
    for (String program : programs()) {
      List<String> wrong = unexpected(program);
      boolean meantToDiffer = wrong.isEmpty() && expected(program) > 0;
      listed += meantToDiffer ? 1 : 0;
      if (!wrong.isEmpty()) {
        different.put(program, wrong);
      }
      System.out.printf(
          "%-52s %s%n",
          program,
          !wrong.isEmpty()
              ? "DIFFERENT"
              : meantToDiffer ? "equal, but for what is meant to differ" : "equal");
    }
    different.forEach(
        (program, wrong) -> {
          System.out.printf("DIFFERENT: %s%n", program);
          wrong.forEach(line -> System.out.println("    " + line));
        });
    if (!unlisted.isEmpty()) {
      System.out.println("as lines of a list of differences:");
      unlisted.forEach(difference -> System.out.println("    " + difference));
    }
    int all = programs().size();
    System.out.printf(
        "C++ beside Java on %s: %d programs, %d equal, %d of them but for what is meant to differ,"
            + " %d different%n",
        javaOn, all, all - different.size(), listed, different.size());
    return different.isEmpty();
  }
}
