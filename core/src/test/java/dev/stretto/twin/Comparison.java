package dev.stretto.twin;

import dev.stretto.twin.Outcome.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What C++ printed beside what Java printed. Only the differences that {@code differences.txt}
 * lists are expected, and those have to be there.
 */
final class Comparison {
  /**
   * A difference that is meant.
   *
   * @param program the program's name
   * @param key the key
   * @param cpp what C++ prints
   * @param java what Java prints
   */
  private record Difference(String program, String key, String cpp, String java) {
    static Difference of(String line) {
      String[] parts = line.split("[|]", -1);
      String[] place = parts[0].strip().split(": ", -1);
      return new Difference(place[0], place[1], parts[1].strip(), parts[2].strip());
    }

    String place() {
      return program + ": " + key;
    }
  }

  private final Map<String, Difference> differences =
      Outcome.resource("differences.txt").stream()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(Difference::of)
          .collect(Collectors.toMap(Difference::place, Function.identity()));

  private final Outcome cpp;
  private final Outcome java;

  Comparison(Outcome cpp, Outcome java) {
    this.cpp = cpp;
    this.java = java;
  }

  /** {@return the names of all programs of either side} */
  Set<String> programs() {
    Set<String> all = new LinkedHashSet<>(cpp.programs().keySet());
    all.addAll(java.programs().keySet());
    return all;
  }

  /** {@return how many of a program's lines differ as they are meant to} */
  long expected(String program) {
    return java.programs().getOrDefault(program, Map.of()).values().stream()
        .filter(Value::isExpectedToDiffer)
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
            "%s: %s=%s is printed by %s alone"
                .formatted(
                    program,
                    key,
                    (their == null ? our : their).text(),
                    their == null ? "Java" : "C++"));
      } else {
        compare(program + ": " + key, their, our, wrong);
      }
    }
    return wrong;
  }

  private void compare(String place, Value their, Value our, List<String> wrong) {
    Difference meant = differences.get(place);
    String theirText = meant == null ? our.text() : meant.cpp();
    String ourText = meant == null ? our.text() : meant.java();
    if (!their.text().equals(theirText) || !our.text().equals(ourText)) {
      wrong.add(
          "%s: C++ %s, Java %s%s"
              .formatted(
                  place,
                  their.text(),
                  our.text(),
                  meant == null
                      ? ""
                      : ", but differences.txt says %s and %s".formatted(theirText, ourText)));
    }
    if (our.isExpectedToDiffer() != (meant != null)) {
      wrong.add(
          place
              + (meant == null
                  ? " is an expected difference in Java, and not in differences.txt"
                  : " is in differences.txt, and Java does not say why"));
    }
  }

  /**
   * Prints a table of two files, and ends with 1 if anything differs that is not meant to.
   *
   * @param files what C++ printed, what Java printed
   */
  public static void main(String[] files) throws IOException {
    Comparison comparison =
        new Comparison(
            Outcome.of(Files.readAllLines(Path.of(files[0]))),
            Outcome.of(Files.readAllLines(Path.of(files[1]))));
    int different = 0;
    int listed = 0;
    for (String program : comparison.programs()) {
      List<String> wrong = comparison.unexpected(program);
      boolean differs = !wrong.isEmpty();
      boolean meant = !differs && comparison.expected(program) > 0;
      different += differs ? 1 : 0;
      listed += meant ? 1 : 0;
      System.out.printf(
          "%-44s %s%n",
          program,
          differs ? "DIFFERENT" : meant ? "equal, but for what is meant to differ" : "equal");
      wrong.forEach(line -> System.out.println("    " + line));
    }
    int all = comparison.programs().size();
    System.out.printf(
        "%d programs: %d equal, %d of them but for what is meant to differ, %d different%n",
        all, all - different, listed, different);
    System.exit(different == 0 ? 0 : 1);
  }
}
