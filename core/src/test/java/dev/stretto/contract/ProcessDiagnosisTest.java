package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A diagnosis that is switched on from outside. */
class ProcessDiagnosisTest {
  @TempDir private Path folder;

  private static String run(List<String> options, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            CheckedProgram.class.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int _ = process.waitFor();
    return output;
  }

  @Test
  void reportsAtTheEnd() throws Exception {
    assertThat(run(List.of("-Ddev.stretto.diagnosis=true"), "bad"))
        .contains(
            "done", "1 finding", "AWAIT_IN_LOOP", "awaitHere(CheckedProgram.java:", "5 times");
  }

  @Test
  void reportsWhenTheProgramExits() throws Exception {
    assertThat(run(List.of("-Ddev.stretto.diagnosis=true"), "bad", "7"))
        .contains("done", "AWAIT_IN_LOOP");
  }

  @Test
  void saysSoWhereThereIsNothing() throws Exception {
    assertThat(run(List.of("-Ddev.stretto.diagnosis=true"), "good"))
        .contains("done", "no hidden synchronization");
  }

  @Test
  void appendsToAFile() throws Exception {
    Path file = folder.resolve("report");
    for (int i = 0; i < 2; i++) {
      assertThat(run(List.of("-Ddev.stretto.diagnosis=" + file), "bad").strip()).isEqualTo("done");
    }
    assertThat(Files.readString(file).split("AWAIT_IN_LOOP", -1)).hasSize(3);
  }

  @Test
  void openingsOfADeviceAreNoLoop() throws Exception {
    assertThat(run(List.of("-Ddev.stretto.diagnosis=true"), "openings"))
        .contains("done", "no hidden synchronization");
  }

  @Test
  void saysTheSameOnEveryRunOfAVirtualDevice() throws Exception {
    String first = run(List.of("-Ddev.stretto.diagnosis=true"), "bad");
    assertThat(first).contains("AWAIT_IN_LOOP", " µs on ");
    for (int i = 0; i < 3; i++) {
      assertThat(run(List.of("-Ddev.stretto.diagnosis=true"), "bad")).isEqualTo(first);
    }
  }

  @Test
  void isOffUnlessAskedFor() throws Exception {
    assertThat(run(List.of("-Ddev.stretto.diagnosis=false"), "bad").strip()).isEqualTo("done");
    assertThat(run(List.of(), "bad").strip()).isEqualTo("done");
  }

  @Test
  void runsWithoutTheFlightRecordersModule() throws Exception {
    assertThat(run(List.of("--limit-modules=java.base,java.logging"), "bad").strip())
        .isEqualTo("done");
  }
}
