package dev.stretto.bench.kernel;

import dev.stretto.Grid;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;

/** Products of square matrices. */
final class MatrixJobs {
  private MatrixJobs() {}

  static Job sgemm(Workbench bench) {
    int n = bench.size().matrix();
    GlobalFloats a = bench.floats(n * n, i -> Pattern.smallFloat(i, 11));
    GlobalFloats b = bench.floats(n * n, i -> Pattern.smallFloat(i, 12));
    GlobalFloats c = bench.floats(n * n);
    Grid grid = Workbench.grid(n / Sgemm.TILE, n / Sgemm.TILE, Sgemm.THREADS, 1);
    return new Job(
        List.of(bench.device().prepare(grid, Sgemm::sgemm, a, b, c, n, n)),
        Job.Unit.OPERATIONS,
        2.0 * n * n * n,
        () -> requireProduct(bench.toHost(c), n, 11, 12));
  }

  static Job mmaBf16(Workbench bench) {
    int n = bench.size().matrix();
    GlobalInts a = bench.ints(n * n / 2, i -> Pattern.smallPair(i, 17));
    GlobalInts b = bench.ints(n * n / 2, i -> Pattern.smallPair(i, 18));
    GlobalFloats c = bench.floats(n * n);
    Grid grid = Workbench.grid(n / MmaBf16.COLUMNS, n / MmaBf16.ROWS, MmaBf16.THREADS, 1);
    return new Job(
        List.of(bench.device().prepare(grid, MmaBf16::mma, a, b, c, n, n)),
        Job.Unit.OPERATIONS,
        2.0 * n * n * n,
        () -> requireProduct(bench.toHost(c), n, 17, 18));
  }

  /**
   * Verifies {@code C = A B} by {@code C v = A (B v)} for a random v, in whole numbers, since the
   * elements of A and B are 64ths: a wrong row passes once in a million times.
   */
  static double requireProduct(MemorySegment c, int n, int seedA, int seedB) {
    long[] v = new long[n];
    long[] bv = new long[n];
    for (int i = 0; i < n; i++) {
      v[i] = (Pattern.hash(i, 99) >>> 12) - (1L << 19);
    }
    IntStream.range(0, n)
        .parallel()
        .forEach(
            row -> {
              for (int i = 0; i < n; i++) {
                bv[row] += Pattern.small(row * n + i, seedB) * v[i];
              }
            });
    return IntStream.range(0, n)
        .parallel()
        .mapToDouble(row -> requireRow(c, row, v, bv, seedA))
        .sum();
  }

  private static double requireRow(MemorySegment c, int row, long[] v, long[] bv, int seedA) {
    int n = v.length;
    long expected = 0;
    long found = 0;
    double sum = 0;
    for (int i = 0; i < n; i++) {
      expected += Pattern.small(row * n + i, seedA) * bv[i];
      float element = c.getAtIndex(ValueLayout.JAVA_FLOAT, (long) row * n + i);
      double units = element * 4096.0;
      if (!(Math.abs(units) <= 4096.0 * n) || units != Math.floor(units)) {
        throw new WrongResultException(
            "row "
                + row
                + ", column "
                + i
                + " is "
                + element
                + ", which is not a sum of such products");
      }
      found += ((long) units) * v[i];
      sum += element;
    }
    if (found != expected) {
      throw new WrongResultException("row " + row + " of the product is wrong");
    }
    return sum;
  }
}
