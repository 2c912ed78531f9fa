package dev.stretto.bench.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The benchmark runs, and what the kernels compute is what the loops compute. */
class StepBenchmarksTest {
  @ParameterizedTest
  @ValueSource(strings = {"virtual:h200", "virtual:a100", "virtual:h200,seed=3"})
  void everyKernelComputesWhatTheLoopsCompute(String device) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int wrong =
        StepBenchmarks.run(
            List.of("--device", device, "--side", "128"),
            new PrintStream(out, true, StandardCharsets.UTF_8));
    assertThat(wrong).as(out.toString(StandardCharsets.UTF_8)).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("| reduction with barriers |");
  }
}
