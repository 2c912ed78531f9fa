package dev.stretto.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttentionBenchmarksTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private int run(String... arguments) {
    return AttentionBenchmarks.run(
        List.of(arguments), new PrintStream(out, true, StandardCharsets.UTF_8));
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void printsALineForEachShapeAndWritesTheNumbersThatItUses(@TempDir Path folder) {
    int wrong =
        run("--device", "virtual", "--size", "small", "--errors", "--inputs", folder.toString());

    assertThat(wrong).isZero();
    assertThat(lines())
        .hasSize(8)
        .allMatch(line -> line.contains(",\"milliseconds\":"))
        .allMatch(line -> line.contains(",\"error\":"))
        .noneMatch(line -> line.contains("wrong"));
    assertThat(lines()).filteredOn(line -> line.contains(":\"tuned\"")).hasSize(4);
    assertThat(lines()).filteredOn(line -> line.contains(":\"warp-groups\"")).hasSize(4);
    assertThat(lines().getFirst()).startsWith("{\"bench\":\"attention-d128-small\",");
    assertThat(folder.resolve("q")).hasSize(2L * 2 * 70 * 128);
    assertThat(folder.resolve("v")).hasSize(2L * 70 * 128);
  }

  @Test
  void whatIsNoOptionIsRefused() {
    assertThatThrownBy(() -> run("--device", "virtual", "--size", "huge"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("huge");
    assertThatThrownBy(() -> run("--steps"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--steps");
  }
}
