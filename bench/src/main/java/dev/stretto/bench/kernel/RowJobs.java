package dev.stretto.bench.kernel;

import dev.stretto.Grid;
import dev.stretto.bench.kernel.samples.Rows;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;

/** Functions of the rows of a matrix. */
final class RowJobs {
  private static final int COLUMNS = 1024;

  private RowJobs() {}

  /** What a row becomes. */
  @FunctionalInterface
  private interface RowFunction {
    double[] of(double[] row);
  }

  static Job softmax(Workbench bench) {
    int n = bench.size().elements();
    GlobalFloats in = bench.floats(n, RowJobs::element);
    GlobalFloats out = bench.floats(n);
    Grid grid = Grid.of(n / COLUMNS, Rows.THREADS);
    return Job.ofBytes(
        bench.device().prepare(grid, Rows::softmax, in, out, COLUMNS),
        8.0 * n,
        () -> check(bench.toHost(out), n, 1e-6, RowJobs::softmax));
  }

  static Job normalize(Workbench bench) {
    int n = bench.size().elements();
    GlobalFloats in = bench.floats(n, RowJobs::element);
    GlobalFloats scales = bench.floats(COLUMNS, RowJobs::scale);
    GlobalFloats shifts = bench.floats(COLUMNS, RowJobs::shift);
    GlobalFloats out = bench.floats(n);
    Grid grid = Grid.of(n / COLUMNS, Rows.THREADS);
    return Job.ofBytes(
        bench.device().prepare(grid, Rows::normalize, in, scales, shifts, out, COLUMNS),
        8.0 * n,
        () -> check(bench.toHost(out), n, 1e-4, RowJobs::normalized));
  }

  private static float element(int i) {
    return 4 * Pattern.fineFloat(i, 50);
  }

  private static float scale(int column) {
    return 1 + 0.5f * Pattern.fineFloat(column, 51);
  }

  private static float shift(int column) {
    return Pattern.fineFloat(column, 52);
  }

  private static double check(MemorySegment found, int n, double tolerance, RowFunction function) {
    return Expected.sumOfLong(
        n / COLUMNS,
        row -> {
          int first = row * COLUMNS;
          double[] right =
              function.of(
                  IntStream.range(0, COLUMNS).mapToDouble(i -> element(first + i)).toArray());
          double sum = 0;
          for (int i = 0; i < COLUMNS; i++) {
            float value = found.getAtIndex(ValueLayout.JAVA_FLOAT, first + i);
            if (!(Math.abs(value - right[i]) <= tolerance)) {
              throw Expected.wrong(first + i, value, right[i]);
            }
            sum += Expected.weighed(value, first + i);
          }
          return sum;
        });
  }

  private static double[] softmax(double[] row) {
    double sum = 0;
    for (int i = 0; i < row.length; i++) {
      row[i] = Math.exp(row[i]);
      sum += row[i];
    }
    for (int i = 0; i < row.length; i++) {
      row[i] /= sum;
    }
    return row;
  }

  private static double[] normalized(double[] row) {
    double sum = 0;
    for (double each : row) {
      sum += each;
    }
    double mean = sum / row.length;
    double squares = 0;
    for (double each : row) {
      squares += (each - mean) * (each - mean);
    }
    double deviation = Math.sqrt(squares / row.length + 1e-5);
    for (int i = 0; i < row.length; i++) {
      row[i] = (row[i] - mean) / deviation * scale(i) + shift(i);
    }
    return row;
  }
}
