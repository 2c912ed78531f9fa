package dev.stretto.bench.kernel;

import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Jobs on streams of floats, which only memory limits. */
final class StreamJobs {
  private StreamJobs() {}

  static Job saxpy(Workbench bench) {
    int n = bench.size().elements();
    GlobalFloats x = bench.floats(n, i -> Pattern.smallFloat(i, 1));
    GlobalFloats y = bench.floats(n, i -> Pattern.smallFloat(i, 2));
    Grid grid = Grid.covering(n, Saxpy.THREADS);
    float times = 2f * bench.size().allLaunches();
    return new Job(
        List.of(bench.device().prepare(grid, Saxpy::saxpy, 2f, x, y, n)),
        Job.Unit.BYTES,
        12.0 * n,
        () ->
            Chunks.requireEach(
                bench.toHost(y),
                n,
                i -> Pattern.smallFloat(i, 2) + times * Pattern.smallFloat(i, 1)));
  }

  static Job triad(Workbench bench) {
    int n = bench.size().elements();
    GlobalFloats b = bench.floats(n, i -> Pattern.smallFloat(i, 3));
    GlobalFloats c = bench.floats(n, i -> Pattern.smallFloat(i, 4));
    GlobalFloats a = bench.floats(n);
    Grid grid = Grid.covering(n / 4, Triad.THREADS);
    return new Job(
        List.of(bench.device().prepare(grid, Triad::triad, a, b, c, 3f, n)),
        Job.Unit.BYTES,
        12.0 * n,
        () ->
            Chunks.requireEach(
                bench.toHost(a), n, i -> Pattern.smallFloat(i, 3) + 3 * Pattern.smallFloat(i, 4)));
  }

  static Job reduction(Workbench bench) {
    int n = bench.size().elements();
    GlobalFloats x = bench.floats(n, i -> Pattern.smallFloat(i, 5));
    GlobalFloats sums = bench.floats(bench.size().sumBlocks());
    Grid grid = Grid.of(bench.size().sumBlocks(), Sums.THREADS);
    return sum(bench, bench.device().prepare(grid, Sums::reduce, x, sums, n), sums, n, 5);
  }

  static Job wideSum(Workbench bench) {
    int n = bench.size().sumElements();
    GlobalFloats x = bench.floats(n, i -> Pattern.smallFloat(i, 6));
    GlobalFloats sums = bench.floats(bench.size().sumBlocks());
    Grid grid = Grid.of(bench.size().sumBlocks(), Sums.THREADS);
    return sum(bench, bench.device().prepare(grid, Sums::reduceWide, x, sums, n), sums, n, 6);
  }

  /** The launch computes a sum for each block; a second launch adds those up. */
  private static Job sum(Workbench bench, Launch blocks, GlobalFloats sums, int n, int seed) {
    GlobalFloats sum = bench.floats(1);
    Launch all =
        bench
            .device()
            .prepare(Grid.of(1, Sums.THREADS), Sums::reduce, sums, sum, bench.size().sumBlocks());
    return new Job(
        List.of(blocks, all),
        Job.Unit.BYTES,
        4.0 * n,
        () -> {
          double expected = Chunks.sum(n, i -> Pattern.small(i, seed)) / 64;
          double found = bench.toHost(sum).get(ValueLayout.JAVA_FLOAT, 0);
          WrongResultException.requireClose("the sum", found, expected, 1e-5 * Math.abs(expected));
          return found;
        });
  }
}
