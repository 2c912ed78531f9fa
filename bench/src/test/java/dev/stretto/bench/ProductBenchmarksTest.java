package dev.stretto.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProductBenchmarksTest {
  @Test
  void printsALineThatSaysHowFarTheProductIsOff() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int wrong =
        ProductBenchmarks.run(
            List.of("virtual", "small"), new PrintStream(out, true, StandardCharsets.UTF_8));

    assertThat(wrong).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("{\"bench\":\"product-256\",\"implementation\":\"warp-groups\"")
        .contains(",\"error\":")
        .doesNotContain("wrong");
  }
}
