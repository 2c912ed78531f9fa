package dev.stretto.driver.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.LaunchShape;
import org.junit.jupiter.api.Test;

/**
 * What a multiprocessor of a virtual H200 holds. {@link MultiprocessorOnGpuTest} asks a GPU the
 * same.
 */
class MultiprocessorTest {
  private static int blocks(int registers, int threads, int sharedBytes) {
    return Multiprocessor.blocks(
        new FunctionProperties(1024, registers, 0, 0),
        LaunchShape.of(1, 1, 1, threads, 1, 1, sharedBytes),
        new VirtualDriver(VirtualConfig.parse("h200")).open(0).properties());
  }

  @Test
  void blocksThreadsRegistersAndSharedMemoryLimitIt() {
    assertThat(blocks(16, 32, 0)).as("blocks").isEqualTo(32);
    assertThat(blocks(16, 1024, 0)).as("threads").isEqualTo(2);
    assertThat(blocks(16, 96, 0)).as("warps").isEqualTo(21);
    assertThat(blocks(64, 256, 0)).as("registers").isEqualTo(4);
    assertThat(blocks(255, 256, 0)).as("registers").isEqualTo(1);
    assertThat(blocks(16, 32, 0xc000)).as("48 KiB").isEqualTo(4);
    assertThat(blocks(16, 32, 232_448)).as("all").isEqualTo(1);
  }
}
