package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each link of a page leads to a file that there is, and to one of its headings; each page of the
 * guide is on its index.
 */
class LinksTest {
  private static final Path ROOT = DocumentsTest.ROOT;
  private static final Path GUIDE = ROOT.resolve("docs/guide");
  private static final Pattern LINK = Pattern.compile("\\[[^\\[\\]]+]\\(([^()\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*)$");

  /** Blocks of code, and code within a line: what looks like a link there is none. */
  private static final Pattern CODE = Pattern.compile("(?m)^```[\\s\\S]*?^```$|`[^`\\n]+`");

  private final Map<Path, Set<String>> headings = new HashMap<>();

  @Test
  void everyLinkLeadsSomewhere() {
    List<String> dead = new ArrayList<>();
    int links = 0;
    for (Path page : pages()) {
      for (MatchResult link : LINK.matcher(withoutCode(page)).results().toList()) {
        String to = link.group(1);
        if (!to.matches("[a-z]+:.*")) {
          links++;
          if (!leadsSomewhere(page, to)) {
            dead.add(ROOT.relativize(page) + ": " + to);
          }
        }
      }
    }
    assertThat(dead).isEmpty();
    assertThat(links).as("links are found").isGreaterThan(200);
  }

  private boolean leadsSomewhere(Path page, String to) {
    String[] parts = to.split("#", 2);
    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    return Files.exists(target)
        && (parts.length == 1
            || headings.computeIfAbsent(target, LinksTest::headings).contains(parts[1]));
  }

  /** {@return the names that GitHub gives a page's headings} */
  private static Set<String> headings(Path page) {
    Set<String> names = new HashSet<>();
    Map<String, Integer> before = new HashMap<>();
    // Code within a line is part of a heading.
    String text = read(page).replaceAll("(?m)^```[\\s\\S]*?^```$", "");
    for (MatchResult heading : HEADING.matcher(text).results().toList()) {
      String name =
          heading
              .group(1)
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-');
      int count = before.merge(name, 1, Integer::sum) - 1;
      names.add(count == 0 ? name : name + "-" + count);
    }
    return names;
  }

  @Test
  void theIndexHasEveryPageOfTheGuide() throws IOException {
    String index = read(ROOT.resolve("docs/guide.md"));
    Set<String> listed =
        LINK.matcher(index)
            .results()
            .map(link -> link.group(1))
            .filter(to -> to.startsWith("guide/"))
            .collect(Collectors.toSet());
    try (Stream<Path> pages = Files.list(GUIDE)) {
      assertThat(listed)
          .containsExactlyInAnyOrderElementsOf(
              pages.map(page -> "guide/" + page.getFileName()).toList());
    }
  }

  @Test
  void everyStepOpensWithItsPicture() throws IOException {
    try (Stream<Path> pages = Files.list(GUIDE)) {
      List<Path> steps =
          pages.filter(page -> page.getFileName().toString().matches("\\d\\d-.*")).toList();
      assertThat(steps).hasSize(20);
      assertThat(steps)
          .allSatisfy(step -> assertThat(DocumentsTest.read(step).get(2)).startsWith("```"));
    }
  }

  private static String withoutCode(Path page) {
    return CODE.matcher(read(page)).replaceAll("");
  }

  private static List<Path> pages() {
    return Stream.of("", "docs", "docs/guide", "examples", "examples/project", "examples/testing")
        .map(ROOT::resolve)
        .flatMap(folder -> markdown(folder).stream())
        .map(Path::normalize)
        .toList();
  }

  private static List<Path> markdown(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".md")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    return String.join("\n", DocumentsTest.read(file));
  }
}
