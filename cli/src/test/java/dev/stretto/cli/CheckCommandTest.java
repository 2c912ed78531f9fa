package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stretto check}, with commands that are run for it. */
class CheckCommandTest {
  @TempDir private Path folder;

  private static final List<String> JAVA =
      List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "--enable-native-access=ALL-UNNAMED",
          "-cp",
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
          CheckedProgram.class.getName());

  private static Ran check(List<String> options, List<String> command, String... arguments) {
    List<String> all = new ArrayList<>(List.of("check"));
    all.addAll(options);
    all.add("--");
    all.addAll(command);
    all.addAll(Arrays.asList(arguments));
    return Ran.stretto(all.toArray(String[]::new));
  }

  @Test
  void namesTheMistakeBehindTheCommandsOutput() {
    Ran ran = check(List.of(), JAVA, "bad");
    assertThat(ran.err())
        .contains("1 finding", "AWAIT_IN_LOOP", "CheckedProgram.java:", "Instead: ");
    assertThat(ran.exitCode()).isEqualTo(3);
  }

  @Test
  void namesCopiesAndFlowsThatNobodyHasAwaited() {
    for (String how : List.of("unawaited, closed", "unawaited, open")) {
      Ran ran = check(List.of(), JAVA, how);
      assertThat(ran.err())
          .as(how)
          .contains("2 findings")
          .containsOnlyOnce("a copy to host memory (operation 1 of stream")
          .containsOnlyOnce("a flow through virtual:0 was started")
          .contains("NEVER_AWAITED at dev.stretto.cli.CheckedProgram.leaveUnawaited(")
          .contains("await it, or its stream")
          .doesNotContain("WARNING"); // it is told once
      assertThat(ran.err().lines().filter(line -> line.contains("NEVER_AWAITED at")))
          .as(how)
          .hasSize(2);
      assertThat(ran.exitCode()).isEqualTo(3);
    }
  }

  @Test
  void saysThatThereIsNone() {
    Ran ran = check(List.of(), JAVA, "good");
    assertThat(ran.err()).contains("no hidden synchronization");
    assertThat(ran.exitCode()).isEqualTo(3);
  }

  @Test
  void saysThatThereWasNoDevice() {
    Ran ran = check(List.of(), JAVA, "none");
    assertThat(ran.err()).contains("opened no device");
    assertThat(ran.exitCode()).isZero();
  }

  @Test
  void reachesJavaProgramsThatTheCommandStarts() {
    String line =
        "'" + String.join("' '", JAVA) + "' bad 2>/dev/null; " + String.join(" ", JAVA) + " good";
    Ran ran = check(List.of(), List.of("sh", "-c", line));
    assertThat(ran.err()).contains("AWAIT_IN_LOOP", "no hidden synchronization");
    assertThat(ran.exitCode()).isEqualTo(3);
  }

  @Test
  void aTemporaryFolderMayHaveAnyName() throws Exception {
    String line = "'" + String.join("' '", JAVA) + "' bad";
    for (String name : List.of("a b", "it's", "say \"it\"", "all 'of \"it")) {
      Path temporary = Files.createDirectory(folder.resolve(name));
      List<String> command = new ArrayList<>(JAVA.subList(0, JAVA.size() - 1));
      command.add("-Djava.io.tmpdir=" + temporary);
      command.addAll(List.of(Main.class.getName(), "check", "--", "sh", "-c", line));
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(said).isEqualTo(3);
      assertThat(said).as(name).contains("AWAIT_IN_LOOP");
    }
  }

  @Test
  void writesTheReportToAFile() throws Exception {
    Path file = folder.resolve("report");
    Ran ran = check(List.of("--report", file.toString()), JAVA, "bad");
    assertThat(ran.err()).isEmpty();
    assertThat(Files.readString(file)).contains("AWAIT_IN_LOOP");
  }

  @Test
  void aCommandIsNeeded() {
    Ran ran = Ran.stretto("check");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("no command given");
    assertThat(Ran.stretto("check", "--nonsense").exitCode()).isEqualTo(2);
  }

  @Test
  void aCommandThatIsNotThere() {
    Ran ran = check(List.of(), List.of("/no/such/command"));
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err()).contains("/no/such/command cannot be run");
  }

  // --- with --order -----------------------------------------------------------------------------

  private static List<String> racing(String... options) {
    List<String> java = new ArrayList<>(JAVA.subList(0, JAVA.size() - 1));
    java.addAll(1, List.of(options));
    java.add(RacingProgram.class.getName());
    return java;
  }

  @Test
  void namesRacesOfTheProgramsOwnCodeAndCountsThem() {
    Ran ran = check(List.of("--order"), racing(), "bad");
    assertThat(ran.err())
        .contains("1 race", "race on int[]", "(5 times)", "Await the first one before that line")
        .containsPattern("the program reads 4 bytes at 0x8 \\(RacingProgram.java:\\d+\\)")
        .containsPattern("a copy to the host .* \\(RacingProgram.java:\\d+\\)");
    assertThat(ran.exitCode()).isEqualTo(1);
  }

  @Test
  void saysThatThereAreNoRaces() {
    Ran ran = check(List.of("--order"), racing(), "good");
    assertThat(ran.err()).contains("no races");
    assertThat(ran.exitCode()).isEqualTo(3);
  }

  @Test
  void reportsRacesAsJson() throws Exception {
    Path file = folder.resolve("races.json");
    Ran ran = check(List.of("--order", "--json", "--report", file.toString()), racing(), "bad");
    assertThat(ran.err()).isEmpty();
    JsonNode race = new ObjectMapper().readTree(file.toFile()).get("races").get(0);
    assertThat(race.get("count").asLong()).isEqualTo(5);
    assertThat(race.get("first").asText()).contains("RacingProgram.java:");
    assertThat(race.get("second").asText()).contains("RacingProgram.java:");
    assertThat(race.get("possible").asBoolean()).isFalse();
    assertThat(ran.exitCode()).isEqualTo(1);
  }

  @Test
  void seesOnlyTheClassesThatItIsToldToWatch() {
    assertThat(check(List.of("--order", "--classes", "com.acme"), racing(), "bad").err())
        .contains("no races");
    assertThat(check(List.of("--order", "--classes", "dev.stretto.cli"), racing(), "bad").err())
        .contains("1 race");
    assertThat(check(List.of("--classes", "com.acme"), racing(), "bad").exitCode()).isEqualTo(2);
  }

  @Test
  void reachesJavaProgramsThatTheCommandStartsWithTheAgentToo() {
    Ran ran =
        check(List.of("--order"), List.of("sh", "-c", String.join(" ", racing()) + " bad; true"));
    assertThat(ran.err()).contains("1 race", "RacingProgram.java:");
    assertThat(ran.exitCode()).isEqualTo(1);
  }
}
