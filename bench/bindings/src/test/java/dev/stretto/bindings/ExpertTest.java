package dev.stretto.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The expert's rings, on a device that does nothing until it is awaited. */
class ExpertTest {
  /** 20 MiB and a little: several chunks of 4 MiB for each slot of one thread, and a short one. */
  private static final int WORDS = (20 << 20) / Long.BYTES + 96;

  private final PatientBinding binding = new PatientBinding(WORDS);
  private final Crew crew = new Crew(binding, 4, 4 << 20);
  private final long[] source = Words.pattern(WORDS, 1);

  @AfterEach
  void close() {
    crew.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void anArrayArrivesInAllItsChunksAndComesBack(int threads) {
    Expert expert = new Expert(binding, crew, threads);
    expert.in(source);
    assertThat(binding.in).isEqualTo(source);
    long[] target = new long[WORDS];
    expert.out(target);
    assertThat(target).isEqualTo(source);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void aPipelineTakesEachResultBeforeItUsesTheSlotAgain(int threads) {
    long[] target = new long[WORDS];
    new Expert(binding, crew, threads).through(source, target, 64 << 10);
    assertThat(target).isEqualTo(Arrays.stream(source).map(word -> ~word).toArray());
  }

  @Test
  void aFileIsReadToItsEndAndAddedOnce(@TempDir Path folder) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(WORDS * Long.BYTES).order(ByteOrder.nativeOrder());
    bytes.asLongBuffer().put(source);
    Path file = Files.write(folder.resolve("words"), bytes.array());
    Expert expert = new Expert(binding, crew, 4);
    long sum = Arrays.stream(source).sum();
    assertThat(expert.of(file)).isEqualTo(sum);
    assertThat(expert.of(file)).as("the total begins at 0 each time").isEqualTo(sum);
  }

  @Test
  void aFailureOfAThreadReachesTheCaller() {
    assertThatThrownBy(
            () ->
                crew.each(
                    2,
                    8,
                    (slot, chunk) -> {
                      throw new IllegalStateException("chunk " + chunk);
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("chunk ");
  }
}
