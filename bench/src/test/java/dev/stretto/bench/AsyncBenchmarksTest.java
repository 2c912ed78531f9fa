package dev.stretto.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AsyncBenchmarksTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private void run(String device, String... names) {
    List<String> arguments = new ArrayList<>(List.of("--device", device, "--size", "small"));
    arguments.addAll(List.of(names));
    AsyncBenchmarks.run(arguments, new PrintStream(out, true, StandardCharsets.UTF_8));
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"allocate-free-4k", "allocate-free-16m", "allocate-use-free"})
  void whatMemoryCostsIsTold(String name) {
    run("virtual", name);
    assertThat(lines())
        .singleElement()
        .asString()
        .startsWith("{\"bench\":\"" + name + "\",\"operations\":20,\"nanosecondsPerOperation\":")
        .contains("\"bytesAllocatedPerOperation\":");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "graph-chain",
        "graph-wide",
        "graph-chain-copies",
        "graph-wide-copies",
        "copy-all"
      })
  void whatSubmittingCostsAndHowLongAllOfItTakesIsTold(String name) {
    run("virtual", name);
    assertThat(lines()).hasSize(name.startsWith("graph") ? 3 : 2);
    assertThat(lines().getFirst())
        .startsWith("{\"bench\":\"" + name + "\",\"operations\":2,\"nanosecondsPerOperation\":");
    assertThat(lines().getLast())
        .startsWith("{\"bench\":\"" + name + "-done\",\"microseconds\":")
        .contains("\"percentile99\":");
  }

  @ParameterizedTest
  @ValueSource(strings = {"await-event", "await-event-100us", "await-event-10ms"})
  void howLongAnAwaitTakesIsTold(String name) {
    run("virtual", name);
    assertThat(lines())
        .singleElement()
        .asString()
        .startsWith("{\"bench\":\"" + name + "\",\"microseconds\":");
  }

  @Test
  void aSeededDeviceWillDo() {
    run("virtual:h200,seed=5");
    assertThat(lines()).hasSize(20);
  }

  @Test
  void whatIsNoBenchmarkIsRefused() {
    assertThatThrownBy(() -> run("virtual", "graph-round"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no such benchmark: graph-round; there are [allocate-free-4k");
  }
}
