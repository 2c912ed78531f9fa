package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The code in the README and the guide is code that runs: apart from indentation, it is part of an
 * example or a test. The README's code is whole programs, which compile as they stand. The output
 * that the pages show is what the examples print.
 */
class DocumentsTest {
  static final Path ROOT = Path.of("..");
  private static final List<String> DOCUMENTS = documents();
  private static final List<String> FOLDERS =
      List.of(
          "examples/src/main/java",
          "examples/src/test/java",
          "examples/testing/src",
          "core/src/test/java",
          "junit/src/test/java",
          "kernels/src/main/java",
          "kernels/src/test/java",
          "spark/src/test/java");
  private static final String RUN = "$ examples/run ";

  /** The languages of other code on the pages, and how the names of their files end. */
  private static final Map<String, String> OTHER_CODE =
      Map.of("cuda", ".cu", "kotlin", ".kt", "jshell", ".jsh");

  record Block(String document, int line, String language, List<String> lines) {
    String place() {
      return document + ":" + line;
    }

    @Override
    public String toString() {
      return place() + " " + lines.getFirst();
    }
  }

  /** {@return the README, the page of tests, the guide's index and all its pages} */
  private static List<String> documents() {
    List<String> documents =
        new ArrayList<>(List.of("README.md", "docs/guide.md", "docs/testing.md"));
    Path guide = Path.of("docs/guide");
    try (var pages = Files.list(ROOT.resolve(guide))) {
      pages
          .map(page -> guide.resolve(page.getFileName()).toString())
          .sorted()
          .forEach(documents::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(documents);
  }

  static List<Block> code() {
    return blocks("java");
  }

  static List<Block> output() {
    return blocks("text").stream().filter(block -> block.lines.getFirst().startsWith(RUN)).toList();
  }

  @ParameterizedTest
  @MethodSource("code")
  void showsCodeThatRuns(Block block) {
    assertThat(sources().anyMatch(source -> holds(source, block.lines)))
        .as(
            "%s shows code that no example and no test holds:%n%s",
            block.place(), String.join("\n", block.lines))
        .isTrue();
  }

  static List<Block> otherCode() {
    return OTHER_CODE.keySet().stream()
        .flatMap(language -> blocks(language).stream())
        .filter(block -> !block.lines.getFirst().equals("repositories {")) // of Gradle
        .toList();
  }

  /** Of CUDA C++, Kotlin and jshell: all of it is compiled by a test. */
  @ParameterizedTest
  @MethodSource("otherCode")
  void showsCodeInOtherLanguagesThatRuns(Block block) {
    String end = OTHER_CODE.get(block.language);
    assertThat(
            files(ROOT.resolve("examples/src"), end).stream()
                .map(DocumentsTest::readSource)
                .anyMatch(source -> holds(source, block.lines)))
        .as("%s shows code that no %s file of the examples holds", block.place(), end)
        .isTrue();
  }

  static List<Block> otherOutput() {
    return blocks("text").stream()
        .filter(block -> block.document.startsWith("docs/guide"))
        .filter(block -> !block.document.endsWith("errors.md")) // ErrorsPageTest provokes those
        .filter(block -> !block.lines.getFirst().startsWith(RUN))
        .toList();
  }

  /** What a test runs, it compares with what stands in it. */
  @ParameterizedTest
  @MethodSource("otherOutput")
  void showsOutputThatATestHolds(Block block) {
    List<String> asLiteral = block.lines.stream().map(line -> line.replace("\\", "\\\\")).toList();
    assertThat(
            sources().anyMatch(source -> holds(source, asLiteral))
                || Expectation.all().stream().anyMatch(it -> it.holds(block.lines)))
        .as("%s shows output that no test holds", block.place())
        .isTrue();
  }

  static List<Block> programs() {
    return code().stream().filter(block -> block.document.equals("README.md")).toList();
  }

  @ParameterizedTest
  @MethodSource("programs")
  void theReadmesProgramsCompileAsTheyStand(Block program, @TempDir Path classes) {
    StringWriter messages = new StringWriter();
    boolean compiles =
        ToolProvider.getSystemJavaCompiler()
            .getTask(
                messages,
                null,
                null,
                List.of("-proc:none", "-d", classes.toString(), "-classpath", placeOfCore()),
                null,
                List.of(source(program)))
            .call();
    assertThat(compiles).as("%s compiles:%n%s", program.place(), messages).isTrue();
  }

  /** {@return the folder or the jar of the library} */
  static String placeOfCore() {
    try {
      return Path.of(Device.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JavaFileObject source(Block program) {
    String text = String.join("\n", program.lines);
    Matcher type = Pattern.compile("class (\\w+)").matcher(text);
    assertThat(type.find()).as("%s is a program with a class", program.place()).isTrue();
    URI name = URI.create("string:///" + type.group(1) + JavaFileObject.Kind.SOURCE.extension);
    return new SimpleJavaFileObject(name, JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }

  @Test
  void theReadmesProgramMasksAFileAndUnmasksIt(@TempDir Path folder) throws IOException {
    Path plain = folder.resolve("plain");
    Path masked = folder.resolve("masked");
    Path again = folder.resolve("again");
    Files.writeString(plain, "the next voice enters before the last has finished");
    MaskFile.main(plain.toString(), masked.toString());
    MaskFile.main(masked.toString(), again.toString());
    assertThat(masked).isRegularFile().content(StandardCharsets.ISO_8859_1).startsWith(".2?z");
    assertThat(again).hasSameBinaryContentAs(plain);
  }

  @ParameterizedTest
  @MethodSource("output")
  void showsOutputThatIsPrinted(Block block) {
    String number = block.lines.getFirst().substring(RUN.length(), RUN.length() + 2);
    Expectation printed =
        Expectation.all().stream().filter(it -> it.number().equals(number)).findAny().orElseThrow();
    assertThat(printed.holds(block.lines.subList(1, block.lines.size())))
        .as("%s shows what %s does not print", block.place(), printed)
        .isTrue();
  }

  static List<Block> blocks(String language) {
    return DOCUMENTS.stream()
        .flatMap(document -> blocksOf(document).stream())
        .filter(block -> block.language.equals(language))
        .toList();
  }

  static List<Block> blocksOf(String document) {
    List<Block> blocks = new ArrayList<>();
    Block open = null;
    List<String> lines = read(ROOT.resolve(document));
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).stripTrailing();
      if (!line.startsWith("```")) {
        if (open != null) {
          open.lines.add(line);
        }
      } else if (open == null) {
        open = new Block(document, i + 1, line.substring(3), new ArrayList<>());
      } else {
        blocks.add(open);
        open = null;
      }
    }
    return blocks;
  }

  private static Stream<List<String>> sources() {
    return FOLDERS.stream()
        .flatMap(folder -> files(ROOT.resolve(folder), ".java").stream())
        .map(DocumentsTest::readSource);
  }

  private static List<Path> files(Path folder, String end) {
    try (var files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(end)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@return the lines of a source file, without the marks of the excerpts} */
  private static List<String> readSource(Path file) {
    return read(file).stream()
        .map(String::stripTrailing)
        .filter(line -> !line.strip().startsWith("// @"))
        .toList();
  }

  static List<String> read(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean holds(List<String> source, List<String> excerpt) {
    for (int from = 0; from + excerpt.size() <= source.size(); from++) {
      if (isAt(source, from, excerpt)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the excerpt starts at this line, all of it indented by the same amount. */
  private static boolean isAt(List<String> source, int from, List<String> excerpt) {
    int moved = indentation(source.get(from)) - indentation(excerpt.getFirst());
    for (int i = 0; i < excerpt.size(); i++) {
      String expected = excerpt.get(i);
      String line = source.get(from + i);
      boolean blank = expected.isBlank();
      if (!line.strip().equals(expected.strip())
          || !(blank || indentation(line) - indentation(expected) == moved)) {
        return false;
      }
    }
    return true;
  }

  private static int indentation(String line) {
    return line.length() - line.stripLeading().length();
  }
}
