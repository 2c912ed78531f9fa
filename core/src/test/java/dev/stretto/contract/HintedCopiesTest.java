package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A hint to the cache changes nothing of what a bulk copy brings. */
class HintedCopiesTest extends ContractTest {
  private static final int BLOCKS = 4;
  private static final int LENGTH = BLOCKS * HintedCopies.TILE;

  @BeforeEach
  void thereAreBulkCopies() {
    assumeTrue(device.properties().computeMajor() >= 9);
  }

  private static int[] numbers() {
    int[] numbers = new int[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      numbers[i] = 5 * i + 1;
    }
    return numbers;
  }

  private static TensorMap map(GlobalInts array) {
    return TensorMap.of(array).shape(16, LENGTH / 16).box(16, 4).build();
  }

  @Test
  void rangesAreBroughtThereAndBack() {
    int[] numbers = numbers();
    int[] got = new int[LENGTH];
    try (Stream stream = device.stream();
        GlobalInts in = device.allocateInts(LENGTH);
        GlobalInts out = device.allocateInts(LENGTH)) {
      stream.copy(numbers, in);
      stream.launch(Grid.of(BLOCKS, HintedCopies.TILE), HintedCopies::ranges, in, out);
      stream.copy(out, got).await();
    }
    for (int i = 0; i < LENGTH; i++) {
      assertThat(got[i]).isEqualTo(2 * numbers[i]);
    }
  }

  @Test
  void boxesAreBroughtThereAndBackAndAdded() {
    int[] numbers = numbers();
    int[] got = new int[LENGTH];
    try (Stream stream = device.stream();
        GlobalInts in = device.allocateInts(LENGTH);
        GlobalInts out = device.allocateInts(LENGTH)) {
      stream.copy(numbers, in);
      stream.launch(Grid.of(BLOCKS, HintedCopies.TILE), HintedCopies::boxes, map(in), map(out));
      stream.copy(out, got).await();
    }
    for (int i = 0; i < LENGTH; i++) {
      assertThat(got[i]).isEqualTo(4 * numbers[i]);
    }
  }

  @Test
  void bothBlocksGetWhatOneAsksFor() {
    int[] numbers = numbers();
    int[] got = new int[2 * HintedCopies.TILE];
    try (Stream stream = device.stream();
        GlobalInts in = device.allocateInts(LENGTH);
        GlobalInts out = device.allocateInts(got.length)) {
      stream.copy(numbers, in);
      stream.launch(
          Grid.of(2, HintedCopies.TILE).withCluster(2, 1, 1),
          HintedCopies::toBoth,
          map(in),
          in,
          out);
      stream.copy(out, got).await();
    }
    for (int i = 0; i < got.length; i++) {
      int at = i % HintedCopies.TILE;
      assertThat(got[i]).isEqualTo(numbers[at] + 3 * numbers[HintedCopies.TILE + at]);
    }
  }
}
