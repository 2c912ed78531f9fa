package dev.stretto.bench.kernel;

import dev.stretto.Grid;
import dev.stretto.bench.kernel.samples.Sorting;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Jobs whose kernels halve and double. */
final class SortingJobs {
  private static final int SEED = 40;

  private SortingJobs() {}

  static Job bitonic(Workbench bench) {
    int n = bench.size().elements();
    GlobalInts in = bench.ints(n, i -> Pattern.hash(i, SEED));
    GlobalInts out = bench.ints(n);
    Grid grid = Grid.of(n / Sorting.KEYS, Sorting.KEYS / 2);
    return Job.ofBytes(
        bench.device().prepare(grid, Sorting::bitonic, in, out),
        8.0 * n,
        () -> {
          MemorySegment found = bench.toHost(out);
          return Expected.sumOfLong(n / Sorting.KEYS, i -> checkSorted(found, i * Sorting.KEYS));
        });
  }

  private static double checkSorted(MemorySegment found, int first) {
    int[] keys = IntStream.range(0, Sorting.KEYS).map(i -> Pattern.hash(first + i, SEED)).toArray();
    Arrays.sort(keys);
    double sum = 0;
    for (int i = 0; i < keys.length; i++) {
      int value = found.getAtIndex(ValueLayout.JAVA_INT, first + i);
      if (value != keys[i]) {
        throw Expected.wrong(first + i, value, keys[i]);
      }
      sum += Expected.weighed(value, first + i);
    }
    return sum;
  }

  static Job merge(Workbench bench) {
    int n = bench.size().elements() / 4;
    GlobalInts a = bench.ints(n, i -> rising(i, 41));
    GlobalInts b = bench.ints(n, i -> rising(i, 42));
    GlobalInts out = bench.ints(2 * n);
    return Job.ofBytes(
        bench.device().prepare(Grid.covering(n, Sorting.THREADS), Sorting::merge, a, b, out),
        16.0 * n,
        () -> Expected.ints(bench.toHost(out), 2 * n, SortingJobs::merged));
  }

  /** Each element lies in the eight numbers behind those of its predecessor. */
  private static int rising(int i, int seed) {
    return 8 * i + (Pattern.hash(i, seed) & 7);
  }

  private static int merged(int i) {
    int a = rising(i / 2, 41);
    int b = rising(i / 2, 42);
    return i % 2 == 0 ? Math.min(a, b) : Math.max(a, b);
  }

  static Job scan(Workbench bench) {
    int n = bench.size().elements();
    GlobalInts in = bench.ints(n, i -> Pattern.small(i, 43));
    GlobalInts out = bench.ints(n);
    return Job.ofBytes(
        bench
            .device()
            .prepare(Grid.of(n / Sorting.THREADS, Sorting.THREADS), Sorting::scan, in, out),
        8.0 * n,
        () -> {
          MemorySegment found = bench.toHost(out);
          return Expected.ints(found, n, i -> sumBefore(found, i) + Pattern.small(i, 43));
        });
  }

  private static int sumBefore(MemorySegment sums, int i) {
    return i % Sorting.THREADS == 0 ? 0 : sums.getAtIndex(ValueLayout.JAVA_INT, i - 1);
  }

  static Job walsh(Workbench bench) {
    int n = bench.size().elements();
    GlobalFloats in = bench.floats(n, i -> Pattern.smallFloat(i, 44));
    GlobalFloats out = bench.floats(n);
    Grid grid = Grid.of(n / Sorting.WAVES, Sorting.WAVES / 4);
    return Job.ofBytes(
        bench.device().prepare(grid, Sorting::walsh, in, out),
        8.0 * n,
        () -> {
          MemorySegment found = bench.toHost(out);
          return Expected.sumOfLong(n / Sorting.WAVES, i -> checkWaves(found, i * Sorting.WAVES));
        });
  }

  /** All sums that occur are floats, in whatever order they are made. */
  private static double checkWaves(MemorySegment found, int first) {
    float[] data = new float[Sorting.WAVES];
    for (int i = 0; i < data.length; i++) {
      data[i] = Pattern.smallFloat(first + i, 44);
    }
    for (int stride = 1; stride < data.length; stride *= 2) {
      for (int i = 0; i < data.length; i++) {
        if ((i & stride) == 0) {
          float sum = data[i] + data[i + stride];
          data[i + stride] = data[i] - data[i + stride];
          data[i] = sum;
        }
      }
    }
    double sum = 0;
    for (int i = 0; i < data.length; i++) {
      float value = found.getAtIndex(ValueLayout.JAVA_FLOAT, first + i);
      if (value != data[i]) {
        throw Expected.wrong(first + i, value, data[i]);
      }
      sum += Expected.weighed(value, first + i);
    }
    return sum;
  }
}
