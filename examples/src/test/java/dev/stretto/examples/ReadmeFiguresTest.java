package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.compiler.KernelTarget;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Pattern;
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
