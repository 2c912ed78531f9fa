package dev.stretto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The picture of a roofline, and the limits of products. */
class RooflineTextTest {
  private static final OptionalDouble UNKNOWN = OptionalDouble.empty();

  private static Roofline of(OptionalDouble seconds, long bytes, long operations) {
    return new Roofline(
        "kernel saxpy",
        "NVIDIA H200",
        seconds,
        bytes,
        false,
        operations,
        Arithmetic.FLOATS,
        OptionalDouble.of(4.8e12),
        OptionalDouble.of(67e12));
  }

  @Test
  void aKernelThatTheMemoryLimits() {
    assertThat(of(OptionalDouble.of(1.25e-3), 4_500_000_000L, 750_000_000L).explain())
        .isEqualTo(
            """
            kernel saxpy on NVIDIA H200: 1.25 ms
              memory                |##############################          | 3.60 TB/s of 4.80 TB/s (75 %); 4.50 GB, each byte of the arguments once
              floats                |                                        | 600 GOP/s of 67.0 TOP/s (1 %); 750 MOP, as given
              the memory limits it: it does 0.17 operations for each byte, and the device could do 14.0
            """);
  }

  @Test
  void aKernelThatTheArithmeticLimits() {
    assertThat(of(OptionalDouble.of(1e-3), 240_000_000L, 60_300_000_000L).explain())
        .contains("|##                                      | 240 GB/s of 4.80 TB/s (5 %)")
        .contains("|####################################    | 60.3 TOP/s of 67.0 TOP/s (90 %)")
        .endsWith(
            "  the arithmetic limits it: it does 251 operations for each byte, and the device could"
                + " do 14.0\n");
  }

  @Test
  void aKernelThatNeitherLimits() {
    assertThat(of(OptionalDouble.of(1e-6), 1_000, 10).explain())
        .startsWith("kernel saxpy on NVIDIA H200: 1.00 us\n")
        .endsWith(", but neither is half busy: look at occupancy, bank conflicts and waits\n");
  }

  @Test
  void nothingIsMadeUp() {
    Roofline modelled = of(UNKNOWN, 1_000, 10);
    assertThat(modelled.bytesPerSecond()).isEmpty();
    assertThat(modelled.explain())
        .contains(": nothing was timed, since a virtual device models its clock\n")
        .contains("| at most 4.80 TB/s; 1.00 kB, each byte")
        .doesNotContain("#", "%");
    Roofline bare =
        new Roofline(
            "k", "d", OptionalDouble.of(1), 8, true, 4, Arithmetic.TENSOR_HALFS, UNKNOWN, UNKNOWN);
    assertThat(bare.explain())
        .contains("| 8 B/s of a limit that is not known; 8 B, as given\n")
        .contains("  halfs on tensor cores |")
        .endsWith("  which of them limits it is not known\n");
  }

  @Test
  void numbersThatCannotBeAreRefused() {
    assertThatThrownBy(() -> of(OptionalDouble.of(0), 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> of(UNKNOWN, -1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> of(UNKNOWN, 1, -1)).isInstanceOf(IllegalArgumentException.class);
  }

  /** Beside the figures of NVIDIA's data sheets, in tera-operations per second, within a tenth. */
  @ParameterizedTest
  @CsvSource({
    "h200, FLOATS, 67",
    "h200, DOUBLES, 34",
    "h200, TENSOR_HALFS, 989",
    "a100, FLOATS, 19.5",
    "a100, DOUBLES, 9.7",
    "a100, TENSOR_HALFS, 312",
    "rtx4090, FLOATS, 82.6",
    "rtx4090, DOUBLES, 1.29",
    "t4, FLOATS, 8.1"
  })
  void theLimitsAreThoseOfTheProducts(String product, Arithmetic arithmetic, double tera) {
    try (Device device = Device.open("virtual:" + product)) {
      assertThat(arithmetic.mostPerSecond(device.properties()).orElseThrow() / 1e12)
          .isCloseTo(tera, withinPercentage(10));
    }
  }

  @ParameterizedTest
  @CsvSource({"h200, 4.9", "a100, 2.0", "rtx4090, 1.01", "t4, 0.32"})
  void soIsTheLimitOfTheMemory(String product, double tera) {
    try (Device device = Device.open("virtual:" + product)) {
      assertThat(Roofline.mostBytesPerSecond(device.properties()).orElseThrow() / 1e12)
          .isCloseTo(tera, withinPercentage(25));
      assertThat(Arithmetic.TENSOR_HALFS.mostPerSecond(device.properties()).isPresent())
          .isEqualTo(product.equals("h200") || product.equals("a100"));
    }
  }
}
