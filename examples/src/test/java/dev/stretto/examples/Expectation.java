package dev.stretto.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What an example prints on a virtual device: a file of {@code examples/expected}, in which an
 * ellipsis (…) stands for anything within its line that differs from run to run, or from machine to
 * machine.
 */
record Expectation(String number, List<String> lines) {
  private static final Path FOLDER = Path.of("expected");

  static List<Expectation> all() {
    try (var files = Files.list(FOLDER)) {
      return files.sorted().map(Expectation::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Expectation read(Path file) {
    try {
      return new Expectation(
          file.getFileName().toString().replace(".txt", ""), Files.readAllLines(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether these are the example's lines. */
  boolean isMetBy(List<String> printed) {
    return printed.size() == lines.size() && isMetFrom(0, printed);
  }

  /** Whether these are some of the example's lines, one behind the other. */
  boolean holds(List<String> excerpt) {
    for (int from = 0; from + excerpt.size() <= lines.size(); from++) {
      if (isMetFrom(from, excerpt)) {
        return true;
      }
    }
    return false;
  }

  private boolean isMetFrom(int from, List<String> printed) {
    for (int i = 0; i < printed.size(); i++) {
      if (!pattern(lines.get(from + i)).matcher(printed.get(i)).matches()) {
        return false;
      }
    }
    return true;
  }

  private static Pattern pattern(String line) {
    return Pattern.compile(
        Arrays.stream(line.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
  }

  @Override
  public String toString() {
    return "example " + number;
  }
}
