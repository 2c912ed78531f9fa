package dev.stretto.bench.turns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TurnsTest {
  @TempDir private Path folder;

  private List<String> answers(String... requests) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Turns.run(
        List.of("--device", "virtual", "--inputs", folder.toString()),
        new StringReader(String.join("\n", requests)),
        new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void bothAttentionsAreRightAndHaveATime() {
    List<String> answers =
        answers(
            "prepare attention 1 2 70 64 causal",
            "error tuned",
            "error warp-groups",
            "measure tuned 0 1",
            "measure warp-groups 1 2");

    assertThat(answers).hasSize(5);
    assertThat(answers.getFirst())
        .startsWith("{\"prepared\":\"prepare attention 1 2 70 64 causal\",\"choice\":\"")
        .contains("WARP_GROUPS");
    assertThat(answers.subList(1, 3)).allMatch(answer -> answer.endsWith(",\"wrong\":false}"));
    assertThat(answers.subList(3, 5))
        .allMatch(answer -> answer.startsWith("{\"milliseconds\":"))
        .allMatch(answer -> answer.contains(",\"hostMilliseconds\":"));
    assertThat(folder.resolve("q")).hasSize(2L * 2 * 70 * 64);
    assertThat(folder.resolve("v")).hasSize(2L * 2 * 70 * 64);
  }

  @Test
  void attentionOfLongRowsIsRight() {
    List<String> answers = answers("prepare attention 1 1 70 256 full", "error warp-groups");

    assertThat(answers.getLast()).startsWith("{\"error\":").endsWith(",\"wrong\":false}");
  }

  @Test
  void attentionOfEachFormIsRight() {
    List<String> answers =
        answers(
            "prepare attention 2 4 150 64 causal fp16 group=2",
            "error chosen",
            "prepare attention 1 2 300 64 causal bf16 window=60",
            "error chosen",
            "prepare attention 4 2 160 64 causal packed group=2",
            "error chosen",
            "prepare attention 1 2 200 64 full fp8",
            "error chosen",
            "measure chosen 0 1");

    assertThat(List.of(answers.get(1), answers.get(3), answers.get(5), answers.get(7)))
        .allMatch(answer -> answer.startsWith("{\"error\":"))
        .allMatch(answer -> answer.endsWith(",\"wrong\":false}"));
    assertThat(answers.get(4)).contains("choice");
    assertThat(answers.getLast()).startsWith("{\"milliseconds\":");
    assertThat(folder.resolve("q")).hasSize(2L * 2 * 200 * 64);
  }

  @Test
  void sequencesAreHalfAsLongAsTheLongestOnAverage() {
    int[] starts = AttentionForm.of("16", "1", "320", "64", "full", "packed").starts();

    assertThat(starts[16]).isEqualTo(16 * 320 / 2);
    assertThat(starts[1]).isEqualTo(10);
    assertThat(IntStream.range(0, 16).map(i -> starts[i + 1] - starts[i])).contains(310);
  }

  @Test
  void theProductIsRight() {
    List<String> answers = answers("prepare product 256 128 64", "error chosen");

    assertThat(answers.getFirst()).contains(",\"choice\":\"").contains("tiles");
    assertThat(answers.getLast()).startsWith("{\"error\":").endsWith(",\"wrong\":false}");
    assertThat(folder.resolve("a")).hasSize(2L * 256 * 64);
    assertThat(folder.resolve("b")).hasSize(2L * 64 * 128);
  }

  @Test
  void aLayerAndManyProductsAreRight() {
    List<String> answers =
        answers(
            "prepare product 16 72 136 fp16 bias-gelu",
            "error chosen",
            "prepare product 16 40 72 bf16 plain 3",
            "error chosen",
            "measure chosen 0 1");

    assertThat(List.of(answers.get(1), answers.get(3)))
        .allMatch(answer -> answer.endsWith(",\"wrong\":false}"));
    assertThat(answers.getLast()).startsWith("{\"milliseconds\":");
    assertThat(folder.resolve("b")).hasSize(2L * 3 * 40 * 72);
    assertThat(folder.resolve("bias")).hasSize(2L * 40);
  }

  @Test
  void whatIsNoShapeIsTold() {
    List<String> answers =
        answers(
            "prepare product 256",
            "prepare product 8 8 8 fp32",
            "prepare product 8 8 8 bf16 relu",
            "prepare product 8 0 8",
            "prepare attention 1 1 8 64 causal bf32",
            "prepare attention 1 1 8 64 packed");

    assertThat(answers.get(0)).contains("\"failed\"").contains("M N K");
    assertThat(answers.get(1)).contains("fp16 or bf16, not fp32");
    assertThat(answers.get(2)).contains("bias-gelu or plain, not relu");
    assertThat(answers.get(3)).contains("n is 0, and must be 1 or more");
    assertThat(answers.get(4)).contains("window=N or packed, not bf32");
    assertThat(answers.get(5)).contains("full or causal, not packed");
  }

  @Test
  void whatFailsIsToldAndDoesNotEndTheProcess() {
    List<String> answers =
        answers(
            "error tuned", "prepare nothing", "dance", "prepare product 8 8 8", "error \"tuned\"");

    assertThat(answers).hasSize(5);
    assertThat(answers.get(0)).contains("\"failed\"").contains("nothing is prepared");
    assertThat(answers.get(1)).contains("no such job: nothing");
    assertThat(answers.get(2)).contains("no such request: dance");
    assertThat(answers.get(3)).contains("prepared");
    assertThat(answers.get(4)).contains("no such kernel of the product:  tuned ");
  }

  @Test
  void whatIsNoOptionIsRefused() {
    assertThatThrownBy(() -> Turns.run(List.of("--steps", "1"), new StringReader(""), System.out))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--steps");
  }
}
