package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.examples.hopper.MatrixProduct;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.settings.Settings;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Measures the examples' product of bfloat16 matrices on warp groups, and checks some elements.
 * Prints one JSON object per line, as {@code bench/py/attention.py} does for cuBLAS.
 */
final class ProductBenchmarks {
  private static final int LAUNCHES = 8;
  private static final int ELEMENTS = 1_000;

  private final Device device;
  private final PrintStream out;
  private final boolean small;
  private final SplittableRandom random = new SplittableRandom(5);

  private ProductBenchmarks(Device device, PrintStream out, boolean small) {
    this.device = device;
    this.out = out;
    this.small = small;
  }

  /**
   * Runs benchmarks.
   *
   * @param arguments {@code [DEVICE [small]]}: by default {@code cuda:0}
   * @param out receives a line for each
   * @return how many were wrong
   */
  static int run(List<String> arguments, PrintStream out) {
    boolean small = arguments.size() > 1 && arguments.get(1).equals("small");
    // Otherwise the setting would follow Java's assertions, and the checks would be measured too.
    System.setProperty(Settings.CHECKED.name(), "false");
    try (Device device = Device.open(arguments.isEmpty() ? "cuda:0" : arguments.getFirst())) {
      ProductBenchmarks benchmarks = new ProductBenchmarks(device, out, small);
      int wrong = 0;
      for (int size : small ? new int[] {256} : new int[] {4096, 8192}) {
        wrong += benchmarks.run(size) ? 0 : 1;
      }
      return wrong;
    }
  }

  private boolean run(int size) {
    short[] left = numbers(size * size);
    short[] right = numbers(size * size);
    short[] found = new short[size * size];
    int multiprocessors = device.properties().multiprocessors();
    try (Stream stream = device.stream();
        GlobalBfloats a = device.allocateBfloats(left.length);
        GlobalBfloats b = device.allocateBfloats(right.length);
        GlobalBfloats c = device.allocateBfloats(found.length)) {
      stream.copy(MemorySegment.ofArray(left), a);
      stream.copy(MemorySegment.ofArray(right), b);
      Runnable enqueue =
          () -> MatrixProduct.enqueue(stream, multiprocessors, a, b, c, size, size, size);
      double milliseconds =
          small ? LaunchTime.once(stream, enqueue) : LaunchTime.median(stream, enqueue, LAUNCHES);
      stream.copy(c, MemorySegment.ofArray(found)).await();
      double error = error(size, left, right, found);
      // Half a unit in the last place, for sums of this many products of numbers of this size.
      boolean wrong = error > Math.sqrt(size) * 4 * 0x1p-8;
      out.printf(
          Locale.ROOT,
          "{\"bench\":\"product-%d\",\"implementation\":\"warp-groups\",\"milliseconds\":%.6f,"
              + "\"gigaflopsPerSecond\":%.1f,\"error\":%s%s}%n",
          size,
          milliseconds,
          2.0 * size * size * size / milliseconds * 1e-6,
          error,
          wrong ? ",\"wrong\":true" : "");
      out.flush();
      return !wrong;
    }
  }

  /** The greatest deviation of some elements from their values in double precision. */
  private double error(int size, short[] left, short[] right, short[] found) {
    double error = 0;
    for (int i = 0; i < ELEMENTS; i++) {
      int row = random.nextInt(size);
      int column = random.nextInt(size);
      double sum = 0;
      for (int k = 0; k < size; k++) {
        sum +=
            (double) Bfloat.toFloat(left[row * size + k])
                * Bfloat.toFloat(right[k * size + column]);
      }
      error = Math.max(error, Math.abs(sum - Bfloat.toFloat(found[row * size + column])));
    }
    return error;
  }

  /** Sums of three uniform distributions: as good as normal ones here, with a variance of 1. */
  private short[] numbers(int count) {
    short[] numbers = new short[count];
    for (int i = 0; i < count; i++) {
      double sum = random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5;
      numbers[i] = Bfloat.of((float) (2 * sum));
    }
    return numbers;
  }
}
