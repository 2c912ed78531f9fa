package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.Mma;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxWarpGroups;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One source for every generation of devices: what one lacks is replaced, or refused by its name.
 */
class GenerationsTest {
  private static final int THREADS = 64;
  private static final int TILES = 5;

  /** Adds one to each tile by a copy of the block that it waits for. */
  @Kernel
  private static void copies(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(THREADS);
    for (int i = 0; i < TILES; i++) {
      block.memcpyAsync(tile, 0, in, (long) i * THREADS, THREADS, 16);
      block.waitAll();
      out.set((long) i * THREADS + block.threadRank(), tile.get(block.threadRank()) + 1);
      block.sync();
    }
  }

  /** The same with a pipeline of two stages. */
  @Kernel
  private static void pipes(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(2 * THREADS);
    Pipeline pipeline = block.pipeline(2);
    for (int i = 0; i <= TILES; i++) {
      if (i < TILES) {
        pipeline.producerAcquire();
        int at = pipeline.producerStage() * THREADS;
        block.memcpyAsync(tiles, at, in, (long) i * THREADS, THREADS, 16, pipeline);
        pipeline.producerCommit();
      }
      if (i > 0) {
        pipeline.consumerWait();
        int at = pipeline.consumerStage() * THREADS + block.threadRank();
        out.set((long) (i - 1) * THREADS + block.threadRank(), tiles.get(at) + 1);
        pipeline.consumerRelease();
      }
    }
  }

  /** The same with a barrier on which the copies complete. */
  @Kernel
  private static void arrives(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(THREADS);
    Barrier barrier = block.barrier();
    for (int i = 0; i < TILES; i++) {
      block.memcpyAsync(tile, 0, in, (long) i * THREADS, THREADS, 16, barrier);
      barrier.arriveAndWait();
      out.set((long) i * THREADS + block.threadRank(), tile.get(block.threadRank()) + 1);
      barrier.arriveAndWait();
    }
  }

  /** What has instructions from 8.0 on. */
  @Kernel
  private static void computes(ThreadBlock block, GlobalInts out) {
    int lane = block.warp().lane();
    float[] sums = new float[4];
    int one = 0x3C003C00; // 1.0 twice
    int[] left = {one, one, one, one};
    int[] right = {one, one};
    Mma.f16(sums, 0, left, 0, right, 0);
    if (block.threadRank() == 0) {
      out.set(1, (int) sums[0]);
      out.set(2, block.computeCapability());
    }
    int sum = block.warp().reduceAdd(lane);
    if (block.threadRank() == 0) {
      out.set(0, sum);
    }
  }

  @Kernel
  private static void fences(ThreadBlock block, GlobalInts out) {
    PtxWarpGroups.wgmmaFence();
    out.set(0, 1);
  }

  @Kernel
  private static void fencesIfItCan(ThreadBlock block, GlobalInts out) {
    if (block.computeCapability() == 90) {
      PtxWarpGroups.wgmmaFence();
    }
    out.set(block.threadRank(), 1);
  }

  @Kernel
  private static void multipliesBfloat16(ThreadBlock block, GlobalInts out) {
    float[] sums = new float[4];
    Mma.bf16(sums, 0, new int[4], 0, new int[2], 0);
    out.set(block.threadRank(), (int) sums[0]);
  }

  /** A product of ones of 8 bits, which come from floats. */
  @Kernel
  private static void multipliesEights(ThreadBlock block, GlobalInts out) {
    int ones = Ptx.cvtRnSatfiniteE4m3x2F32(1, 1);
    ones |= ones << 16;
    float[] sums = new float[4];
    Mma.e4m3(sums, 0, new int[] {ones, ones, ones, ones}, 0, new int[] {ones, ones}, 0);
    out.set(block.threadRank(), (int) (sums[0] + sums[1] + sums[2] + sums[3]) / 4);
  }

  @Kernel
  private static void multipliesNoEights(ThreadBlock block, GlobalInts out) {
    float[] sums = new float[4];
    Mma.e5m2(sums, 0, new int[4], 0, new int[2], 0);
    out.set(block.threadRank(), (int) sums[0]);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"t4", "t4,seed=5", "l4", "h100,seed=6", "b200", "rtx5090,seed=7", "t4,seed=8"})
  void aKernelThatCopiesIsRightOnEach(String words) {
    Map<String, KernelMethod.Of2<GlobalInts, GlobalInts>> kernels =
        Map.of(
            "copies", GenerationsTest::copies,
            "pipes", GenerationsTest::pipes,
            "arrives", GenerationsTest::arrives);
    kernels.forEach(
        (name, kernel) -> {
          int[] numbers = IntStream.range(0, TILES * THREADS).toArray();
          int[] found = new int[numbers.length];
          try (Device device = Device.open("virtual:" + words);
              Stream stream = device.stream();
              GlobalInts in = device.allocateInts(numbers.length);
              GlobalInts out = device.allocateInts(numbers.length)) {
            stream.copy(numbers, in);
            stream.launch(Grid.of(1, THREADS), kernel, in, out);
            stream.copy(out, found).await();
          }
          assertThat(found)
              .as("%s on %s", name, words)
              .isEqualTo(IntStream.rangeClosed(1, numbers.length).toArray());
        });
  }

  private static int[] run(String words, KernelMethod.Of1<GlobalInts> kernel, int threads) {
    int[] found = new int[threads];
    try (Device device = Device.open("virtual:" + words);
        Stream stream = device.stream();
        GlobalInts out = device.allocateInts(threads)) {
      stream.fill(out, 0);
      stream.launch(Grid.of(1, threads), kernel, out);
      stream.copy(out, found).await();
    }
    return found;
  }

  @ParameterizedTest
  @CsvSource({"t4, 75", "a100, 80", "l4, 89", "h100, 90", "b200, 100", "rtx5090, 120"})
  void aKernelKnowsItsTarget(String profile, int capability) {
    assertThat(run(profile, GenerationsTest::computes, 32)).startsWith(31 * 16, 16, capability);
  }

  @ParameterizedTest
  @ValueSource(strings = {"b200", "rtx5090"})
  void productsOfWarpGroupsAreRefusedWhereOnlyHopperHasThem(String profile) {
    assertThatThrownBy(() -> run(profile, GenerationsTest::fences, 128))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("PtxWarpGroups.wgmmaFence needs exactly compute capability 9.0")
        .hasMessageContaining("Mma");
    assertThat(run(profile, GenerationsTest::fencesIfItCan, 128)).containsOnly(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"t4"})
  void productsOfBfloat16AreRefusedOnTuring(String profile) {
    assertThatThrownBy(() -> run(profile, GenerationsTest::multipliesBfloat16, 32))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("Mma.bf16 needs compute capability 8.0, and the target is sm_75")
        .hasMessageContaining("Mma.f16");
  }

  @ParameterizedTest
  @ValueSource(strings = {"l4", "rtx4090,seed=3", "h100", "b200", "rtx5090"})
  void numbersOf8BitsAreMultipliedFromAdaOn(String profile) {
    int[] found = run(profile, GenerationsTest::multipliesEights, 32);
    assertThat(found).containsOnly(32);
  }

  @ParameterizedTest
  @CsvSource({"t4, sm_75", "a100, sm_80"})
  void numbersOf8BitsAreRefusedBeforeAda(String profile, String target) {
    assertThatThrownBy(() -> run(profile, GenerationsTest::multipliesEights, 32))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("Ptx.cvtRnSatfiniteE4m3x2F32 needs compute capability 8.9")
        .hasMessageContaining("the target is " + target)
        .hasMessageContaining("Fp8");
    assertThatThrownBy(() -> run(profile, GenerationsTest::multipliesNoEights, 32))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("Mma.e5m2 needs compute capability 8.9")
        .hasMessageContaining("the target is " + target)
        .hasMessageContaining("Mma.f16");
  }
}
