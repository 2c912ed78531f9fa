package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What only a process of its own can show. */
@Timeout(60)
class ProcessTest {
  @TempDir private Path folder;
  private Path temporary;

  @BeforeEach
  void createFolder() throws Exception {
    temporary = Files.createDirectory(folder.resolve("tmp"));
  }

  private Process start(String option, String... arguments) throws Exception {
    return process(option, arguments).start();
  }

  private ProcessBuilder process(String option, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Djava.io.tmpdir=" + temporary);
    command.add(option);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("dev.stretto.cli.Main");
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectError(folder.resolve("err").toFile())
        .redirectOutput(folder.resolve("out").toFile());
  }

  private List<Path> temporaryFiles() throws Exception {
    try (Stream<Path> files = Files.walk(temporary)) {
      return files.filter(path -> !path.equals(temporary)).toList();
    }
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void anInterruptLeavesNoFiles(String signal, int status) throws Exception {
    Path out = folder.resolve("cipher");
    ProcessBuilder builder =
        process("-Xmx64m", "overlap", "--device", "virtual", "--out", out.toString());
    // What runs in the background of a shell ignores interrupts, and so does what that starts.
    builder.command().addAll(0, List.of("env", "--default-signal=" + signal));
    Process process = builder.start();
    while (temporaryFiles().size() < 3) {
      assertThat(process.isAlive()).isTrue();
      Thread.sleep(5);
    }
    new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(status);
    assertThat(temporaryFiles()).isEmpty();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("tmp", "out", "err");
    }
  }

  @Test
  void aSmallHeapIsEnough() throws Exception {
    Path file = folder.resolve("plain");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(160L << 20);
    }
    Process process = start("-Xmx64m", "overlap", file.toString(), "--device", "virtual", "--json");
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(folder.resolve("err"))).isEmpty();
    assertThat(process.exitValue()).isZero();
    String out = Files.readString(folder.resolve("out"), StandardCharsets.UTF_8);
    assertThat(out).contains("\"verified\":true").doesNotContain("\"verified\":false");
    assertThat(temporaryFiles()).isEmpty();
  }

  @Test
  void withoutATerminalThereIsNoProgressBar() throws Exception {
    Path file = Files.write(folder.resolve("plain"), new byte[1000]);
    Process process = start("-Xmx64m", "overlap", file.toString(), "--device", "virtual");
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(Files.readString(folder.resolve("err"))).isEmpty();
  }

  @Test
  void whatNobodyCanTellOfAKernelIsSaidNotToBeKnown() throws Exception {
    ProcessBuilder builder =
        process("-Xmx64m", "explain", ExplainedKernels.class.getName() + "::scale");
    builder.environment().put("PATH", folder.toString());
    builder.environment().remove("PTXAS");
    Process process = builder.start();
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(Files.readAllLines(folder.resolve("out")).get(1))
        .matches(
            "What it takes is not known: there is no ptxas on the path or in \\$PTXAS, and no"
                + " GPU\\.|\\d+ registers, .* \\(driver\\)");
    assertThat(temporaryFiles()).isEmpty();
  }
}
