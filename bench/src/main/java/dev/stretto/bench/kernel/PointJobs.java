package dev.stretto.bench.kernel;

import dev.stretto.Grid;
import dev.stretto.bench.kernel.samples.Points;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Points that kernels compute from nothing but their numbers. */
final class PointJobs {
  private static final int SEED = 37;

  /** Additions, multiplications and comparisons of two steps of the generator and one throw. */
  private static final double OPERATIONS_A_THROW = 20;

  private PointJobs() {}

  static Job pi(Workbench bench) {
    int n = bench.size().sumBlocks() * Points.THREADS;
    GlobalInts counts = bench.ints(n);
    Grid grid = Grid.of(bench.size().sumBlocks(), Points.THREADS);
    return Job.ofOperations(
        bench.device().prepare(grid, Points::pi, counts, SEED),
        OPERATIONS_A_THROW * n * Points.THROWS,
        () -> checkCounts(bench.toHost(counts), n));
  }

  /** A point on the line may be on either side, since a device rounds the sum of squares once. */
  private static double checkCounts(MemorySegment counts, int n) {
    return Chunks.sum(
        n,
        i -> {
          int found = counts.getAtIndex(ValueLayout.JAVA_INT, i);
          WrongResultException.requireClose("the count of thread " + i, found, count(i), 2);
          return Expected.weighed(found, i);
        });
  }

  private static int count(int thread) {
    int state = (int) (thread * 0x9E3779B9L) ^ SEED;
    if (state == 0) {
      state = 1;
    }
    int count = 0;
    for (int i = 0; i < Points.THROWS; i++) {
      state = next(state);
      double x = (state >>> 8) * 0x1p-24;
      state = next(state);
      double y = (state >>> 8) * 0x1p-24;
      count += x * x + y * y < 1 ? 1 : 0;
    }
    return count;
  }

  private static int next(int state) {
    int x = state ^ state << 13;
    x ^= x >>> 17;
    return x ^ x << 5;
  }

  static Job mandelbrot(Workbench bench) {
    int side = bench.size().side() / 2;
    double scale = 2.5 / side;
    GlobalInts out = bench.ints(side * side);
    Grid grid = Grid.covering(side, side, Points.THREADS_X, Points.THREADS_Y);
    return Job.ofBytes(
        bench.device().prepare(grid, Points::mandelbrot, out, -2.0, -1.25, scale, side, side),
        4.0 * side * side,
        () -> checkRounds(bench.toHost(out), side, scale));
  }

  /** Next to the border of the set, rounding decides: one pixel in a thousand may differ. */
  private static double checkRounds(MemorySegment found, int side, double scale) {
    int n = side * side;
    double wrong =
        Chunks.sum(
            n,
            i -> {
              int column = i % side;
              int row = i / side;
              int right = rounds(-2 + column * scale, -1.25 + row * scale);
              return found.getAtIndex(ValueLayout.JAVA_INT, i) == right ? 0 : 1;
            });
    WrongResultException.requireClose("the number of wrong pixels", wrong, 0, 1e-3 * n);
    return Chunks.sum(n, i -> Expected.weighed(found.getAtIndex(ValueLayout.JAVA_INT, i), i));
  }

  private static int rounds(double x, double y) {
    double re = x;
    double im = y;
    int rounds = 0;
    while (rounds < Points.ROUNDS && re * re + im * im <= 4) {
      double next = re * re - im * im + x;
      im = 2 * re * im + y;
      re = next;
      rounds++;
    }
    return rounds;
  }

  static Job quasirandom(Workbench bench) {
    int n = bench.size().elements() / 4;
    GlobalFloats out = bench.floats(Points.DIMENSIONS * n);
    Grid grid = Workbench.grid(bench.size().sumBlocks(), Points.DIMENSIONS, Points.THREADS, 1);
    return Job.ofBytes(
        bench.device().prepare(grid, Points::quasirandom, out, SEED, n),
        4.0 * Points.DIMENSIONS * n,
        () ->
            Expected.floats(
                bench.toHost(out), Points.DIMENSIONS * n, i -> quasirandom(i % n, i / n)));
  }

  private static float quasirandom(int i, int dimension) {
    int result = 0;
    for (int bit = 0; bit < Points.BITS; bit++) {
      if (((SEED + i) >>> bit & 1) != 0) {
        result ^= Points.direction(dimension * Points.BITS + bit);
      }
    }
    return (result + 1) * 0x1p-31f;
  }
}
