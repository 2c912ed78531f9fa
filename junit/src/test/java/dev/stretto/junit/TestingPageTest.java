package dev.stretto.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;

/**
 * The project of the guide's page "Testing" passes its tests, and those find the mistakes that the
 * page tells of.
 */
class TestingPageTest {
  private static final Path PROJECT = Path.of("..", "examples", "testing", "src");

  @TempDir private Path folder;

  @Test
  void theProjectPasses() throws Exception {
    Runs runs = run(source -> source);
    assertThat(runs.failed()).isEmpty();
    assertThat(runs.names()).hasSizeGreaterThan(110 + 20);
  }

  @Test
  void aMissingWaitIsNamedUnderEverySeed() throws Exception {
    Runs runs = run(without("        kernels.waitFor(copies.record());\n"));
    assertThat(runs.failed()).hasSize(100 + 10);
    assertThat(page()).contains(words(runs.firstThrown().getMessage()));
  }

  @Test
  void aSlotThatIsFilledTooEarlyIsNamedAtOnce() throws Exception {
    Runs runs =
        run(
            without(
                """
                        if (free[slot] != null) {
                          copies.waitFor(free[slot]);
                        }
                """));
    assertThat(runs.failed()).hasSize(100 + 10);
    assertThat(runs.firstThrown()).hasMessageContainingAll("RaceException: ", "Mixer.java:");
  }

  @Test
  void anArrayThatIsLostWhenTheNextCannotBeAllocatedIsFoundByThatFault() throws Exception {
    Runs runs =
        run(
            source ->
                replaced(
                    source,
                    """
                        try (Stream copies = device.stream("copies");
                            Stream kernels = device.stream("kernels");
                            GlobalFloats lefts = device.allocateFloats(2L * chunk);
                            GlobalFloats rights = device.allocateFloats(2L * chunk)) {
                    """,
                    """
                        GlobalFloats lefts = device.allocateFloats(2L * chunk);
                        GlobalFloats rights = device.allocateFloats(2L * chunk);
                        try (Stream copies = device.stream("copies");
                            Stream kernels = device.stream("kernels");
                            lefts;
                            rights) {
                    """));
    assertThat(runs.failed())
        .hasSize(3)
        .allMatch(
            name -> name.contains(": allocate at Mixer") || name.contains(": createStream at"));
    assertThat(page()).contains(words(runs.firstThrown().getMessage()));
  }

  private static String page() throws IOException {
    return words(Files.readString(Path.of("..", "docs", "testing.md")));
  }

  /** A text as it is on a page of any width, and on a device with any number. */
  private static String words(String text) {
    return text.replaceAll("virtual:0(#\\d+)?", "virtual:0")
        .replaceAll("0x[0-9a-f]+", "an address")
        .replaceAll("\\s+", " ");
  }

  private static UnaryOperator<String> without(String lines) {
    return source -> replaced(source, lines, "");
  }

  private static String replaced(String source, String lines, String by) {
    assertThat(source).contains(lines);
    return source.replace(lines, by);
  }

  @BeforeAll
  static void isWhereTheSourcesAre() {
    Assumptions.assumeTrue(Files.exists(PROJECT), "no sources of the project");
  }

  /** Compiles the project with a change of its main class, and runs its tests. */
  private Runs run(UnaryOperator<String> change) throws Exception {
    List<Path> sources = new ArrayList<>();
    for (Path source : sources()) {
      Path copy = folder.resolve(source.getFileName());
      String text = Files.readString(source);
      Files.writeString(copy, copy.endsWith("Mixer.java") ? change.apply(text) : text);
      sources.add(copy);
    }
    Path classes = Files.createDirectory(folder.resolve("classes"));
    compile(sources, classes);
    URL[] place = {classes.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(place, getClass().getClassLoader())) {
      return Runs.of(
          EngineTestKit.engine("junit-jupiter")
              .selectors(selectClass(loader, "com.acme.mixer.MixerTest")));
    }
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(PROJECT)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  private static void compile(List<Path> sources, Path classes) throws IOException {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, null)) {
      boolean compiles =
          javac
              .getTask(
                  messages,
                  files,
                  null,
                  List.of("-proc:none", "-parameters", "-d", classes.toString(), "-cp", classPath),
                  null,
                  files.getJavaFileObjectsFromPaths(sources))
              .call();
      assertThat(compiles).as("the project compiles: %s", messages).isTrue();
    }
  }
}
