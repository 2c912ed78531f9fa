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
import org.junit.jupiter.params.provider.ValueSource;

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
    Path plain = folder.resolve("plain");
    try (RandomAccessFile file = new RandomAccessFile(plain.toFile(), "rw")) {
      file.setLength(256 << 20);
    }
    ProcessBuilder builder =
        process(
            "-Xmx64m", "overlap", plain.toString(), "--device", "virtual", "--out", out.toString());
    // What runs in the background of a shell ignores interrupts, and so does what that starts.
    builder.command().addAll(0, List.of("env", "--default-signal=" + signal));
    Process process = builder.start();
    while (temporaryFiles().size() < 2) {
      assertThat(process.isAlive()).isTrue();
      Thread.sleep(5);
    }
    new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(status);
    assertThat(temporaryFiles()).isEmpty();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("tmp", "out", "err", "plain");
    }
  }

  @Test
  void withoutAFileNoneIsReadOrWritten() throws Exception {
    Process process = start("-Xmx64m", "overlap", "--device", "virtual");
    while (process.isAlive()) {
      assertThat(temporaryFiles()).isEmpty();
      Thread.sleep(5);
    }
    assertThat(process.exitValue()).isZero();
    assertThat(Files.readString(folder.resolve("out"))).contains("random bytes in memory");
  }

  /** An orphan is there until its new parent has noticed its end. */
  private static void requireEnd(ProcessHandle process) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (process.isAlive()) {
      assertThat(System.nanoTime()).as("%s goes on", process.pid()).isLessThan(deadline);
      Thread.sleep(5);
    }
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
  void aSignalEndsTheCommandThatIsCheckedToo(String signal, int status) throws Exception {
    Path pids = folder.resolve("pids");
    // A shell that starts a program, and does not hand on signals.
    String line = "sleep 300 & echo $$ $! >'" + pids + "'; wait; sleep 300";
    ProcessBuilder builder = process("-Xmx64m", "check", "--", "sh", "-c", line);
    builder.command().addAll(0, List.of("env", "--default-signal=" + signal));
    Process process = builder.start();
    while (!Files.exists(pids) || Files.readString(pids).isBlank()) {
      assertThat(process.isAlive()).isTrue();
      Thread.sleep(5);
    }
    List<ProcessHandle> started = new ArrayList<>();
    for (String pid : Files.readString(pids).strip().split(" ", -1)) {
      started.add(ProcessHandle.of(Long.parseLong(pid)).orElseThrow());
    }
    new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(status);
    for (ProcessHandle each : started) {
      requireEnd(each);
    }
    assertThat(temporaryFiles()).isEmpty();
    assertThat(Files.readString(folder.resolve("err")))
        .startsWith("stretto: the command opened no device, or was killed")
        .hasLineCount(1);
  }

  @Test
  void aCommandThatIsEndedIsReportedOn() throws Exception {
    Path mark = folder.resolve("mark");
    List<String> command = new ArrayList<>(List.of("check", "--"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(CheckedProgram.class.getName(), "bad", mark.toString()));
    Process process = start("-Xmx64m", command.toArray(String[]::new));
    while (!Files.exists(mark)) {
      assertThat(process.isAlive()).isTrue();
      Thread.sleep(5);
    }
    process.destroy();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(folder.resolve("err"))).contains("AWAIT_IN_LOOP");
    assertThat(process.exitValue()).isEqualTo(143);
  }

  @Test
  void aCommandThatIgnoresTheSignalIsEndedAllTheSame() throws Exception {
    Path pid = folder.resolve("pid");
    String line = "trap '' TERM; echo $$ >'" + pid + "'; while :; do sleep 1; done";
    Process process = start("-Xmx64m", "check", "--", "sh", "-c", line);
    while (!Files.exists(pid) || Files.readString(pid).isBlank()) {
      assertThat(process.isAlive()).isTrue();
      Thread.sleep(5);
    }
    ProcessHandle started =
        ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
    process.destroy();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    requireEnd(started);
  }

  @ParameterizedTest
  @ValueSource(strings = {">/dev/full", ">&-"})
  void resultsThatCannotBeWrittenAreAFault(String where) throws Exception {
    Path file = Files.write(folder.resolve("plain"), new byte[1000]);
    List<List<String>> commands =
        List.of(
            List.of("devices"),
            List.of("devices", "--json"),
            List.of("--help"),
            List.of("--version"),
            List.of("overlap", file.toString(), "--device", "virtual", "--mode", "sync"),
            List.of("explain", ExplainedKernels.class.getName() + "::scale", "--arch", "sm_80"));
    for (List<String> command : commands) {
      ProcessBuilder builder = process("-Xmx64m", command.toArray(String[]::new));
      builder.command().addAll(0, List.of("sh", "-c", "exec \"$@\" " + where, "sh"));
      Process process = builder.start();
      assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(folder.resolve("err")))
          .startsWith("stretto: the standard output cannot be written")
          .hasLineCount(1);
      assertThat(process.exitValue()).as("%s", command).isEqualTo(1);
    }
  }

  @Test
  void aVirtualDeviceThatStandsInIsOneLine() throws Exception {
    Path file = Files.write(folder.resolve("plain"), new byte[1000]);
    Process process =
        start("-Ddev.stretto.libcuda=/nowhere", "overlap", file.toString(), "--mode", "sync");
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(folder.resolve("err")))
        .isEqualToIgnoringNewLines(
            "stretto: no GPU can be used; a virtual H200 stands in (stretto doctor)");
    assertThat(process.exitValue()).isZero();
    assertThat(Files.readString(folder.resolve("out"))).contains("virtual:0 (no GPU can be used)");
    process =
        start(
            "-Ddev.stretto.libcuda=/nowhere", "overlap", file.toString(), "--mode=sync", "--json");
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(folder.resolve("out")))
        .contains("\"reason\":\"no GPU can be used: /nowhere could not be opened");
    process = start("-Ddev.stretto.device=virtual", "overlap", file.toString(), "--mode", "sync");
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(folder.resolve("err"))).isEmpty();
    assertThat(Files.readString(folder.resolve("out"))).contains("dev.stretto.device=virtual");
  }

  @ParameterizedTest
  @CsvSource({"pumps, many", "libcuda, ''", "device, GPU", "slots, 1", "diagnosis, ''"})
  void aWrongSettingIsOneLine(String setting, String value) throws Exception {
    Path file = Files.write(folder.resolve("plain"), new byte[1000]);
    String option = "-Ddev.stretto." + setting + "=" + value;
    Process process = start(option, "overlap", file.toString(), "--mode", "sync");
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(folder.resolve("err")))
        .startsWith("stretto: " + option + ": ")
        .contains("; allowed: ")
        .hasLineCount(1);
    assertThat(process.exitValue()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"%s, prints more than 1048576 bytes", "false, refuses the kernel"})
  void anotherProgramInThePlaceOfTheAssembler(String program, String why) throws Exception {
    ProcessBuilder builder =
        process("-Xmx64m", "explain", ExplainedKernels.class.getName() + "::scale");
    Path endless = Files.writeString(folder.resolve("endless"), "#!/bin/sh\nexec yes\n");
    assertThat(endless.toFile().setExecutable(true)).isTrue();
    builder.environment().put("PTXAS", program.formatted(endless));
    Process process = builder.start();
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(Files.readString(folder.resolve("err"))).contains(why).hasLineCount(1);
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
            "Its resource usage is not known: there is no ptxas on the path or in \\$PTXAS, and no"
                + " GPU\\.|\\d+ registers, .* \\(driver\\)");
    assertThat(temporaryFiles()).isEmpty();
  }
}
