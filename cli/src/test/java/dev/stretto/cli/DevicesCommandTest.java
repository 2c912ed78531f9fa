package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stretto.Device;
import dev.stretto.driver.DeviceProperties;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevicesCommandTest {
  @Test
  void listsTheVirtualDeviceAtLeast() {
    Ran ran = Ran.stretto("devices");
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).containsPattern("(?m)^virtual +NVIDIA H200 \\(virtual\\) .* 3$");
  }

  @Test
  void saysWhyThereIsNoGpuIfThereIsNone() throws Exception {
    Ran ran = Ran.stretto("devices");
    boolean gpu =
        Ran.stretto("devices", "--json").json().findValuesAsText("driver").contains("cuda");
    assertThat(ran.out().contains("no GPU can be used")).isEqualTo(!gpu);
  }

  @Test
  void jsonNamesWhatTheDeviceOptionTakes() throws Exception {
    Ran ran = Ran.stretto("devices", "--json");
    JsonNode last = null;
    for (JsonNode device : ran.json().get("devices")) {
      last = device;
    }
    assertThat(last).isNotNull();
    assertThat(last.get("device").asText()).isEqualTo("virtual");
    assertThat(last.get("driver").asText()).isEqualTo("virtual");
    assertThat(last.get("multiprocessors").asInt()).isEqualTo(132);
    assertThat(last.get("totalBytes").asLong()).isPositive();
  }

  @Test
  void everyProfileIsListedAndOpens() throws Exception {
    String table = Ran.stretto("devices").out();
    assertThat(table.lines().skip(2).filter(line -> !line.isEmpty()))
        .allMatch(line -> line.length() <= 80);
    JsonNode profiles = Ran.stretto("devices", "--json").json().get("profiles");
    assertThat(profiles.findValuesAsText("device"))
        .contains("virtual:h200", "virtual:a100", "virtual:rtx4090")
        .doesNotHaveDuplicates();
    for (JsonNode profile : profiles) {
      String name = profile.get("device").asText();
      try (Device device = Device.open(name)) {
        DeviceProperties opened = device.properties();
        assertThat(opened.name()).endsWith(profile.get("models").asText() + " (virtual)");
        assertThat(opened.totalBytes()).isEqualTo(profile.get("totalBytes").asLong());
        assertThat(opened.computeMajor()).isEqualTo(profile.get("computeMajor").asInt());
        assertThat(opened.computeMinor()).isEqualTo(profile.get("computeMinor").asInt());
        assertThat(opened.copyEngines()).isEqualTo(profile.get("copyEngines").asInt());
        assertThat(table)
            .containsPattern(
                "(?m)^%s +%s +%s .* %d\\.%d "
                    .formatted(
                        name.substring("virtual:".length()),
                        profile.get("models").asText(),
                        ByteSize.show(opened.totalBytes()),
                        opened.computeMajor(),
                        opened.computeMinor()));
      }
      assertThat(profile.get("toDeviceBytesPerSecond").asDouble()).isBetween(1e9, 1e12);
      assertThat(profile.get("memoryBytesPerSecond").asDouble()).isBetween(1e11, 1e14);
      assertThat(profile.get("linkBytesPerSecond").asDouble() > 0)
          .isEqualTo(!profile.get("link").asText().equals("HOST"));
    }
  }

  @Test
  void aMeasuredHostIsTheNameOfADevice(@TempDir Path folder) throws Exception {
    Ran ran = Ran.stretto("devices", "--measure-host=" + folder);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .matches(
            "virtual:h200,file-read=[0-9.]+,file-write=[0-9.]+,file-writes=[0-9.]+,host-copy=[0-9.]+"
                + ",host-cores=[0-9]+\\R");
    try (Device device = Device.open(ran.out().strip())) {
      assertThat(device.hostClock().cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
      assertThat(device.hostClock().readNanos(1 << 20)).isBetween(1_000L, 1_000_000_000L);
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aHostThatCannotBeMeasuredIsAFaultInOneLine(@TempDir Path folder) {
    Ran ran = Ran.stretto("devices", "--measure-host", folder.resolve("none").toString());
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .contains("the host cannot be measured in " + folder.resolve("none"))
        .contains("no such file or folder")
        .hasLineCount(1);
  }

  @Test
  void sparkReadsTheAddressesOfVirtualDevices() {
    Ran ran = Ran.stretto("devices", "--spark", "virtual:h200x3");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).matches("\\{\"name\":\"gpu\",\"addresses\":\\[\"0\",\"1\",\"2\"]}\\R");
  }

  @Test
  void sparkReadsTheAddressesOfGpusOrIsToldWhatToDo() throws Exception {
    Ran ran = Ran.stretto("devices", "--spark");
    boolean gpu =
        Ran.stretto("devices", "--json").json().findValuesAsText("driver").contains("cuda");
    if (gpu) {
      assertThat(ran.json().get("addresses").get(0).asText()).isEqualTo("0");
      return;
    }
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .contains("no GPU can be used")
        .contains("--spark virtual:h200x2")
        .contains("spark.stretto.devices")
        .hasLineCount(1);
  }

  @Test
  void sparkIsRefusedNamesThatAreNone() {
    assertThat(Ran.stretto("devices", "--spark", "cuda:0"))
        .matches(ran -> ran.exitCode() == 2 && ran.err().contains("'cuda:0' names no virtual"));
    assertThat(Ran.stretto("devices", "--spark", "virtual:h300"))
        .matches(ran -> ran.exitCode() == 2 && ran.err().contains("--spark: "));
  }

  @Test
  void helpAndVersionSucceed() {
    assertThat(Ran.stretto("--help").out()).contains("overlap").contains("devices");
    assertThat(Ran.stretto("overlap", "--help").out()).contains("--chunk").contains("Exit code");
    assertThat(Ran.stretto("--version").out()).startsWith("stretto ");
    assertThat(Ran.stretto("--version").exitCode()).isZero();
  }
}
