package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A virtual device finds a mistake in whichever block of a launch it is, though races with copies
 * are looked for in the first and the last one only.
 */
class EveryBlockTest {
  private static final int BLOCKS = 9;
  private static final int THREADS = 64;
  private static final int TILE = 256;

  @Kernel
  static void right(ThreadBlock block, GlobalInts in, GlobalInts out, int mistaken) {
    SharedInts tile = block.sharedInts(TILE);
    Barrier full = block.barrier();
    long from = block.blockIndexX() * (long) TILE;
    block.memcpyAsync(tile, 0, in, from, TILE, 16, full);
    full.arriveAndWait();
    out.set(block.globalIndexX(), tile.get(TILE - 1 - block.threadIndexX()) + mistaken);
  }

  @Kernel
  static void waitsForNoCopy(ThreadBlock block, GlobalInts in, GlobalInts out, int mistaken) {
    SharedInts tile = block.sharedInts(TILE);
    Barrier full = block.barrier();
    long from = block.blockIndexX() * (long) TILE;
    block.memcpyAsync(tile, 0, in, from, TILE, 16, full);
    if (block.blockIndexX() != mistaken) {
      full.arriveAndWait();
    }
    out.set(block.globalIndexX(), 1);
  }

  @Kernel
  static void leavesAStage(ThreadBlock block, GlobalInts in, GlobalInts out, int mistaken) {
    SharedInts tiles = block.sharedInts(2 * TILE);
    Pipeline pipeline = block.pipeline(2);
    for (int i = 0; i < 2; i++) {
      pipeline.producerAcquire();
      int at = pipeline.producerStage() * TILE;
      block.memcpyAsync(tiles, at, in, i * (long) TILE, TILE, 16, pipeline);
      pipeline.producerCommit();
    }
    int waits = block.blockIndexX() == mistaken ? 1 : 2;
    for (int i = 0; i < waits; i++) {
      pipeline.consumerWait();
      out.set(block.globalIndexX(), tiles.get(pipeline.consumerStage() * TILE));
      pipeline.consumerRelease();
    }
  }

  @Kernel
  static void usesNoBarrier(ThreadBlock block, GlobalInts in, GlobalInts out, int mistaken) {
    SharedLongs barriers = block.sharedLongs(2);
    if (block.threadIndexX() == 0) {
      PtxBarriers.mbarrierInit(barriers, 0, THREADS);
    }
    block.sync();
    long _ = PtxBarriers.mbarrierArrive(barriers, block.blockIndexX() == mistaken ? 1 : 0);
    out.set(block.globalIndexX(), 1);
  }

  @Kernel
  static void arrivesTooOften(ThreadBlock block, GlobalInts in, GlobalInts out, int mistaken) {
    SharedLongs barriers = block.sharedLongs(1);
    if (block.threadIndexX() == 0) {
      PtxBarriers.mbarrierInit(barriers, 0, THREADS + 1);
    }
    block.sync();
    if (block.blockIndexX() == mistaken && block.threadIndexX() == 7) {
      long _ = PtxBarriers.mbarrierArriveNoComplete(barriers, 0, THREADS - 1);
    }
    block.sync();
    long _ = PtxBarriers.mbarrierArriveNoComplete(barriers, 0, 1);
    out.set(block.globalIndexX(), 1);
  }

  @Kernel
  static void waitsForAnOldPhase(ThreadBlock block, GlobalInts in, GlobalInts out, int mistaken) {
    Barrier barrier = block.barrier();
    long first = barrier.arrive();
    barrier.waitFor(first);
    barrier.arriveAndWait();
    barrier.arriveAndWait();
    if (block.blockIndexX() == mistaken) {
      barrier.waitFor(first);
    }
    out.set(block.globalIndexX(), 1);
  }

  @Kernel
  static void doesNotArrive(ThreadBlock block, GlobalInts in, GlobalInts out, int mistaken) {
    Barrier barrier = block.barrier();
    if (block.blockIndexX() != mistaken || block.threadIndexX() != 5) {
      barrier.arriveAndWait();
    }
    out.set(block.globalIndexX(), 1);
  }

  private static int[] run(
      String machine, KernelMethod.Of3<GlobalInts, GlobalInts, Integer> kernel, int mistaken) {
    try (Device device = Device.open(machine);
        Stream stream = device.stream();
        GlobalInts in = device.allocateInts(BLOCKS * TILE);
        GlobalInts out = device.allocateInts(BLOCKS * THREADS)) {
      stream.copy(IntStream.range(0, BLOCKS * TILE).toArray(), in);
      stream.launch(Grid.of(BLOCKS, THREADS), kernel, in, out, mistaken);
      int[] found = new int[BLOCKS * THREADS];
      stream.copy(out, found).await();
      return found;
    }
  }

  private static void told(
      String machine, KernelMethod.Of3<GlobalInts, GlobalInts, Integer> kernel, String... words) {
    assertThat(run(machine, kernel, -1)).as("without the mistake").hasSize(BLOCKS * THREADS);
    for (int mistaken : new int[] {0, 4, BLOCKS - 1}) {
      assertThatThrownBy(() -> run(machine, kernel, mistaken))
          .as("in block %d", mistaken)
          .hasMessageContaining("block (" + mistaken + ", 0, 0)")
          .hasMessageContaining("EveryBlockTest.java:")
          .hasMessageContainingAll(words);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"virtual:a100", "virtual:h200", "virtual:a100,seed=3", "virtual:h200,seed=4"})
  void aRightKernelIsRight(String machine) {
    int[] found = run(machine, EveryBlockTest::right, 3);
    for (int i = 0; i < found.length; i++) {
      assertThat(found[i]).isEqualTo(i / THREADS * TILE + TILE - 1 - i % THREADS + 3);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"virtual:a100", "virtual:h200", "virtual:a100,seed=3", "virtual:h200,seed=4"})
  void aCopyThatNobodyHasWaitedForIsTold(String machine) {
    told(machine, EveryBlockTest::waitsForNoCopy, "missing-wait", "still fills its shared memory");
    told(machine, EveryBlockTest::leavesAStage, "missing-wait", "drain()");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"virtual:a100", "virtual:h200", "virtual:a100,seed=3", "virtual:h200,seed=4"})
  void aBarrierThatIsUsedWronglyIsTold(String machine) {
    told(machine, EveryBlockTest::usesNoBarrier, "barrier-not-initialized", "element 1");
    told(machine, EveryBlockTest::arrivesTooOften, "too-many-arrivals", "of whose 65 arrivals");
    told(machine, EveryBlockTest::waitsForAnOldPhase, "stale-phase", "phase 0", "in phase 3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"virtual:a100", "virtual:h200", "virtual:a100,seed=3", "virtual:h200,seed=4"})
  void aDeadlockNamesAllThreadsThatWait(String machine) {
    told(
        machine,
        EveryBlockTest::doesNotArrive,
        "no thread of the block can go on",
        "threads 0 to 4, 6 to 63 wait",
        "misses 1 of 64 arrivals",
        "1 threads have returned");
  }
}
