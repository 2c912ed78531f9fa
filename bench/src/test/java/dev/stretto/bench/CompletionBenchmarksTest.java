package dev.stretto.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompletionBenchmarksTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private int run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--device", "virtual"));
    all.addAll(List.of(arguments));
    return CompletionBenchmarks.run(all, new PrintStream(out, true, StandardCharsets.UTF_8));
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void manyThreadsVerifiesEveryResultAndCountsPinnedCarriers() {
    assertThat(run("--threads", "500", "--rounds", "2", "many-threads")).isZero();
    assertThat(lines())
        .hasSize(3)
        .allMatch(line -> line.startsWith("{\"bench\":\"many-threads\",\"round\":"))
        .allMatch(line -> line.contains("\"threads\":500,"))
        .allMatch(line -> line.contains("\"wrong\":0,"));
    assertThat(lines().subList(1, 3))
        .as("behind the round that loads the classes")
        .allMatch(line -> line.contains("\"pinned\":0,"));
  }

  @Test
  void manyArraysComparesEveryResultOnEachNumberOfStreams() {
    assertThat(run("--threads", "200", "--rounds", "1", "many-arrays")).isZero();
    assertThat(lines())
        .hasSize(3)
        .allMatch(line -> line.startsWith("{\"bench\":\"many-arrays\",\"threads\":200,"))
        .allMatch(line -> line.endsWith("\"wrong\":0}"));
  }

  @Test
  void firstCallsTellsWhatEachTook() {
    FirstCalls.run("virtual", new PrintStream(out, true, StandardCharsets.UTF_8));
    assertThat(lines())
        .singleElement()
        .asString()
        .matches(
            "\\{\"bench\":\"first-calls\",\"openMilliseconds\":[0-9.]+,"
                + "\"copyMilliseconds\":[0-9.]+,\"launchMilliseconds\":[0-9.]+}");
  }

  @Test
  void completionLatencyTellsOfEveryRoundAndEveryThreadHasRunAgain() {
    // Whether enough of it counts depends on what else this machine does.
    String options = "--threads 100 --rounds 1 --warm-ups 1 --streams 2";
    int failed = run((options + " completion-latency").split(" "));
    assertThat(lines())
        .singleElement()
        .asString()
        .startsWith("{\"bench\":\"completion-latency\",\"round\":1,\"waiting\":100,")
        .contains("\"neverResumed\":0,")
        .contains(failed == 0 ? "\"sound\":true" : "\"sound\":false");
  }

  @Test
  void whatIsNotThereIsRefused() {
    assertThatThrownBy(() -> run("--speed", "9", "many-threads"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--speed");
    assertThat(CompletionBenchmarks.has("many-threads")).isTrue();
    assertThat(CompletionBenchmarks.has("flow")).isFalse();
  }
}
