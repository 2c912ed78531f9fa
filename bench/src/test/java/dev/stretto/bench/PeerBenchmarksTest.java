package dev.stretto.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Route;
import dev.stretto.Stream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerBenchmarksTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private int run(String devices, String... names) {
    List<String> arguments = new ArrayList<>(List.of("--devices", devices, "--size", "small"));
    arguments.addAll(List.of(names));
    return PeerBenchmarks.run(arguments, new PrintStream(out, true, StandardCharsets.UTF_8));
  }

  private String lines() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "peer-one, 'bytes gigabytesPerSecond'",
    "peer-both, 'bytes gigabytesPerSecond'",
    "peer-read, 'bytes gigabytesPerSecond'",
    "off-one, 'bytes gigabytesPerSecond'",
    "off-both, 'bytes gigabytesPerSecond'",
    "latency-on, 'bytes microseconds way ways'",
    "latency-off, 'bytes microseconds way ways'",
    "all-to-all, 'devices bytes gigabytesPerSecond'",
    "chain-broadcast, 'devices bytes chunkBytes gigabytesPerSecond'",
    "small-collectives, 'devices bytes copyMicroseconds broadcastMicroseconds"
        + " allToAllMicroseconds'",
    "collectives, 'operation devices bytes gigabytesPerSecond busGigabytesPerSecond'",
    "overlap, 'bytes kernelsMilliseconds copiesMilliseconds togetherMilliseconds hidden'",
  })
  void printsWhatTheProgramInCppPrints(String name, String fields) {
    int failed = run("virtual:h200x3", name);
    assertThat(lines()).startsWith("{\"bench\":\"" + name + "\",").endsWith("}\n");
    for (String field : fields.split(" ", -1)) {
      assertThat(lines()).contains("\"" + field + "\":");
    }
    assertThat(failed).isZero();
  }

  @Test
  void aSeededMachineWillDo() {
    assertThat(run("virtual:h200x2,seed=5", "peer-both", "off-both", "overlap")).isZero();
  }

  @Test
  void aBenchmarkThatCannotRunLeavesTheOthersTheirTurn() {
    assertThat(run("virtual:h200x2,no-peer", "none", "peer-one", "off-one")).isEqualTo(2);
    assertThat(lines())
        .startsWith("{\"bench\":\"none\",\"error\":")
        .contains("\n{\"bench\":\"peer-one\",\"error\":")
        .contains("\n{\"bench\":\"off-one\",\"bytes\":");
  }

  @Test
  void oneDeviceIsTooFew() {
    assertThat(run("virtual", "peer-one", "overlap")).isEqualTo(2);
    assertThat(lines())
        .isEqualTo(
            """
            {"bench":"peer-one","error":"needs two GPUs"}
            {"bench":"overlap","error":"needs two GPUs"}
            """);
  }

  @Test
  void devicesOfSeveralNamesAreOneList() {
    assertThat(run("virtual:h200x2 ; virtual", "all-to-all")).isEqualTo(1);
    assertThat(lines()).contains("belongs to another driver");
  }

  @Test
  void wrongWordsAreFound() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        Words words = new Words(device, 80_000, 1)) {
      words.fill();
      words.compare();
      stream.fill(words.part(8 * 9_998, 16), 7).await();
      assertThatThrownBy(words::compare).hasMessage("2 wrong words on virtual:0");
      words.poison();
      assertThatThrownBy(words::compare).hasMessage("10000 wrong words on virtual:0");
    }
  }

  @Test
  void anotherWayThanTheExpectedOneIsTold() {
    List<Device> devices = Device.openAll("virtual:h200x2");
    try (Transfer there = new Transfer(devices.get(0), devices.get(1), 4096, 1, Route.Kind.PEER);
        Stream stream = devices.get(0).stream()) {
      assertThatThrownBy(() -> there.enqueue(stream)).hasMessageStartingWith("not PEER: Route[");
    } finally {
      devices.forEach(Device::close);
    }
  }
}
