package dev.stretto.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SweepTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private int run(String device, String sizes, String... ways) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--device",
                device,
                "--sizes",
                sizes,
                "--operations",
                "16",
                "--footprint",
                "1M",
                "--millis",
                "0",
                "--warm-millis",
                "0"));
    arguments.addAll(List.of(ways));
    return Sweep.run(arguments, new PrintStream(out, true, StandardCharsets.UTF_8));
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void everyWaySweepsItsSizesStreamsAndThreads() {
    int failed = run("virtual:h200x2", "4K,256K");
    assertThat(failed).isZero();
    assertThat(lines()).noneMatch(line -> line.contains("error") || line.contains("skipped"));
    for (String way : Sweep.ways()) {
      assertThat(lines()).anyMatch(line -> line.startsWith("{\"way\":\"" + way + "\","));
    }
    assertThat(lines())
        .filteredOn(line -> line.contains("\"rows-in\""))
        // At 256 KiB, 1 MiB of memory is too little for 16 streams.
        .hasSize(4 + 3)
        .anyMatch(
            line ->
                line.startsWith(
                    "{\"way\":\"rows-in\",\"size\":262144,\"streams\":4,\"threads\":1,"
                        + "\"kind\":\"rate\",\"value\":"));
    assertThat(lines())
        .filteredOn(line -> line.contains("\"threads-copy\""))
        .hasSize(5)
        .last()
        .asString()
        .contains("\"streams\":16,\"threads\":16,\"kind\":\"rate\"")
        .endsWith("\"unit\":\"Mop/s\",\"operations\":256}");
  }

  @Test
  void withOneDeviceThereIsALineThatSaysSo() {
    assertThat(run("virtual", "4K", "peer-on")).isZero();
    assertThat(lines())
        .containsExactly("{\"way\":\"peer-on\",\"skipped\":\"there is one device only\"}");
  }

  @Test
  void aWayThatFailsLeavesTheOthersTheirTurn() {
    assertThat(run("virtual:h200,pinned=0", "4K", "await-event", "record-wait")).isEqualTo(1);
    assertThat(lines().getFirst()).startsWith("{\"way\":\"await-event\",\"error\":\"");
    assertThat(lines()).anyMatch(line -> line.startsWith("{\"way\":\"record-wait\",\"size\":0,"));
  }

  @Test
  void aWayThatDoesNotExistIsRefused() {
    assertThatThrownBy(() -> run("virtual", "4K", "pinned-sideways"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no such way: pinned-sideways; there are [pinned-in, ");
  }
}
