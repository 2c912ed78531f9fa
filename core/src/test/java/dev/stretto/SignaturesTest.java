package dev.stretto;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Programs that compile today compile tomorrow. */
class SignaturesTest {
  private static final String LIST = "signatures.txt";

  /** The first name with a package in a type's line is its own. */
  private static final Pattern TYPE = Pattern.compile("dev\\.stretto\\.[\\w.$]+");

  private static List<String> listed() throws IOException {
    try (InputStream list = SignaturesTest.class.getResourceAsStream(LIST)) {
      return new String(Objects.requireNonNull(list, LIST).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    }
  }

  @Test
  void exportedSignaturesAreThoseOnTheList() throws IOException {
    List<String> actual = Signatures.ofCore();
    List<String> difference = difference(listed(), actual);
    if (!difference.isEmpty()) {
      Files.write(Files.createDirectories(Path.of("target")).resolve(LIST), actual);
    }
    assertThat(difference)
        .as(
            "exported signatures that differ from the list (- gone, + new); if that is meant:"
                + " cp core/target/%s core/src/test/resources/dev/stretto/%s",
            LIST, LIST)
        .isEmpty();
  }

  /** The lines that only one of them has, each below the type that it belongs to. */
  private static List<String> difference(List<String> listed, List<String> actual) {
    List<String> before = withTypes(listed);
    List<String> after = withTypes(actual);
    List<String> difference = new ArrayList<>();
    before.stream()
        .filter(Predicate.not(new HashSet<>(after)::contains))
        .forEach(line -> difference.add("- " + line));
    after.stream()
        .filter(Predicate.not(new HashSet<>(before)::contains))
        .forEach(line -> difference.add("+ " + line));
    return difference;
  }

  private static List<String> withTypes(List<String> lines) {
    List<String> all = new ArrayList<>();
    String type = "";
    for (String line : lines) {
      if (line.startsWith("  ")) {
        all.add("in " + type + ":" + line.substring(1));
      } else {
        type = TYPE.matcher(line).results().findFirst().orElseThrow().group();
        all.add(line);
      }
    }
    return all;
  }
}
