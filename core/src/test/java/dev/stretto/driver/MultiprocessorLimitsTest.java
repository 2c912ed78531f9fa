package dev.stretto.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * How many blocks a multiprocessor holds, beside what CUDA's own {@code cuda_occupancy.h} says;
 * {@code src/test/cuda/occupancy.c} prints that table.
 */
class MultiprocessorLimitsTest {
  @ParameterizedTest
  @CsvFileSource(resources = "occupancy.csv", numLinesToSkip = 1)
  void itHoldsWhatCudaSays(
      int major,
      int minor,
      int mostSharedBytes,
      int registers,
      int sharedBytes,
      int threads,
      int blocks,
      String limits) {
    ResidentBlocks resident =
        MultiprocessorLimits.of(major, minor, mostSharedBytes)
            .resident(registers, sharedBytes, threads);
    assertThat(resident.blocks()).isEqualTo(blocks);
    Set<String> expected = new TreeSet<>();
    limits
        .chars()
        .forEach(
            letter ->
                expected.add(
                    switch (letter) {
                      case 'r' -> "registers";
                      case 's' -> "shared memory";
                      case 't' -> "threads";
                      default -> "blocks";
                    }));
    assertThat(new TreeSet<>(resident.limits())).isEqualTo(expected);
    assertThat(resident.warps()).isEqualTo(blocks * ((threads + 31) / 32));
    assertThat(resident.percent()).isBetween(0, 100);
  }

  @Test
  void whatIsNotUsedLimitsNothing() {
    ResidentBlocks resident = MultiprocessorLimits.of(7, 5, 65_536).resident(0, 0, 1024);
    assertThat(resident.byRegisters()).isEmpty();
    assertThat(resident.bySharedMemory()).as("7.5 reserves none").isEmpty();
    assertThat(resident.blocks()).isEqualTo(1);
    assertThat(resident.percent()).isEqualTo(100);
  }

  @Test
  void numbersThatNoBlockHasAreRefused() {
    MultiprocessorLimits limits = MultiprocessorLimits.of(9, 0, 232_448);
    assertThatThrownBy(() -> limits.resident(32, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a block of 0 threads");
    assertThatThrownBy(() -> limits.resident(-1, 0, 32))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> limits.resident(32, -1, 32))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aBlockThatIsTooLargeForAnyMultiprocessorDoesNotFit() {
    MultiprocessorLimits limits = MultiprocessorLimits.of(9, 0, 232_448);
    int huge = Integer.MAX_VALUE;
    assertThat(limits.resident(32, huge, 64).blocks()).isZero();
    assertThat(limits.resident(huge, 0, 64).blocks()).isZero();
    assertThat(limits.resident(32, 0, huge).blocks()).isZero();
    assertThatThrownBy(() -> limits.takenBytes(huge))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2147483647 bytes");
    assertThatThrownBy(() -> limits.takenBytes(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void numbersThatNoMultiprocessorHasAreRefused() {
    assertThatThrownBy(() -> new MultiprocessorLimits(32, 2048, 65_536, 1024, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("multiples of 0");
    assertThatThrownBy(() -> MultiprocessorLimits.of(9, 0, Integer.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
