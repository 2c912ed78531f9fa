package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Grid;
import dev.stretto.Sample;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads leave pipelines in any order, after as many stages as they like, none included: those
 * that stay go on, and the kernel ends.
 *
 * <p>{@code -Dstretto.pipelines.seed=7} runs the one with that seed, {@code
 * -Dstretto.pipelines=2000} so many on a GPU.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LeavingPipelineTest extends ContractTest {
  private static final int PROGRAMS = Sample.of("stretto.pipelines", 50, 300);
  private static final Long SEED = Long.getLong("stretto.pipelines.seed");

  @Test
  void aKernelEndsInWhateverOrderItsThreadsLeave() {
    try (Stream stream = device.stream()) {
      if (SEED != null) {
        new Program(SEED).check(stream);
        return;
      }
      // Under the seeds, each has its share.
      int step = machine.isSeeded() ? 8 : 1;
      int first = machine.isSeeded() ? Math.floorMod(machine.name().hashCode(), step) : 0;
      for (int seed = first; seed < PROGRAMS; seed += step) {
        new Program(seed).check(stream);
      }
    }
  }

  /**
   * Two consumers of which one leaves after one tile; many blocks, so that warps meet in any way.
   */
  @Test
  void aWarpMayLeaveWhileTheLastOneLeavesToo() {
    int[] turns = new int[96];
    Arrays.fill(turns, 0, 32, 2);
    Arrays.fill(turns, 32, 64, 1);
    Arrays.fill(turns, 64, 96, 2);
    check(2, 32, turns, machine.isVirtual() ? 20 : 20_000);
  }

  @Test
  void aProducerMayLeaveWithoutHavingTakenPart() {
    check(2, 2, new int[] {0, 1, 1}, machine.isVirtual() ? 20 : 2_000);
    check(2, 2, new int[] {1, 0, 1}, machine.isVirtual() ? 20 : 2_000);
    check(2, 64, IntStream.range(0, 96).map(i -> i < 32 ? 0 : 1).toArray(), 20);
  }

  private void check(int stages, int producers, int[] turns, int blocks) {
    try (Stream stream = device.stream()) {
      new Program(stages, producers, turns, blocks).check(stream);
    }
  }

  /** One program: its numbers, and what has to come out. */
  private final class Program {
    private final String name;
    private final int stages;
    private final int producers;
    private final int blocks;
    private final int[] turns;
    private final int[] numbers;

    Program(int stages, int producers, int[] turns, int blocks) {
      this.name = "a given one";
      this.stages = stages;
      this.producers = producers;
      this.turns = turns;
      this.blocks = blocks;
      this.numbers = numbers(new SplittableRandom(1));
    }

    Program(long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      this.name = "-Dstretto.pipelines.seed=" + seed;
      this.stages = random.nextInt(1, 9);
      boolean roles = random.nextInt(3) > 0;
      int threads = random.nextInt(2, random.nextBoolean() ? 40 : LeavingPrograms.MOST);
      this.producers = roles ? random.nextInt(1, threads) : 0;
      this.blocks = machine.isVirtual() ? random.nextInt(1, 3) : random.nextInt(1, 400);
      this.turns = new int[threads];
      int most = random.nextInt(1, 3 * stages + 2);
      boolean byWarps = random.nextBoolean();
      int at = 0;
      for (int i = 0; i < threads; i++) {
        if (!byWarps || i % 32 == 0 || i == producers) {
          at = random.nextInt(4) == 0 ? most : random.nextInt(most + 1);
        }
        turns[i] = at;
      }
      if (roles) {
        // Nobody waits for a tile that nobody makes, nor for room that nobody gives.
        turns[random.nextInt(producers)] = most;
        int consumer = random.nextInt(producers, threads);
        turns[consumer] =
            random.nextBoolean() ? most : Math.max(0, most - random.nextInt(stages + 1));
      }
      this.numbers = numbers(random);
    }

    private int[] numbers(SplittableRandom random) {
      int tiles = IntStream.of(turns).max().orElseThrow() + 1;
      return random.ints((long) tiles * copiers()).toArray();
    }

    private int copiers() {
      return producers == 0 ? turns.length : producers;
    }

    void check(Stream stream) {
      int threads = turns.length;
      int[] found = new int[threads * blocks];
      try (GlobalInts in = device.allocateInts(numbers.length);
          GlobalInts all = device.allocateInts(threads);
          GlobalInts out = device.allocateInts(found.length)) {
        stream.copy(numbers, in);
        stream.copy(turns, all);
        Grid grid = Grid.of(blocks, threads);
        if (producers == 0) {
          stream.launch(grid, LeavingPrograms::together, in, out, all, stages);
        } else {
          stream.launch(grid, LeavingPrograms::byRoles, in, out, all, producers, stages);
        }
        stream.copy(out, found).await();
      }
      int[] expected = expected();
      for (int block = 0; block < blocks; block++) {
        assertThat(Arrays.copyOfRange(found, block * threads, (block + 1) * threads))
            .as("%s: block %d of %s", name, block, this)
            .isEqualTo(expected);
      }
    }

    private int[] expected() {
      int[] sums = new int[turns.length];
      for (int rank = 0; rank < sums.length; rank++) {
        if (producers > 0 && rank < producers) {
          continue;
        }
        for (int tile = 0; tile < turns[rank]; tile++) {
          for (int i = 0; i < copiers(); i++) {
            if (turns[i] > tile) {
              sums[rank] = sums[rank] * 31 + numbers[tile * copiers() + i];
            }
          }
        }
      }
      return sums;
    }

    @Override
    public String toString() {
      return "%d stages, %d of %d threads produce, %d blocks, turns %s"
          .formatted(stages, producers, turns.length, blocks, Arrays.toString(turns));
    }
  }
}
