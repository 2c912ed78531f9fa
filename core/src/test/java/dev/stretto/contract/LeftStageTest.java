package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalInts;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A kernel that ends with stages under way is told so on every virtual device, with bulk copies and
 * without: on a GPU that has none it would be right by chance.
 */
class LeftStageTest {
  private static final int TILE = 64;
  private static final int LEAVE = 0;
  private static final int DRAIN = 1;
  private static final int QUIT = 2;

  /** A producer is ahead when the consumers have seen enough. */
  private static void searches(
      ThreadBlock block, GlobalInts in, GlobalInts out, int stages, @Const int end) {
    SharedInts tiles = block.sharedInts(4 * TILE);
    Pipeline pipeline = block.pipeline(4, 32);
    Warp warp = block.warp();
    if (pipeline.isProducer()) {
      for (int i = 0; i < stages; i++) {
        pipeline.producerAcquire();
        int at = pipeline.producerStage() * TILE;
        warp.memcpyAsync(tiles, at, in, (long) i * TILE, TILE, 16, pipeline);
        pipeline.producerCommit();
      }
      if (end == DRAIN) {
        pipeline.drain();
      } else if (end == QUIT) {
        pipeline.quit();
      }
    } else {
      for (int i = 0; i < stages - 3; i++) {
        pipeline.consumerWait();
        int at = pipeline.consumerStage() * TILE;
        out.set(i * 32 + block.threadRank() - 32, tiles.get(at + block.threadRank() - 32));
        pipeline.consumerRelease();
      }
    }
  }

  @Kernel
  static void leaves(ThreadBlock block, GlobalInts in, GlobalInts out, int stages) {
    searches(block, in, out, stages, LEAVE);
  }

  @Kernel
  static void drains(ThreadBlock block, GlobalInts in, GlobalInts out, int stages) {
    searches(block, in, out, stages, DRAIN);
  }

  @Kernel
  static void quits(ThreadBlock block, GlobalInts in, GlobalInts out, int stages) {
    searches(block, in, out, stages, QUIT);
  }

  private static int[] run(
      String machine, KernelMethod.Of3<GlobalInts, GlobalInts, Integer> kernel, int stages) {
    try (Device device = Device.open(machine);
        Stream stream = device.stream();
        GlobalInts in = device.allocateInts(16 * TILE);
        GlobalInts out = device.allocateInts(16 * 32)) {
      stream.copy(IntStream.range(0, 16 * TILE).toArray(), in);
      stream.fill(out, 0);
      stream.launch(Grid.of(1, 64), kernel, in, out, stages);
      int[] found = new int[16 * 32];
      stream.copy(out, found).await();
      return found;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "virtual:a100",
        "virtual:h200",
        "virtual:a100,seed=3",
        "virtual:h200,seed=3",
        "virtual:rtx4090,seed=7"
      })
  void stagesThatNobodyHasWaitedForAreTold(String machine) {
    assertThatThrownBy(() -> run(machine, LeftStageTest::leaves, 7))
        .hasMessageContaining("missing-wait")
        .hasMessageContaining("drain()")
        .hasMessageContaining("LeftStageTest.java");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "virtual:a100",
        "virtual:h200",
        "virtual:a100,seed=3",
        "virtual:h200,seed=3",
        "virtual:rtx4090,seed=7"
      })
  void aProducerMayDrainThem(String machine) {
    for (int stages = 3; stages < 11; stages++) {
      requireRight(run(machine, LeftStageTest::drains, stages), stages);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "virtual:a100",
        "virtual:h200",
        "virtual:a100,seed=3",
        "virtual:h200,seed=3",
        "virtual:rtx4090,seed=7"
      })
  void aProducerThatQuitsHasDrainedThem(String machine) {
    for (int stages = 3; stages < 11; stages++) {
      requireRight(run(machine, LeftStageTest::quits, stages), stages);
    }
  }

  private static void requireRight(int[] found, int stages) {
    for (int i = 0; i < (stages - 3) * 32; i++) {
      assertThat(found[i]).isEqualTo(i / 32 * TILE + i % 32);
    }
  }
}
