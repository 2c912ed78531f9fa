package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stretto.Device;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BandwidthCommandTest {
  /** What a copy costs beside its bytes, of copies of 16 MiB. */
  private static final double OVERHEAD = 0.05;

  private static JsonNode tests(String... arguments) throws Exception {
    return json(arguments).get("tests");
  }

  private static JsonNode json(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("bandwidth", "--json"));
    all.addAll(List.of(arguments));
    Ran ran = Ran.stretto(all.toArray(String[]::new));
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out().lines()).hasSize(1);
    return ran.json();
  }

  private static void assertMatrix(JsonNode test, double expected) {
    assertThat(test.get("unit").asText()).isEqualTo("GB/s");
    int places = 0;
    for (JsonNode row : test.get("matrix")) {
      for (JsonNode value : row) {
        if (!value.isNull()) {
          places++;
          assertThat(value.asDouble())
              .as(test.get("name").asText())
              .isCloseTo(expected, within(expected * OVERHEAD));
        }
      }
    }
    assertThat(places).isEqualTo(2);
  }

  @Test
  void findsTheRatesOfTheModel() throws Exception {
    JsonNode tests =
        tests(
            "--device",
            "virtual:h200x2",
            "--test",
            "host_to_device,device_to_host,host_to_device_bidirectional,device_to_device_read,"
                + "device_to_device_write,one_to_all_read,device_local_copy",
            "--size",
            "16M");
    assertThat(tests.findValuesAsText("name"))
        .containsExactly(
            "host_to_device",
            "device_to_host",
            "host_to_device_bidirectional",
            "device_to_device_read",
            "device_to_device_write",
            "one_to_all_read",
            "device_local_copy");
    assertMatrix(tests.get(0), 55.5);
    assertMatrix(tests.get(1), 55.4);
    assertMatrix(tests.get(2), 101.7 / 2);
    assertMatrix(tests.get(3), 396);
    assertMatrix(tests.get(4), 396);
    assertMatrix(tests.get(5), 396);
    assertThat(tests.get(6).get("matrix").get(0).get(1).asDouble())
        .as("each byte counts once, though it is read and written; a launch takes its time")
        .isBetween(1_600.0, 2_110.0);
  }

  @Test
  void bothWaysAreTwoMatricesAndTheirSum() throws Exception {
    JsonNode tests =
        tests(
            "--device",
            "virtual:h200x2",
            "--test",
            "device_to_device_bidirectional_write",
            "--size",
            "16M");
    assertThat(tests.findValuesAsText("name"))
        .containsExactly(
            "device_to_device_bidirectional_write_write1",
            "device_to_device_bidirectional_write_write2",
            "device_to_device_bidirectional_write_total");
    assertMatrix(tests.get(2), 782);
    assertThat(tests.get(2).get("matrix").get(0).get(1).asDouble())
        .isEqualTo(
            tests.get(0).get("matrix").get(0).get(1).asDouble()
                + tests.get(1).get("matrix").get(0).get(1).asDouble());
  }

  @Test
  void manySendersFillTheWayIntoOneReceiver() throws Exception {
    JsonNode test =
        tests("--device", "virtual:h200x4", "--test", "all_to_one_write", "--size", "4M").get(0);
    for (JsonNode value : test.get("matrix").get(0)) {
      assertThat(value.asDouble()).isBetween(330.0, 396.0);
    }
  }

  @Test
  void withoutAccessCopiesAreStagedAndSaidToBe() throws Exception {
    String[] options = {
      "--device",
      "virtual:h200x2,no-peer",
      "--test",
      "device_to_device_memcpy_write_ce",
      "--size",
      "32M"
    };
    JsonNode test = tests(options).get(0);
    assertThat(test.get("matrix").get(0).get(1).asDouble()).isBetween(38.0, 55.5);
    assertThat(test.get("routes").get(0).get(0).isNull()).isTrue();
    assertThat(test.get("routes").get(0).get(1).asText()).isEqualTo("PEER_STAGED");
    List<String> text = new ArrayList<>(List.of("bandwidth"));
    text.addAll(List.of(options));
    assertThat(Ran.stretto(text.toArray(String[]::new)).out())
        .contains("PEER_STAGED (row/column): virtual:0/virtual:1, virtual:1/virtual:0");
  }

  @Test
  void inARingOnlyNeighboursHaveALink() throws Exception {
    JsonNode test =
        tests("--device", "virtual:h200x4,ring", "--test=device_to_device_read", "--size=2M")
            .get(0);
    assertThat(test.get("routes").get(1).get(2).asText()).isEqualTo("PEER");
    assertThat(test.get("routes").get(1).get(3).asText()).isEqualTo("PEER_STAGED");
    assertThat(test.get("matrix").get(1).get(3).asDouble())
        .isLessThan(test.get("matrix").get(1).get(2).asDouble() / 4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"virtual:h200x2", "virtual:h200x2,seed=5", "virtual:rtx4090x2"})
  void runsAllTestsInNvbandwidthsOrderOnAnyVirtualDevice(String device) throws Exception {
    JsonNode root = json("--device", device, "--size", "64K");
    assertThat(root.get("tests").findValuesAsText("name"))
        .containsExactly(
            "host_to_device",
            "device_to_host",
            "host_to_device_bidirectional",
            "device_to_host_bidirectional",
            "device_to_device_read",
            "device_to_device_write",
            "device_to_device_bidirectional_read_read1",
            "device_to_device_bidirectional_read_read2",
            "device_to_device_bidirectional_read_total",
            "device_to_device_bidirectional_write_write1",
            "device_to_device_bidirectional_write_write2",
            "device_to_device_bidirectional_write_total",
            "all_to_host",
            "all_to_host_bidirectional",
            "host_to_all",
            "host_to_all_bidirectional",
            "all_to_one_write",
            "all_to_one_read",
            "one_to_all_write",
            "one_to_all_read",
            "host_to_device_sm",
            "device_to_host_sm",
            "host_to_device_bidirectional_sm",
            "device_to_host_bidirectional_sm",
            "all_to_host_sm",
            "all_to_host_bidirectional_sm",
            "host_to_all_sm",
            "host_to_all_bidirectional_sm",
            "device_local_copy");
    assertThat(root.get("left_out").findValuesAsText("name"))
        .containsExactly(
            "device_to_device_read_sm",
            "device_to_device_write_sm",
            "device_to_device_bidirectional_read_sm",
            "device_to_device_bidirectional_write_sm",
            "all_to_one_write_sm",
            "all_to_one_read_sm",
            "one_to_all_write_sm",
            "one_to_all_read_sm",
            "host_device_latency",
            "device_to_device_latency");
  }

  @Test
  void jsonHasExactlyTheFieldsThatArePromised() throws Exception {
    JsonNode root = json("--device", "virtual:h200x2", "--test", "host_to_device", "--size", "64k");
    assertThat(names(root)).containsExactly("devices", "reason", "tests", "left_out");
    assertThat(root.get("devices").findValuesAsText("device"))
        .containsExactly("virtual:0", "virtual:1");
    assertThat(root.get("reason").asText()).isEqualTo("virtual:h200x2, as was asked for");
    assertThat(root.get("left_out")).isEmpty();
    JsonNode test = root.get("tests").get(0);
    assertThat(names(test))
        .containsExactly(
            "name",
            "unit",
            "meaning",
            "rows",
            "columns",
            "matrix",
            "routes",
            "median_of",
            "bytes",
            "verified");
    assertThat(test.get("rows").toString()).isEqualTo("[\"host\"]");
    assertThat(test.get("columns").toString()).isEqualTo("[\"virtual:0\",\"virtual:1\"]");
    assertThat(test.get("matrix")).hasSize(1);
    assertThat(test.get("matrix").get(0)).hasSize(2);
    assertThat(test.get("routes").toString()).isEqualTo("[[null,null]]");
    assertThat(test.get("median_of").asInt()).isEqualTo(3);
    assertThat(test.get("bytes").asLong()).isEqualTo(65_536);
    assertThat(test.get("verified").asBoolean()).isTrue();
  }

  private static List<String> names(JsonNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void printsAMatrixWithNamedRowsAndColumnsAndWhichWayTheBytesGo() {
    Ran ran =
        Ran.stretto(
            StandardCharsets.US_ASCII,
            "bandwidth",
            "--device=virtual:h200x2",
            "--size=1M",
            "--test",
            "host_to_device",
            "device_to_device_write");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out())
        .startsWith("virtual:0  NVIDIA H200 (virtual)")
        .contains("(virtual:h200x2, as was asked for)")
        .contains("All times are modelled.")
        .contains("16 copies of 1 MiB per sample")
        .containsPattern("host \\(row\\) to device \\(column\\)\\R +virtual:0 +virtual:1\\R")
        .containsPattern("(?m)^host +[0-9.]+ +[0-9.]+$")
        .contains("device (row) writes to device (column), on a stream of the writer")
        .containsPattern("(?m)^virtual:1 +[0-9.]+ +-$")
        .contains("yes Every byte arrived at its place.")
        .doesNotContain("PEER", "Left out", "?");
  }

  @Test
  void unlessAskedTakesAllGpusOrElseTwoVirtualDevicesAndSaysWhy() throws Exception {
    boolean gpu = Device.all().getFirst().driver().equals("cuda");
    JsonNode root = json("--test", "host_to_device", "--size", "64K");
    if (gpu) {
      assertThat(root.get("reason").asText()).isEqualTo("all GPUs of this machine");
    } else {
      assertThat(root.get("reason").asText())
          .startsWith("virtual:h200x2, because no GPU can be used: ");
      assertThat(root.get("devices")).hasSize(2);
    }
  }

  /** The list of nvbandwidth 0.8, without the tests of several machines. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "host_to_device_memcpy_ce",
        "device_to_host_memcpy_ce",
        "host_to_device_bidirectional_memcpy_ce",
        "device_to_host_bidirectional_memcpy_ce",
        "device_to_device_memcpy_read_ce",
        "device_to_device_memcpy_write_ce",
        "device_to_device_bidirectional_memcpy_read_ce",
        "device_to_device_bidirectional_memcpy_write_ce",
        "all_to_host_memcpy_ce",
        "all_to_host_bidirectional_memcpy_ce",
        "host_to_all_memcpy_ce",
        "host_to_all_bidirectional_memcpy_ce",
        "all_to_one_write_ce",
        "all_to_one_read_ce",
        "one_to_all_write_ce",
        "one_to_all_read_ce",
        "host_to_device_memcpy_sm",
        "device_to_host_memcpy_sm",
        "host_to_device_bidirectional_memcpy_sm",
        "device_to_host_bidirectional_memcpy_sm",
        "device_to_device_memcpy_read_sm",
        "device_to_device_memcpy_write_sm",
        "device_to_device_bidirectional_memcpy_read_sm",
        "device_to_device_bidirectional_memcpy_write_sm",
        "all_to_host_memcpy_sm",
        "all_to_host_bidirectional_memcpy_sm",
        "host_to_all_memcpy_sm",
        "host_to_all_bidirectional_memcpy_sm",
        "all_to_one_write_sm",
        "all_to_one_read_sm",
        "one_to_all_write_sm",
        "one_to_all_read_sm",
        "host_device_latency_sm",
        "device_to_device_latency_sm",
        "device_local_copy",
      })
  void everyTestOfNvbandwidthsOnOneMachineIsThere(String name) {
    BandwidthTest test = BandwidthTest.of(name);
    assertThat(test.isByKernel() || test.isLatency()).isEqualTo(name.endsWith("_sm"));
  }

  @Test
  void kernelsReachTheRateOfTheModelledLink() throws Exception {
    for (JsonNode test :
        tests(
            "--device",
            "virtual:h200",
            "--test",
            "host_to_device_sm",
            "device_to_host_memcpy_sm")) {
      assertThat(test.get("matrix").get(0).get(0).asDouble()).isBetween(45.0, 56.0);
    }
  }

  @Test
  void oneDeviceHasNoPeersAndNothingIsSaidOfThem() throws Exception {
    JsonNode root = json("--device", "virtual:a100", "--size", "64K");
    assertThat(root.get("tests").findValuesAsText("name"))
        .contains("all_to_host", "device_local_copy")
        .noneMatch(name -> name.startsWith("device_to_device") || name.contains("one"));
    assertThat(root.get("left_out").findValuesAsText("name")).hasSize(18);
    assertThat(Ran.stretto("bandwidth", "--device", "virtual:a100", "--size", "64K").out())
        .contains("Left out because it takes two devices and there is only virtual:0:");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "2 | --frob               | Unknown option",
        "2 | --test frob          | 'frob' is not a test: use host_to_device, device_to_host",
        "2 | --test device_local_copy_sm | is not a test",
        "2 | --test               | --test",
        "2 | --size 100           | a multiple of 16, 4096 or more",
        "2 | --size 4100          | a multiple of 16, 4096 or more",
        "2 | --size much          | 'much' is not a number of bytes",
        "2 | --device gpu         | 'gpu' names no device",
        "2 | --device virtual:b300 | 'b300' is not a legal word",
        "1 | --device cuda:99     | cuda:99",
        "1 | --device virtual --test one_to_all_read | it takes two devices",
        "1 | --device virtual:h200x2 --test device_to_device_latency_sm | do not model",
        "1 | --device virtual:h200x2 --test one_to_all_write_sm | link between devices for kernels",
        "1 | --device virtual --test host_device_latency_sm | do not model",
        "1 | --device virtual:memory=100 | bytes are requested",
        "1 | --device virtual:pinned=100 | may still be pinned",
      })
  void aFaultIsOneLineAndTheRightExitCode(int exitCode, String options, String why) {
    List<String> arguments = new ArrayList<>(List.of("bandwidth"));
    arguments.addAll(List.of(options.split(" +")));
    Ran ran = Ran.stretto(arguments.toArray(String[]::new));
    assertThat(ran.err()).startsWith("stretto: ").contains(why).hasLineCount(1);
    assertThat(ran.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void twoVirtualMachinesAreToldApart() {
    Ran ran =
        Ran.stretto(
            "bandwidth", "--device", "virtual", "--device", "virtual:a100", "--size", "64K");
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).contains("virtual:0 ", "virtual:0#2 ");
  }

  @Test
  void verboseShowsWhereItComesFrom() {
    Ran ran = Ran.stretto("bandwidth", "--device", "virtual:memory=100", "--verbose");
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err()).contains("at dev.stretto.cli.FlowMemory.allocate");
  }
}
