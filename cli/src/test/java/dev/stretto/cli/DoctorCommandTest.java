package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stretto.cli.doctor.PlantedMachine;
import dev.stretto.driver.cuda.DriverProbe.End;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DoctorCommandTest {
  @TempDir private Path root;

  private static Ran run(PlantedMachine machine, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    Console console = new Console(print, print, 80, 0);
    int exitCode = new CommandLine(new DoctorCommand(console, machine::machine)).execute(arguments);
    return new Ran(exitCode, out.toString(StandardCharsets.UTF_8), "");
  }

  @Test
  void aGoodMachineIsOk() {
    Ran ran = run(new PlantedMachine(root));
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out().lines().toList())
        .allMatch(line -> line.length() <= 80)
        .contains("ok   gpu: NVIDIA GPU at 0000:1b:00.0")
        .endsWith("0 bad, 0 to look at");
  }

  @Test
  void whatIsBadHasALineAndAWayOut() {
    Ran ran = run(new PlantedMachine(root).driver(End.NOT_STARTED, 13_000, 802));
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.out().lines().toList())
        .allMatch(line -> line.length() <= 80)
        .containsSequence(
            "bad  driver: cuInit fails with 802: the links between the GPUs are not up yet",
            "     → sudo systemctl start nvidia-fabricmanager, of the driver's own version;",
            "       at a start of the machine: wait")
        .endsWith("1 bad, 0 to look at");
  }

  @Test
  void jsonHasTheSame() throws Exception {
    Ran ran = run(new PlantedMachine(root).driver(End.NOT_STARTED, 13_000, 999), "--json");
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.out()).hasLineCount(1);
    JsonNode json = new ObjectMapper().readTree(ran.out());
    assertThat(json.get("bad").asInt()).isEqualTo(1);
    assertThat(json.get("warnings").asInt()).isZero();
    assertThat(json.get("findings"))
        .filteredOn(finding -> finding.get("level").asText().equals("bad"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.get("check").asText()).isEqualTo("driver");
              assertThat(finding.get("finding").asText()).startsWith("cuInit fails with 999");
              assertThat(finding.get("remedy").asText()).contains("nvidia-modprobe");
            });
  }

  @Test
  void aWrongCommandLineIsOne() {
    assertThat(Ran.stretto("doctor", "--nosuch").exitCode()).isEqualTo(2);
    assertThat(Ran.stretto("doctor", "me").exitCode()).isEqualTo(2);
  }

  @Test
  void thisMachinesExitCodeIsThatOfItsWorstFinding() throws Exception {
    Ran ran = Ran.stretto("doctor", "--json");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isEqualTo(ran.json().get("bad").asInt() == 0 ? 0 : 1);
  }
}
