package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the trace of a whole program has of {@link TracedStreams}, and whether viewers take it. */
class TraceContentTest {
  private static final double TOLERANCE = 0.0005;

  @TempDir private static Path folder;
  private static JsonNode trace;

  private record Row(int pid, int tid) {
    static Row of(JsonNode event) {
      return new Row(event.get("pid").asInt(), event.get("tid").asInt());
    }
  }

  @BeforeAll
  static void run() throws Exception {
    Path file = folder.resolve("trace.json");
    Ran ran =
        Ran.stretto(
            "trace",
            "--output",
            file.toString(),
            "--",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            TracedStreams.class.getName());
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    trace = new ObjectMapper().readTree(file.toFile());
  }

  private static List<JsonNode> events(String phase, String category) {
    List<JsonNode> events = new ArrayList<>();
    for (JsonNode event : trace.get("traceEvents")) {
      if (event.get("ph").asText().equals(phase) && event.path("cat").asText().equals(category)) {
        events.add(event);
      }
    }
    return events;
  }

  private static String text(JsonNode event, String argument) {
    return event.path("args").path(argument).asText();
  }

  private static double end(JsonNode slice) {
    return slice.get("ts").asDouble() + slice.get("dur").asDouble();
  }

  @Test
  void operationsHaveRouteGridRegistersSharedMemoryAndPlace() {
    List<JsonNode> kernels = events("X", "kernel");
    assertThat(kernels).hasSize(TracedStreams.ROUNDS);
    for (JsonNode kernel : kernels) {
      assertThat(kernel.get("name").asText()).isEqualTo("increment");
      assertThat(kernel.at("/args/grid").toString()).isEqualTo("[4,1,1]");
      assertThat(kernel.at("/args/block").toString()).isEqualTo("[256,1,1]");
      assertThat(kernel.at("/args/registers per thread").asInt()).isPositive();
      assertThat(kernel.at("/args/shared memory").isIntegralNumber()).isTrue();
      assertThat(text(kernel, "place")).contains("TracedStreams.main(TracedStreams.java:");
    }
    List<JsonNode> copies = events("X", "gpu_memcpy");
    assertThat(copies).hasSize(2 * TracedStreams.ROUNDS);
    for (JsonNode copy : copies) {
      assertThat(text(copy, "route")).isEqualTo("DIRECT");
      assertThat(text(copy, "bytes")).isEqualTo(String.valueOf(TracedStreams.BYTES));
      assertThat(text(copy, "place")).contains("TracedStreams.java:");
    }
  }

  @Test
  void threadsOfTheHostHaveWaitsPinningLoadingAndRanges() {
    List<JsonNode> ranges = events("X", "user_annotation");
    assertThat(ranges)
        .extracting(range -> range.get("name").asText())
        .containsExactly("round 0", "round 1", "round 2");
    List<JsonNode> host = events("X", "host");
    assertThat(host).filteredOn(each -> text(each, "kind").equals("PINNING")).hasSize(1);
    assertThat(host).filteredOn(each -> text(each, "kind").equals("KERNEL_LOADING")).hasSize(1);
    List<JsonNode> waits = host.stream().filter(each -> text(each, "kind").equals("WAIT")).toList();
    assertThat(waits).hasSize(TracedStreams.ROUNDS);
    for (int i = 0; i < waits.size(); i++) {
      JsonNode wait = waits.get(i);
      assertThat(wait.get("name").asText()).isEqualTo("await downloads");
      assertThat(wait.at("/args/frames/0").asText()).contains("TracedStreams.main");
      JsonNode range = ranges.get(i);
      assertThat(Row.of(wait)).isEqualTo(Row.of(range));
      assertThat(wait.get("ts").asDouble()).isGreaterThanOrEqualTo(range.get("ts").asDouble());
      assertThat(end(wait)).isLessThanOrEqualTo(end(range) + TOLERANCE);
    }
  }

  /** Perfetto: slices of a row have to nest, or else they get lost or move to another row. */
  @Test
  void slicesOfARowNestAndNoTimeIsNegative() {
    Map<Row, List<JsonNode>> rows = new HashMap<>();
    for (JsonNode event : trace.get("traceEvents")) {
      if (event.get("ph").asText().equals("X")) {
        rows.computeIfAbsent(Row.of(event), _ -> new ArrayList<>()).add(event);
      }
    }
    assertThat(rows).hasSizeGreaterThan(5);
    rows.forEach(
        (row, slices) -> {
          slices.sort(
              Comparator.<JsonNode>comparingDouble(slice -> slice.get("ts").asDouble())
                  .thenComparing(
                      Comparator.<JsonNode>comparingDouble(slice -> slice.get("dur").asDouble())
                          .reversed()));
          Deque<Double> open = new ArrayDeque<>();
          for (JsonNode slice : slices) {
            double start = slice.get("ts").asDouble();
            assertThat(start).isNotNegative();
            assertThat(slice.get("dur").asDouble()).isNotNegative();
            while (!open.isEmpty() && open.peek() <= start + TOLERANCE) {
              open.pop();
            }
            if (!open.isEmpty()) {
              assertThat(end(slice)).as("%s %s", row, slice).isLessThan(open.peek() + TOLERANCE);
            }
            open.push(end(slice));
          }
        });
  }

  /** The two ends of an arrow are tied to slices that are open at their times. */
  @Test
  void anArrowLeadsFromEachKernelToTheCopyThatWaitsForIt() {
    List<JsonNode> starts = events("s", "cuda_event");
    List<JsonNode> ends = events("f", "cuda_event");
    assertThat(starts).hasSize(TracedStreams.ROUNDS);
    assertThat(ends).hasSize(TracedStreams.ROUNDS);
    for (int i = 0; i < starts.size(); i++) {
      assertThat(starts.get(i).get("id")).isEqualTo(ends.get(i).get("id"));
      assertThat(ends.get(i).get("bp").asText()).isEqualTo("e");
      assertThat(at(starts.get(i)).get("name").asText()).isEqualTo("increment");
      assertThat(at(ends.get(i)).get("name").asText()).startsWith("Memcpy DtoH");
    }
  }

  private static JsonNode at(JsonNode end) {
    double time = end.get("ts").asDouble();
    List<JsonNode> open = new ArrayList<>();
    for (JsonNode slice : trace.get("traceEvents")) {
      if (slice.get("ph").asText().equals("X")
          && Row.of(slice).equals(Row.of(end))
          && slice.get("ts").asDouble() <= time
          && time < end(slice)) {
        open.add(slice);
      }
    }
    assertThat(open).as("%s", end).hasSize(1);
    return open.getFirst();
  }

  @Test
  void saysThatNothingIsMissing() {
    assertThat(trace.get("missingOperations").isIntegralNumber()).isTrue();
    assertThat(trace.get("missingOperations").asLong()).isZero();
    assertThat(events("i", "host")).isEmpty();
  }

  @Test
  void everyRowThatIsUsedHasAName() {
    List<Row> named = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (JsonNode event : trace.get("traceEvents")) {
      if (event.get("name").asText().equals("thread_name")) {
        named.add(Row.of(event));
        names.add(text(event, "name"));
      }
    }
    assertThat(names).contains("uploads", "downloads", "main");
    for (JsonNode event : trace.get("traceEvents")) {
      if (event.get("ph").asText().equals("X")) {
        assertThat(named).contains(Row.of(event));
      }
    }
  }
}
