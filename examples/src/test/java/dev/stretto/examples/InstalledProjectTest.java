package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.examples.DocumentsTest.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the pages say about a project of one's own is what stands in the projects that {@code
 * tools/strangers-project} and {@code tools/testing-project} build, and one version is named
 * everywhere.
 */
class InstalledProjectTest {
  private static final List<String> BUILD_FILES =
      List.of(
          "examples/project/pom.xml",
          "examples/project/build.gradle.kts",
          "examples/testing/pom.xml");

  private static final Pattern VERSION =
      Pattern.compile(
          "<groupId>dev\\.stretto</groupId>\\s*<artifactId>[a-z-]+</artifactId>\\s*<version>([^<]*)<"
              + "|\\bstretto-[a-z]+[-:/](\\d[\\w.-]*\\w)");

  static List<Block> ofBuildFiles() {
    return Stream.of("xml", "kotlin")
        .flatMap(it -> DocumentsTest.blocks(it).stream())
        .filter(block -> block.lines().stream().noneMatch(line -> line.startsWith("fun ")))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("ofBuildFiles")
  void aPageShowsLinesOfABuildFile(Block block) {
    assertThat(BUILD_FILES)
        .as("%s: a build file with these lines, in this order", block.place())
        .anyMatch(file -> holds(DocumentsTest.read(DocumentsTest.ROOT.resolve(file)), block));
  }

  private static boolean holds(List<String> file, Block block) {
    Iterator<String> lines = file.iterator();
    for (String expected : block.lines()) {
      boolean found = false;
      while (!found && lines.hasNext()) {
        found = lines.next().strip().equals(expected.strip());
      }
      if (!found) {
        return false;
      }
    }
    return true;
  }

  @Test
  void thereIsOneVersion() throws IOException {
    String version = version();
    TreeSet<String> others = new TreeSet<>();
    int named = 0;
    for (Path file : files()) {
      var matcher = VERSION.matcher(Files.readString(file));
      while (matcher.find()) {
        String found = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        found = found.replaceFirst("\\.jar$", "");
        named++;
        if (!found.equals(version) && !found.equals("${project.version}")) {
          others.add(file + ": " + found);
        }
      }
    }
    assertThat(others).as("versions that are not %s; see tools/version", version).isEmpty();
    assertThat(named).as("places that name a version").isGreaterThan(15);
  }

  /** {@return the version of the root's POM: the first one in it} */
  private static String version() {
    var matcher =
        Pattern.compile("<artifactId>stretto</artifactId>\\s*<version>(.*)</version>")
            .matcher(String.join("\n", DocumentsTest.read(DocumentsTest.ROOT.resolve("pom.xml"))));
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(DocumentsTest.ROOT, 5)) {
      return files
          .filter(file -> !file.toString().contains("/target/"))
          .filter(
              file -> {
                String name = file.getFileName().toString();
                return name.equals("pom.xml")
                    || name.equals("README.md")
                    || name.endsWith(".kts")
                    || file.startsWith(DocumentsTest.ROOT.resolve("docs"));
              })
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
  }
}
