package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Grid;
import dev.stretto.Sample;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Random pipelines: stages, roles, sizes, tails, threads that leave early. What comes out is what a
 * plain loop of the host makes of the same numbers.
 *
 * <p>{@code -Dstretto.pipelines.seed=7} runs the one with that seed.
 */
class RandomPipelineTest extends ContractTest {
  private static final int PROGRAMS = Sample.of(120, 1_000);
  private static final Long SEED = Long.getLong("stretto.pipelines.seed");

  @Test
  void tilesComeThroughPipelinesWhole() {
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

  /** One program: its numbers, and what has to come out. */
  private final class Program {
    private final long seed;
    private final int form;
    private final int stages;
    private final int alignment;
    private final int tile;
    private final int blocks;
    private final int threads;
    private final int producers;
    private final int leaving;
    private final int round;
    private final int ahead;
    private final int[] numbers;

    Program(long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      this.seed = seed;
      this.form = random.nextInt(3);
      this.stages = random.nextInt(1, 6);
      this.alignment = 4 << random.nextInt(3);
      int unit = alignment / 4;
      this.tile = random.nextInt(1, PipelinePrograms.MOST / unit + 1) * unit;
      this.blocks = random.nextInt(1, 4);
      this.producers = random.nextInt(1, 3);
      int warps = random.nextInt(1, 3) + (form == 2 ? producers : 0);
      this.threads = form == 2 ? 32 * warps : random.nextInt(1, 32 * warps + 1);
      int consumers = form == 2 ? threads - 32 * producers : threads;
      this.leaving = random.nextBoolean() ? 0 : random.nextInt(consumers);
      this.round = random.nextInt(4);
      this.ahead = random.nextInt(1, stages + 1);
      // The last tile is as long as it comes, also where the others are aligned.
      int n = tile * random.nextInt(0, 12) + random.nextInt(1, tile + 1);
      this.numbers = random.ints(n).toArray();
    }

    void check(Stream stream) {
      int n = numbers.length;
      try (GlobalInts in = device.allocateInts(n);
          GlobalInts out = device.allocateInts(n)) {
        stream.copy(numbers, in);
        stream.fill(out, 0);
        launch(stream, in, out, n);
        int[] found = new int[n];
        stream.copy(out, found).await();
        assertThat(found).as("-Dstretto.pipelines.seed=%d: %s", seed, this).isEqualTo(expected());
      }
    }

    private void launch(Stream stream, GlobalInts in, GlobalInts out, int n) {
      Grid grid = Grid.of(blocks, threads);
      switch (form) {
        case 0 ->
            stream.launch(
                grid, PipelinePrograms::together, in, out, n, tile, ahead, stages, alignment);
        case 1 ->
            stream.launch(grid, PipelinePrograms::alone, in, out, n, tile, leaving, round, stages);
        default ->
            stream.launch(
                grid,
                PipelinePrograms::byRoles,
                in,
                out,
                n,
                tile,
                producers,
                leaving,
                round,
                stages,
                alignment);
      }
    }

    private int[] expected() {
      int[] result = new int[numbers.length];
      int workers = form == 2 ? threads - 32 * producers : threads;
      for (int i = 0; i < result.length; i++) {
        int at = i / tile;
        int count = Math.min(tile, numbers.length - at * tile);
        int place = i - at * tile;
        boolean left = form > 0 && place % workers < leaving && at / blocks >= round;
        int next = form == 1 ? numbers[i] : numbers[at * tile + (place + 1) % count];
        result[i] = left ? 0 : numbers[i] * 31 + next;
      }
      return result;
    }

    @Override
    public String toString() {
      return "form %d, %d stages, alignment %d, tiles of %d, %d numbers, %d blocks of %d threads"
              .formatted(form, stages, alignment, tile, numbers.length, blocks, threads)
          + ", %d warps produce, %d threads leave in round %d, %d ahead"
              .formatted(producers, leaving, round, ahead);
    }
  }
}
