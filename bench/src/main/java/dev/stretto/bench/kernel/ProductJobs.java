package dev.stretto.bench.kernel;

import dev.stretto.Grid;
import dev.stretto.bench.kernel.samples.Products;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Products of vectors and matrices. Their elements are 64ths, and so the sums are exact. */
final class ProductJobs {
  private static final int LENGTH = 4096;
  private static final int CHECKED = 32;

  private ProductJobs() {}

  static Job dot(Workbench bench) {
    int n = bench.size().elements() / 2;
    int blocks = bench.size().sumBlocks();
    GlobalDoubles x = bench.doubles(n, i -> Pattern.smallFloat(i, 45));
    GlobalDoubles y = bench.doubles(n, i -> Pattern.smallFloat(i, 46));
    GlobalDoubles sums = bench.doubles(blocks);
    return Job.ofBytes(
        bench.device().prepare(Grid.of(blocks, Products.THREADS), Products::dot, x, y, sums),
        16.0 * n,
        () -> {
          MemorySegment found = bench.toHost(sums);
          double sum = Chunks.sum(blocks, i -> found.getAtIndex(ValueLayout.JAVA_DOUBLE, i));
          double right = Chunks.sum(n, i -> product(i, 45, i, 46));
          WrongResultException.requireClose("the product", sum, right, 0);
          return Chunks.sum(
              blocks, i -> Expected.weighed(found.getAtIndex(ValueLayout.JAVA_DOUBLE, i), i));
        });
  }

  static Job pairs(Workbench bench) {
    int n = bench.size().elements();
    int vectors = n / LENGTH;
    GlobalFloats a = bench.floats(n, i -> Pattern.smallFloat(i, 45));
    GlobalFloats b = bench.floats(n, i -> Pattern.smallFloat(i, 46));
    GlobalFloats products = bench.floats(vectors);
    Grid grid = Grid.of(bench.size().sumBlocks(), Products.THREADS);
    return Job.ofBytes(
        bench.device().prepare(grid, Products::pairs, products, a, b, vectors, LENGTH),
        8.0 * n,
        () -> {
          MemorySegment found = bench.toHost(products);
          return Expected.floats(found, vectors, i -> product(i * LENGTH, i * LENGTH, LENGTH));
        });
  }

  static Job vector(Workbench bench) {
    int side = bench.size().side();
    GlobalFloats matrix = bench.floats(side * side, i -> Pattern.smallFloat(i, 45));
    GlobalFloats x = bench.floats(side, i -> Pattern.smallFloat(i, 46));
    GlobalFloats y = bench.floats(side);
    Grid grid = Grid.covering(32L * side, Products.THREADS);
    return Job.ofBytes(
        bench.device().prepare(grid, Products::vector, matrix, x, y, side),
        4.0 * side * side,
        () -> Expected.floats(bench.toHost(y), side, i -> product(i * side, 0, side)));
  }

  static Job sparse(Workbench bench) {
    int rows = bench.size().elements() / 64;
    int[] starts = new int[rows + 1];
    for (int row = 0; row < rows; row++) {
      starts[row + 1] = starts[row] + 16 + (Pattern.hash(row, 47) & 31);
    }
    int n = starts[rows];
    GlobalInts begins = bench.ints(rows + 1, i -> starts[i]);
    GlobalInts columns = bench.ints(n, i -> column(i, rows));
    GlobalFloats values = bench.floats(n, i -> Pattern.smallFloat(i, 45));
    GlobalFloats x = bench.floats(rows, i -> Pattern.smallFloat(i, 46));
    GlobalFloats y = bench.floats(rows);
    Grid grid = Grid.covering(rows, Products.THREADS);
    return Job.ofBytes(
        bench.device().prepare(grid, Products::sparse, begins, columns, values, x, y),
        8.0 * n,
        () -> Expected.floats(bench.toHost(y), rows, i -> sparse(starts[i], starts[i + 1], rows)));
  }

  /** The number of rows is a power of two. */
  private static int column(int i, int rows) {
    return Pattern.hash(i, 48) & (rows - 1);
  }

  private static float sparse(int begin, int end, int rows) {
    double sum = 0;
    for (int i = begin; i < end; i++) {
      sum += product(i, 45, column(i, rows), 46);
    }
    return (float) sum;
  }

  static Job matrices(Workbench bench) {
    int n = bench.size().matrix() / 2;
    GlobalFloats a = bench.floats(n * n, i -> Pattern.smallFloat(i, 11));
    GlobalFloats b = bench.floats(n * n, i -> Pattern.smallFloat(i, 12));
    GlobalFloats c = bench.floats(n * n);
    return Job.ofOperations(
        bench.device().prepare(tiles(n), Products::matrices, a, b, c, n),
        2.0 * n * n * n,
        () -> MatrixJobs.requireProduct(bench.toHost(c), n, 11, 12));
  }

  static Job wholeMatrices(Workbench bench) {
    int n = bench.size().matrix() / 2;
    GlobalInts a = bench.ints(n * n, i -> Pattern.small(i, 45));
    GlobalInts b = bench.ints(n * n, i -> Pattern.small(i, 46));
    GlobalInts c = bench.ints(n * n);
    return Job.ofOperations(
        bench.device().prepare(tiles(n), Products::wholeMatrices, a, b, c, (long) n),
        2.0 * n * n * n,
        () -> checkWhole(bench.toHost(c), n));
  }

  private static Grid tiles(int n) {
    return Workbench.grid(n / Products.TILE, n / Products.TILE, Products.TILE, Products.TILE);
  }

  /** Compares every {@link #CHECKED}th element, in a different column of each row. */
  private static double checkWhole(MemorySegment c, int n) {
    Expected.sumOfLong(
        n,
        row -> {
          for (int column = row % CHECKED; column < n; column += CHECKED) {
            int sum = 0;
            for (int k = 0; k < n; k++) {
              sum += Pattern.small(row * n + k, 45) * Pattern.small(k * n + column, 46);
            }
            int found = c.getAtIndex(ValueLayout.JAVA_INT, row * n + column);
            if (found != sum) {
              throw Expected.wrong(row * n + column, found, sum);
            }
          }
          return 0;
        });
    return Chunks.sum(n * n, i -> Expected.weighed(c.getAtIndex(ValueLayout.JAVA_INT, i), i));
  }

  private static double product(int i, int seedA, int j, int seedB) {
    return (double) Pattern.smallFloat(i, seedA) * Pattern.smallFloat(j, seedB);
  }

  /** The sum of so many products, of elements from these on. */
  private static float product(int a, int b, int length) {
    double sum = 0;
    for (int i = 0; i < length; i++) {
      sum += product(a + i, 45, b + i, 46);
    }
    return (float) sum;
  }
}
