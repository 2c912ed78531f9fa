package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stretto.Device;
import dev.stretto.Observer.Kind;
import dev.stretto.timeline.ChromeTrace;
import dev.stretto.timeline.Span;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The trace has the shape that Kineto gives its own, as Perfetto and other tools expect it. */
class TraceTest {
  @TempDir private Path folder;

  private JsonNode trace() throws Exception {
    Path file = Files.write(folder.resolve("plain"), new byte[1 << 20]);
    Path trace = folder.resolve("trace.json");
    Ran ran =
        Ran.stretto(
            "overlap",
            file.toString(),
            "--trace",
            trace.toString(),
            "--chunk",
            "128K",
            "--device",
            "virtual");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    return new ObjectMapper().readTree(trace.toFile());
  }

  private static List<JsonNode> events(JsonNode trace, String phase, String category) {
    List<JsonNode> events = new ArrayList<>();
    for (JsonNode event : trace.get("traceEvents")) {
      if (event.get("ph").asText().equals(phase) && event.path("cat").asText().equals(category)) {
        events.add(event);
      }
    }
    return events;
  }

  @Test
  void hasKinetosRoot() throws Exception {
    JsonNode trace = trace();
    assertThat(trace.get("schemaVersion").asInt()).isEqualTo(1);
    assertThat(trace.get("displayTimeUnit").asText()).isEqualTo("ms");
    assertThat(trace.get("baseTimeNanoseconds").isIntegralNumber()).isTrue();
    JsonNode device = trace.get("deviceProperties").get(0);
    assertThat(device.get("id").asInt()).isZero();
    assertThat(device.get("name").asText()).isEqualTo("NVIDIA H200 (virtual)");
    assertThat(device.get("numSms").asInt()).isEqualTo(132);
  }

  @Test
  void copiesAndKernelsAreSlicesOfTheirStreams() throws Exception {
    JsonNode trace = trace();
    List<JsonNode> copies = events(trace, "X", "gpu_memcpy");
    List<JsonNode> kernels = events(trace, "X", "kernel");
    assertThat(copies).hasSize(4 * 8 * 2);
    assertThat(kernels).hasSize(4 * 8);
    for (JsonNode copy : copies) {
      assertThat(copy.get("name").asText()).startsWith("Memcpy ");
      JsonNode args = copy.get("args");
      assertThat(args.get("bytes").asLong()).isEqualTo(128 << 10);
      assertThat(args.get("stream").asInt()).isEqualTo(copy.get("tid").asInt());
      double expected = args.get("bytes").asDouble() / copy.get("dur").asDouble() / 1e3;
      assertThat(args.get("memory bandwidth (GB/s)").asDouble()).isCloseTo(expected, within(0.01));
    }
    for (JsonNode kernel : kernels) {
      assertThat(kernel.get("name").asText()).isEqualTo("chacha20");
      assertThat(kernel.get("pid").asInt()).isZero();
      assertThat(kernel.get("args").get("device").asInt()).isZero();
    }
  }

  @Test
  void slicesOfARowDoNotOverlap() throws Exception {
    Map<String, Double> ends = new HashMap<>();
    List<JsonNode> slices = new ArrayList<>();
    trace().get("traceEvents").forEach(slices::add);
    slices.removeIf(event -> !event.get("ph").asText().equals("X"));
    slices.sort(Comparator.comparingDouble(slice -> slice.get("ts").asDouble()));
    for (JsonNode slice : slices) {
      assertThat(slice.get("ts").asDouble()).isNotNegative();
      String row = slice.get("pid") + "/" + slice.get("tid");
      double end = ends.getOrDefault(row, 0.0);
      assertThat(slice.get("ts").asDouble()).as(row).isGreaterThanOrEqualTo(end - 0.0005);
      ends.put(row, slice.get("ts").asDouble() + slice.get("dur").asDouble());
    }
  }

  @Test
  void anArrowLeadsFromEachCallToWhatItEnqueued() throws Exception {
    JsonNode trace = trace();
    Map<Long, Double> starts = new HashMap<>();
    for (JsonNode start : events(trace, "s", "ac2g")) {
      assertThat(starts.put(start.get("id").asLong(), start.get("ts").asDouble())).isNull();
    }
    Set<Long> calls = new HashSet<>();
    for (JsonNode call : events(trace, "X", "cuda_driver")) {
      calls.add(call.get("args").get("correlation").asLong());
    }
    List<JsonNode> ends = events(trace, "f", "ac2g");
    assertThat(ends).hasSize(4 * 8 * 3);
    for (JsonNode end : ends) {
      assertThat(end.get("bp").asText()).isEqualTo("e");
      Double start = starts.get(end.get("id").asLong());
      assertThat(start).isNotNull().isLessThanOrEqualTo(end.get("ts").asDouble());
      assertThat(calls).contains(end.get("id").asLong());
    }
  }

  @Test
  void rowsHaveNames() throws Exception {
    Map<String, String> names = new HashMap<>();
    for (JsonNode event : trace().get("traceEvents")) {
      if (event.get("name").asText().equals("thread_name")) {
        names.put(event.get("pid") + "/" + event.get("tid"), event.at("/args/name").asText());
      }
    }
    assertThat(names.values())
        .contains(
            "stream 1",
            "flow slot 1",
            "flow slot 2",
            "H2D engine",
            "kernels",
            "D2H engine",
            "calls");
  }

  @Test
  void aSliceShowsWhichModeRan() throws Exception {
    assertThat(events(trace(), "X", "gpu_user_annotation"))
        .extracting(event -> event.get("name").asText())
        .containsExactly("sync", "pageable", "pinned", "overlap");
  }

  @Test
  void anyNameIsValidJson() throws Exception {
    String name = "a \"quoted\\ \n </script> µ \ud83d\ude00 \u2028 name";
    Path file = folder.resolve("trace.json");
    Span span = new Span(Kind.KERNEL, name, 1, 1, 0, false, 0, 0, 1);
    try (Device device = Device.open("virtual")) {
      ChromeTrace.write(file, device.properties(), List.of(span));
    }
    assertThat(events(new ObjectMapper().readTree(file.toFile()), "X", "kernel"))
        .extracting(event -> event.get("name").asText())
        .containsExactly(name);
  }
}
