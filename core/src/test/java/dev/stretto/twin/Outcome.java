package dev.stretto.twin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What programs printed: for each, by name and in order, what it says for each key. A line that
 * begins with {@code #} is a comment.
 *
 * @param programs by name, then by key
 */
record Outcome(Map<String, Map<String, Value>> programs) {
  private static final Pattern LINE =
      Pattern.compile("([^:]+): ([^=]+)=(.*?)( \\(expected difference: .+\\))?");

  /**
   * What a program says for a key.
   *
   * @param text the value
   * @param isExpectedToDiffer whether the program says that the other one prints something else
   */
  record Value(String text, boolean isExpectedToDiffer) {}

  /** {@return what lines say} */
  static Outcome of(List<String> lines) {
    Map<String, Map<String, Value>> programs = new LinkedHashMap<>();
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches()) {
        throw new IllegalArgumentException("no line of a program: " + line);
      }
      Value before =
          programs
              .computeIfAbsent(matcher.group(1), _ -> new LinkedHashMap<>())
              .put(matcher.group(2), new Value(matcher.group(3), matcher.group(4) != null));
      if (before != null) {
        throw new IllegalArgumentException("twice: " + line);
      }
    }
    return new Outcome(programs);
  }

  /** {@return what C++ printed on a GPU, as it was noted} */
  static Outcome noted() {
    return of(resource("semantics-h200.txt"));
  }

  /** {@return the lines of a file beside this class} */
  static List<String> resource(String name) {
    try (InputStream in = Outcome.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
