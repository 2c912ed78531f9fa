package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** System properties as a process has them: what is wrong is refused by each call that needs it. */
class SettingsInProcessTest {
  private static List<String> run(Class<?> program, List<String> properties, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    properties.forEach(property -> command.add("-D" + property));
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(program.getName());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output.lines().toList();
  }

  @Test
  void aWrongValueIsRefusedByEachCallThatNeedsItAndByNothingElse() throws Exception {
    List<String> lines = run(SettingsProgram.class, List.of());
    assertThat(lines.getLast()).isEqualTo("result: 4711");
    Map<String, List<String>> refusals =
        lines.subList(0, lines.size() - 1).stream()
            .collect(Collectors.groupingBy(line -> line.substring(0, line.indexOf(':'))));
    assertThat(refusals).hasSize(15);
    refusals.forEach(
        (word, said) -> {
          assertThat(said).as(word).hasSize(word.equals("libcuda") ? 4 : 2);
          assertThat(said)
              .allMatch(line -> line.startsWith(word + ": SettingException: -Ddev.stretto." + word))
              .allMatch(line -> line.contains("; allowed: "));
        });
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1, 2, 524288, 0", "256, 64, 64, 4096, 524289, 1000000"})
  void copiesArriveAtTheBoundsOfWhatIsAllowed(
      int pumps, int depth, int ahead, int slots, int slotBytes, int nanos) throws Exception {
    List<String> properties =
        List.of(
            "dev.stretto.pumps=" + pumps,
            "dev.stretto.peerDepth=" + depth,
            "dev.stretto.peerAhead=" + ahead,
            "dev.stretto.slots=" + slots,
            "dev.stretto.slotBytes=" + slotBytes,
            "dev.stretto.awakeNanos=" + nanos,
            "dev.stretto.pollNanos=" + nanos,
            "dev.stretto.patienceMillis=1");
    List<String> lines = run(SettingsProgram.class, properties, "copy");
    assertThat(lines).containsExactly("PEER_STAGED", "equal");
  }

  @Test
  void aMistakenNameIsLoggedOnceWhenTheFirstDeviceIsOpened() throws Exception {
    List<String> lines =
        run(
            OpeningProgram.class,
            List.of("stretto.cache=off", "dev.stretto.pump=3", "stretto.seeds=4"),
            "virtual",
            "virtual");
    assertThat(lines).hasSize(3);
    assertThat(lines.getFirst())
        .startsWith("warning: the system property dev.stretto.pump has no effect: ")
        .contains("the nearest name is dev.stretto.pumps", "its name is dev.stretto.cache")
        .doesNotContain("seeds");
  }

  @Test
  void nothingIsLoggedWhereAllNamesAreRight() throws Exception {
    assertThat(run(OpeningProgram.class, List.of("dev.stretto.pumps=3"), "virtual")).hasSize(1);
  }
}
