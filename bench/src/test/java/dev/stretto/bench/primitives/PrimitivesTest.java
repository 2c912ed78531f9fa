package dev.stretto.bench.primitives;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PrimitivesTest {
  @Test
  void eachRowIsMeasuredOnAVirtualDevice() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Primitives.run("virtual:h200", 1 << 5, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .hasSize(13)
        .allSatisfy(row -> assertThat(row).matches("\\| [a-z0-9 ]+, 2\\^1 \\| [0-9.]+ GB/s \\|"));
  }
}
