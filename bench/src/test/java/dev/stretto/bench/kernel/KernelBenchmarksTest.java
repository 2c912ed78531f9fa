package dev.stretto.bench.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelBenchmarksTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private int run(String... names) {
    List<String> arguments = new ArrayList<>(List.of("--device", "virtual", "--size", "small"));
    arguments.addAll(List.of(names));
    return KernelBenchmarks.run(arguments, new PrintStream(out, true, StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "saxpy",
        "triad",
        "reduction",
        "sum-1g",
        "transpose",
        "stencil",
        "histogram",
        "chacha20",
        "sgemm",
        "nbody",
        "mma-bf16",
        "conv-rows",
        "conv-columns",
        "conv-square",
        "conv-tiled",
        "heat-3d",
        "waves-3d",
        "grey",
        "sobel",
        "median",
        "box",
        "bilateral",
        "rotate",
        "black-scholes",
        "binomial",
        "pi",
        "mandelbrot",
        "quasirandom",
        "bitonic",
        "merge",
        "scan",
        "walsh",
        "dot",
        "scalar-products",
        "matrix-vector",
        "spmv",
        "matrix-mul",
        "matrix-mul-int",
        "softmax",
        "layer-norm",
        "dct",
        "crc32",
        "hash64",
        "gather",
        "tma-stream",
        "tma-stream-64",
        "tma-pipeline",
        "tma-copy",
        "copy-plain",
        "copy-barrier",
        "copy-pipeline-1",
        "copy-pipeline-2",
        "copy-pipeline-4",
        "copy-roles-4",
        "copy-bulk",
        "copy-plain-l2",
        "copy-barrier-l2",
        "copy-pipeline-1-l2",
        "copy-pipeline-2-l2",
        "copy-pipeline-4-l2",
        "copy-roles-4-l2",
        "copy-bulk-l2"
      })
  void computesOnAVirtualDeviceWhatTheHostComputes(String name) {
    int failed = run(name);
    assertThat(lines()).startsWith("{\"bench\":\"" + name + "\",\"milliseconds\":");
    assertThat(failed).isZero();
  }

  @Test
  void aBenchmarkThatFailsLeavesTheOthersTheirTurn() {
    assertThat(run("no\\such\"one", "saxpy")).isEqualTo(1);
    assertThat(lines())
        .startsWith("{\"bench\":\"no\\\\such\\\"one\",\"error\":")
        .contains("\n{\"bench\":\"saxpy\",\"milliseconds\":");
  }

  private String lines() {
    return out.toString(StandardCharsets.UTF_8);
  }
}
