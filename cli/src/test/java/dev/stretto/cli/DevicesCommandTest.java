package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

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
  void helpAndVersionSucceed() {
    assertThat(Ran.stretto("--help").out()).contains("overlap").contains("devices");
    assertThat(Ran.stretto("overlap", "--help").out()).contains("--chunk").contains("Exit code");
    assertThat(Ran.stretto("--version").out()).startsWith("stretto ");
    assertThat(Ran.stretto("--version").exitCode()).isZero();
  }
}
