package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which device a program gets, where the machine or its deployment decides. */
public class OpenedDeviceTest {
  private static final String ABSENT = "/nowhere/libcuda.so.1";
  private static final String BROKEN = "libc.so.6";

  /**
   * Runs {@link OpeningProgram}.
   *
   * @param program that, or one that calls it
   * @param library the CUDA driver
   * @param property of the deployment, or nothing
   * @param calls see there
   * @return what it prints
   */
  public static List<String> run(Class<?> program, String library, String property, String... calls)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Ddev.stretto.libcuda=" + library);
    if (!property.isEmpty()) {
      command.add("-Ddev.stretto.device=" + property);
    }
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(program.getName());
    command.addAll(List.of(calls));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output.lines().toList();
  }

  private static List<String> open(String library, String property, String... calls)
      throws IOException, InterruptedException {
    return run(OpeningProgram.class, library, property, calls);
  }

  @ParameterizedTest
  @CsvSource({
    ABSENT + ", could not be opened",
    BROKEN + ", libc.so.6 is not the CUDA driver: it exports no cuInit"
  })
  void aVirtualDeviceThatStandsInForAGpuIsLoggedOnce(String library, String reason)
      throws Exception {
    List<String> lines = open(library, "", "open", "open", "0");
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0))
        .startsWith("warning: Device.open() returns a virtual device")
        .contains(reason, "Device.openGpu()", "-Ddev.stretto.device=virtual");
    assertThat(lines.get(1)).startsWith("open: virtual:").contains("no GPU can be used", reason);
    assertThat(lines.get(3)).startsWith("0: virtual:").contains("no GPU can be used", reason);
  }

  @Test
  void aDeviceThatIsOpenedByNumberIsLoggedToo() throws Exception {
    List<String> lines = open(BROKEN, "", "0", "open", "1");
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).startsWith("warning: Device.open(0) returns a virtual device");
    assertThat(lines.get(3))
        .startsWith("1: NoSuchDeviceException: there is no device 1")
        .contains("no GPU can be used: libc.so.6 is not the CUDA driver");
  }

  @Test
  void aVirtualDeviceThatWasAskedForIsNotLogged() throws Exception {
    assertThat(open(BROKEN, "", "virtual", "virtual:a100,seed=3"))
        .hasSize(2)
        .noneMatch(line -> line.startsWith("warning"));
    assertThat(open(BROKEN, "virtual", "open", "open"))
        .hasSize(2)
        .allMatch(line -> line.startsWith("open: virtual:"))
        .allMatch(line -> line.endsWith("-Ddev.stretto.device=virtual says so"));
  }

  @ParameterizedTest
  @ValueSource(strings = {ABSENT, BROKEN})
  void aProgramThatNeedsAGpuIsToldWhyThereIsNone(String library) throws Exception {
    List<String> lines = open(library, "", "openGpu");
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst())
        .startsWith("openGpu: NoSuchDeviceException: no GPU can be used: " + library);
  }

  @Test
  void theDeploymentsWordDoesNotMakeAGpu() throws Exception {
    List<String> lines = open(BROKEN, "virtual", "openGpu");
    assertThat(lines.getFirst()).startsWith("openGpu: NoSuchDeviceException: no GPU can be used");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "virtual:a100; open: virtual:",
        "virtual:h200,seed=7; open: virtual:",
        "gpu; open: NoSuchDeviceException: -Ddev.stretto.device=gpu: no GPU can be used: libc",
        "cuda:1; open: NoSuchDeviceException: -Ddev.stretto.device=cuda:1: no GPU can be used",
        "GPU; open: SettingException: -Ddev.stretto.device=GPU: 'GPU' names no device",
        "cuda; open: SettingException: -Ddev.stretto.device=cuda: 'cuda' names no device",
        "cuda:x; open: SettingException: -Ddev.stretto.device=cuda:x: 'cuda:x' names no",
        "virtual:h300; open: SettingException: -Ddev.stretto.device=virtual:h300: virtual",
        "virtual:h200x2; open: SettingException: -Ddev.stretto.device=virtual:h200x2: 'vi",
        "' '; open: SettingException: -Ddev.stretto.device= "
      })
  void aDeploymentDecidesWhatOpenGives(String property, String first) throws Exception {
    List<String> lines = open(BROKEN, property, "open", "virtual");
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).startsWith(first);
    assertThat(lines.get(1)).as("what is named is not concerned").startsWith("virtual: virtual:");
  }
}
