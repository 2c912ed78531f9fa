package dev.stretto.bench.kernel;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.TensorMap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Function;

/** Jobs on a matrix that is processed in tiles. */
final class TensorJobs {
  private TensorJobs() {}

  /** Makes a launch. */
  private interface Prepared {
    Launch of(
        Device device,
        Grid grid,
        TensorMap map,
        GlobalFloats sums,
        int across,
        int tiles,
        int width);
  }

  private static TensorMap map(GlobalFloats matrix, int columns, int width) {
    return TensorMap.of(matrix)
        .shape(columns, matrix.length() / columns)
        .box(width, TensorStreams.TILE / width)
        .promotion(TensorMap.L2Promotion.BYTES_256)
        .build();
  }

  /** Sums a matrix, in tiles of a width in floats. */
  static Function<Workbench, Job> sum(int width) {
    return sum(
        width,
        (device, grid, map, sums, across, tiles, wide) ->
            device.prepare(grid, TensorStreams::sum, map, sums, across, tiles, wide));
  }

  static Function<Workbench, Job> sumPipelined(int width) {
    return sum(
        width,
        (device, grid, map, sums, across, tiles, wide) ->
            device.prepare(grid, TensorStreams::sumPipelined, map, sums, across, tiles, wide));
  }

  private static Function<Workbench, Job> sum(int width, Prepared prepared) {
    return bench -> {
      int columns = bench.size().tensor();
      int n = columns * columns;
      GlobalFloats matrix = bench.floats(n, i -> Pattern.smallFloat(i, 19));
      GlobalFloats sums = bench.floats(bench.size().tensorBlocks());
      Grid grid = Grid.of(bench.size().tensorBlocks(), TensorStreams.THREADS);
      Launch launch =
          prepared.of(
              bench.device(),
              grid,
              map(matrix, columns, width),
              sums,
              columns / width,
              n / TensorStreams.TILE,
              width);
      return new Job(
          List.of(launch), Job.Unit.BYTES, 4.0 * n, () -> requireSum(bench.toHost(sums), n, 19));
    };
  }

  /** All sums that occur are exact floats, in any order of addition. */
  private static double requireSum(MemorySegment sums, int n, int seed) {
    double found = 0;
    for (long i = 0; i < sums.byteSize() / Float.BYTES; i++) {
      found += sums.getAtIndex(ValueLayout.JAVA_FLOAT, i);
    }
    double expected = Chunks.sum(n, i -> Pattern.small(i, seed)) / 64;
    WrongResultException.requireClose("the sum", found, expected, 0);
    return found;
  }

  /** Copies a matrix of half as many rows. */
  static Function<Workbench, Job> copy(int width) {
    return bench -> {
      int columns = bench.size().tensor();
      int n = columns * (columns / 2);
      GlobalFloats from = bench.floats(n, i -> Pattern.fineFloat(i, 20));
      GlobalFloats to = bench.floats(n);
      Launch launch =
          bench
              .device()
              .prepare(
                  Grid.of(bench.size().tensorBlocks(), TensorStreams.COPY_THREADS),
                  TensorStreams::copy,
                  map(from, columns, width),
                  map(to, columns, width),
                  columns / width,
                  n / TensorStreams.TILE,
                  width);
      return new Job(
          List.of(launch),
          Job.Unit.BYTES,
          8.0 * n,
          () -> Chunks.requireEach(bench.toHost(to), n, i -> Pattern.fineFloat(i, 20)));
    };
  }
}
