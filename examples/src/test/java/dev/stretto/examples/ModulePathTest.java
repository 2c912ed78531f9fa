package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The library as a module, used by a program that is one, in a process of its own. */
class ModulePathTest {
  private static final String MODULE =
      """
      module program {
        requires dev.stretto;
      }
      """;

  private static final String PROGRAM =
      """
      package program;

      import dev.stretto.Device;
      import dev.stretto.Grid;
      import dev.stretto.Stream;
      import dev.stretto.kernel.Kernel;
      import dev.stretto.kernel.ThreadBlock;
      import dev.stretto.memory.GlobalInts;
      import java.util.Arrays;

      public final class Main {
        @Kernel
        static void twice(ThreadBlock block, GlobalInts array) {
          int i = block.threadIndexX();
          array.set(i, 2 * array.get(i));
        }

        public static void main(String[] arguments) {
          int[] numbers = {1, 2, 3, 4};
          try (Device device = Device.open("virtual");
              Stream stream = device.stream();
              GlobalInts array = device.allocateInts(numbers.length)) {
            stream.copy(numbers, array);
            stream.launch(Grid.of(1, numbers.length), Main::twice, array);
            stream.copy(array, numbers).await();
          }
          Module library = Device.class.getModule();
          System.out.println(Arrays.toString(numbers));
          System.out.println(Main.class.getModule() + " uses " + library);
          System.out.println("internals exported: " + library.isExported("dev.stretto.route"));
          System.out.println("jdk.jfr: " + library.getLayer().findModule("jdk.jfr").isPresent());
        }
      }
      """;

  @TempDir private Path folder;
  private Path library;
  private Path program;

  @BeforeEach
  void compile() throws IOException, URISyntaxException {
    library = library();
    Path source = Files.createDirectories(folder.resolve("source/program"));
    program = folder.resolve("program");
    javac(
        List.of("--module-path", library.toString(), "-d", program.toString()),
        Files.writeString(source.resolveSibling("module-info.java"), MODULE),
        Files.writeString(source.resolve("Main.java"), PROGRAM));
  }

  /** Where the library lies, as a module: a build outside Maven may have left the name out. */
  private Path library() throws IOException, URISyntaxException {
    Path place = Path.of(Device.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isRegularFile(place) || Files.exists(place.resolve("module-info.class"))) {
      return place;
    }
    Path copy = folder.resolve("library");
    try (Stream<Path> files = Files.walk(place)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path to = copy.resolve(place.relativize(file));
        Files.createDirectories(to.getParent());
        Files.copy(file, to);
      }
    }
    String annotations =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> entry.contains("jspecify"))
            .findAny()
            .orElseThrow();
    javac(
        List.of("--module-path", annotations, "-d", copy.toString()),
        Path.of("../core/src/main/java/module-info.java"));
    return copy;
  }

  private static void javac(List<String> options, Path... sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      boolean compiled =
          compiler
              .getTask(said, files, null, options, null, files.getJavaFileObjects(sources))
              .call();
      assertThat(compiled).as(said.toString()).isTrue();
    }
  }

  private List<String> run(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(
        List.of(
            "--module-path",
            library + File.pathSeparator + program,
            "--enable-native-access=dev.stretto",
            "-Ddev.stretto.cache=off",
            "--module",
            "program/program.Main"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output.lines().toList();
  }

  @Test
  void aModularProgramRunsWithNothingButTheBaseModule() throws Exception {
    assertThat(run("--limit-modules", "java.base,dev.stretto,program"))
        .containsExactly(
            "[2, 4, 6, 8]",
            "module program uses module dev.stretto",
            "internals exported: false",
            "jdk.jfr: false");
  }

  /**
   * A whole JDK has the module for services of its own; an image of a program's modules has not.
   */
  @ParameterizedTest
  @ValueSource(strings = {"--add-modules=jdk.jfr", "-showversion"})
  void whereTheFlightRecorderIsThereItHasTheEvents(String option) throws Exception {
    Path recording = folder.resolve("recording.jfr");
    assertThat(
            run(
                option,
                "-Xlog:disable",
                "-XX:StartFlightRecording:+dev.stretto.Launch#enabled=true,filename=" + recording))
        .contains("[2, 4, 6, 8]", "jdk.jfr: true");
    assertThat(RecordingFile.readAllEvents(recording))
        .extracting(event -> event.getEventType().getName())
        .contains("dev.stretto.Launch");
  }
}
