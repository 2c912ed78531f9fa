package dev.stretto.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrayBenchmarksTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private void run(String... arguments) {
    ArrayBenchmarks.run(List.of(arguments), new PrintStream(out, true, StandardCharsets.UTF_8));
  }

  @Test
  void everyChunkEveryStreamAndEveryFlowGetsALine() {
    run("--device", "virtual", "--bytes", "2097152", "--rounds", "1");
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines).filteredOn(line -> line.contains("-whole")).hasSize(3);
    assertThat(lines)
        .filteredOn(line -> line.contains("\"array-through\""))
        .hasSize(2 * 5)
        .anyMatch(line -> line.contains("\"chunkBytes\":2097152,\"streams\":16,"));
    assertThat(lines).filteredOn(line -> line.contains("\"array-flow\"")).hasSize(2 + 4);
  }

  @Test
  void anOptionThatDoesNotExistIsRefused() {
    assertThatThrownBy(() -> run("--chunk", "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no such option: --chunk");
  }
}
