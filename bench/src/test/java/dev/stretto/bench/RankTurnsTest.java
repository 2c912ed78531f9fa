package dev.stretto.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankTurnsTest {
  private static final String NUMBERS = "\\[[0-9., ]+]";

  @TempDir private Path folder;

  /** The answers of each of two ranks. */
  private List<List<String>> answers(String... requests) {
    List<CompletableFuture<List<String>>> ranks =
        IntStream.range(0, 2)
            .mapToObj(
                rank ->
                    CompletableFuture.supplyAsync(
                        () -> answersOf(rank, requests), Thread::startVirtualThread))
            .toList();
    return ranks.stream().map(CompletableFuture::join).toList();
  }

  private List<String> answersOf(int rank, String... requests) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      RankTurns.run(
          List.of("--device", "virtual", "" + rank, "2", folder.toString()),
          new StringReader(String.join("\n", requests)),
          new PrintStream(out, true, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"all-reduce", "broadcast", "all-gather", "all-to-all"})
  void everyOperationIsRightAndHasTimes(String operation) {
    for (List<String> answers :
        answers("prepare " + operation + " 1000", "verify", "measure 1 2")) {
      assertThat(answers).hasSize(3);
      assertThat(answers.get(0))
          .isEqualTo(
              "{\"operation\":\"%s\",\"devices\":2,\"bytes\":992,\"transport\":\"TCP\"}"
                  .formatted(operation));
      assertThat(answers.get(1)).isEqualTo("{\"verified\":true}");
      assertThat(answers.get(2))
          .matches(
              "\\{\"begun\":%1$s,\"ended\":%1$s,\"rows\":%1$s,\"rowsByHost\":%1$s}"
                  .formatted(NUMBERS));
    }
  }

  @Test
  void anOperationThatThereIsNotIsSaid() {
    for (List<String> answers : answers("prepare gossip 1000")) {
      assertThat(answers).hasSize(1);
      assertThat(answers.getFirst()).contains("failed", "no such operation: gossip");
    }
  }
}
