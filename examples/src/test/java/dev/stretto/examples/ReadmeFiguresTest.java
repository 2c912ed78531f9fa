package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.compiler.KernelTarget;
import dev.stretto.memory.GlobalInts;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The ranges that the README names are those of the measurements' tables. */
class ReadmeFiguresTest {
  private static final String README = page("README.md").replaceAll("\\s+", " ");

  @Test
  void kernelsBesideThoseOfTheCudaCompiler() {
    String range =
        range(
            "## Kernels in Java beside CUDA C++",
            Pattern.compile("\\| ([01]\\.\\d+) \\| \\d+ \\+"));
    assertThat(README).contains("kernels in Java reach " + range + " times the rate");
  }

  @Test
  void attentionBesideCudnn() {
    String range =
        range(
            "## Products and attention on warp groups",
            Pattern.compile("\\| attention.*\\*\\*([\\d.]+)\\*\\*"));
    assertThat(README)
        .contains(
            "["
                + range
                + " times the rate of"
                + " cuDNN's](docs/performance.md#products-and-attention-on-warp-groups)");
  }

  @Test
  void submittingCostsNoMoreThanInCpp() {
    assertThat(README)
        .contains("Submitting a copy or a launch costs no more than the same call in CUDA C++");
    assertThat(
            figures("## Submitting work", Pattern.compile("\\| `submit-.*\\) \\| ([\\d.]+) \\|")))
        .hasSizeGreaterThan(3)
        .allMatch(ratio -> ratio.compareTo(BigDecimal.ONE) <= 0);
  }

  @Test
  void ordinaryMemoryBesideTheDriver() {
    Pattern ratio =
        Pattern.compile("\\| `staged-[\\w-]+` \\| [\\d.]+ GB/s \\| [\\d.]+ GB/s \\| ([\\d.]+) \\|");
    List<BigDecimal> ratios = figures("## Copies and flows", ratio);
    assertThat(ratios).hasSize(4);
    assertThat(README)
        .contains(
            "%s to %s times as fast as by the driver"
                .formatted(ratios.getFirst(), ratios.getLast()));
  }

  /** Of the sources: a driver of each age is not at hand. */
  @Test
  void theVersionsOfCudaThatAreNeeded() {
    assertThat(README)
        .contains(
            "NVIDIA driver for CUDA 12.0 or later (`libcuda.so.1`); no CUDA toolkit. Kernels with"
                + " `st.async` need CUDA 12.1, conditional graph nodes 12.3, some 12.8");
    assertThat(source("driver/cuda/Library.java")).contains("NEEDED_VERSION = 12_000;");
    // PTX 8.0 came with CUDA 12.0, and 8.1 with 12.1: PTX ISA, "Release Notes".
    assertThat(source("compiler/KernelTarget.java")).contains("return \"8.0\";");
    assertThat(source("compiler/ptx/PtxVersion.java")).contains("\"st.async.\", \"8.1\"");
    assertThat(source("NodeWorks.java"))
        .contains("case IF -> bodies == 1 ? 12_030 : 12_080;", "case WHILE -> 12_030;");
  }

  private static String source(String name) {
    return page("core/src/main/java/dev/stretto/" + name);
  }

  /**
   * An engine works where one of the streams does, in its direction, but for the rounding of two
   * places.
   */
  @Test
  void thePictureOfOverlapIsPossible() {
    List<String> lines = page("README.md").lines().toList();
    List<String> slots = lines.stream().filter(line -> line.startsWith("flow slot")).toList();
    assertThat(slots).hasSize(4);
    Map<String, Character> engines = Map.of("H2D engine", '>', "kernels", '#', "D2H engine", '<');
    engines.forEach(
        (name, mark) -> {
          List<String> row = lines.stream().filter(line -> line.startsWith(name + " ")).toList();
          for (int at = 12; at < 100; at++) {
            if (has(slots, at, at, mark)) {
              assertThat(has(row, at - 2, at + 2, mark)).as(name + " works at " + at).isTrue();
            }
            if (has(row, at, at, mark)) {
              assertThat(has(slots, at - 2, at + 2, mark)).as("a slot works at " + at).isTrue();
            }
          }
        });
  }

  /** Whether one of the lines has the mark at one of these places. */
  private static boolean has(List<String> lines, int from, int to, char mark) {
    return lines.stream()
        .anyMatch(
            line ->
                from < line.length()
                    && line.substring(from, Math.min(to + 1, line.length())).indexOf(mark) >= 0);
  }

  @Test
  void whatStagingPins() {
    assertThat(README).contains("4 MiB at least, up to 136 MiB a device");
    try (Device device = Device.open("virtual")) {
      List<Stream> streams = IntStream.range(0, 8).mapToObj(_ -> device.stream()).toList();
      List<GlobalInts> arrays =
          IntStream.range(0, 8).mapToObj(_ -> device.allocateInts(4 << 20)).toList();
      int[] host = new int[4 << 20];
      streams.getFirst().copy(new int[100_000], arrays.getFirst().slice(0, 100_000)).await();
      assertThat(device.pinned().peakBytes()).isGreaterThanOrEqualTo(4 << 20);
      for (int i = 0; i < 8; i++) {
        streams.get(i).copy(host, arrays.get(i));
        streams.get(i).copy(arrays.get(i), new int[4 << 20]);
      }
      streams.forEach(Stream::await);
      assertThat(device.pinned().peakBytes()).isLessThanOrEqualTo(136 << 20);
    }
  }

  @Test
  void theDevicesThatKernelsAreFor() {
    BigDecimal oldest = BigDecimal.valueOf(KernelTarget.OLDEST, 1);
    BigDecimal newest = BigDecimal.valueOf(KernelTarget.all().getLast().sm(), 1);
    assertThat(README)
        .contains("| Compute capability | %s to %s for kernels in Java;".formatted(oldest, newest));
  }

  /** {@return the smallest and the greatest figure of a section, with two digits} */
  private static String range(String heading, Pattern figure) {
    List<BigDecimal> figures = figures(heading, figure);
    assertThat(figures).as(heading).hasSizeGreaterThan(9);
    return figures.getFirst() + " to " + figures.getLast();
  }

  /** {@return the figures of a section in order, rounded to two digits} */
  private static List<BigDecimal> figures(String heading, Pattern figure) {
    String page = page("docs/performance.md");
    int from = page.indexOf(heading);
    int to = page.indexOf("## ", from + heading.length());
    return figure
        .matcher(page.substring(from, to))
        .results()
        .map(it -> new BigDecimal(it.group(1)).setScale(2, RoundingMode.HALF_UP))
        .sorted()
        .toList();
  }

  private static String page(String name) {
    return String.join("\n", DocumentsTest.read(DocumentsTest.ROOT.resolve(name)));
  }
}
