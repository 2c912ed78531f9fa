package dev.stretto.bench.primitives;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.kernels.Comparison;
import dev.stretto.kernels.Histogram;
import dev.stretto.kernels.Philox;
import dev.stretto.kernels.RadixSort;
import dev.stretto.kernels.Reduce;
import dev.stretto.kernels.Scan;
import dev.stretto.kernels.Select;
import dev.stretto.kernels.TopK;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/** What {@code bench/cpp/primitives.cu} measures with CUB, as a table with the same rows. */
public final class Primitives implements AutoCloseable {
  private static final int ROUNDS = 3;
  private static final long WARM_UP_NANOS = 400_000_000;
  private static final int BINS = 256;
  private static final int TOP = 1 << 30;

  private final Stream stream;
  private final PrintStream out;
  private final int bits;
  private final int length;
  private final GlobalInts in;
  private final GlobalInts to;
  private final GlobalInts with;
  private final GlobalInts withTo;
  private final GlobalFloats floats;
  private final GlobalFloats floatsTo;
  private final GlobalLongs counts;

  private Primitives(Device device, int bits, PrintStream out) {
    this.out = out;
    this.bits = bits;
    length = 1 << bits;
    stream = device.stream();
    in = device.allocateInts(length);
    to = device.allocateInts(length);
    with = device.allocateInts(length);
    withTo = device.allocateInts(length);
    floats = GlobalFloats.of(with.allocation());
    floatsTo = GlobalFloats.of(withTo.allocation());
    counts = device.allocateLongs(BINS);
  }

  /**
   * Measures, and prints the rows.
   *
   * @param name the device
   * @param bytes the greatest number of bytes of an array of ints
   */
  public static void run(String name, long bytes, PrintStream out) {
    int most = Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes / Integer.BYTES);
    try (Device device = Device.open(name)) {
      for (int bits = Math.max(1, most - 8); bits <= most; bits += 4) {
        try (Primitives primitives = new Primitives(device, bits, out)) {
          primitives.all();
        }
      }
    }
  }

  private void all() {
    random();
    int[] numbers = ints(in);
    row("sum of ints", 4, () -> Reduce.sum(stream, in, to), () -> first(to) == sum(numbers));
    row("running sums of ints", 4, () -> Scan.inclusiveSum(stream, in, to), () -> sums(numbers));
    long kept = Arrays.stream(numbers).filter(x -> x >= TOP / 2).count();
    row(
        "half of ints",
        4,
        () -> Select.where(stream, in, Comparison.AT_LEAST, TOP / 2, to, counts),
        () -> longs(counts)[0] == kept);
    row(
        "ints in 256 bins",
        4,
        () -> Histogram.even(stream, in, counts, 0, TOP),
        () -> isCounted(numbers));
    row(
        "bytes in 256 bins",
        4,
        () -> Histogram.ofBytes(stream, GlobalBytes.of(in.allocation()), counts),
        () -> Arrays.stream(longs(counts)).sum() == 4L * length);
    row("sorted ints", 4, () -> RadixSort.keys(stream, in, to), () -> isSorted(numbers));
    int some = Math.min(1000, length / 2);
    GlobalLongs places = GlobalLongs.of(withTo.allocation()).slice(0, some);
    row(
        "some greatest of ints",
        4,
        () -> TopK.largest(stream, in, to.slice(0, some), places),
        () -> isTop(numbers, some, places));
    stream.copy(in, with);
    row(
        "sorted ints with ints",
        8,
        () -> RadixSort.pairs(stream, in, to, with, withTo),
        () -> isSorted(numbers) && Arrays.equals(ints(withTo), ints(to)));
    GlobalLongs keys = GlobalLongs.of(in.allocation());
    GlobalLongs keysTo = GlobalLongs.of(to.allocation());
    row(
        "sorted longs",
        4,
        () -> RadixSort.keys(stream, keys, keysTo),
        () -> {
          long[] got = longs(keysTo);
          long[] expected = longs(keys);
          Arrays.parallelSort(expected);
          return Arrays.equals(got, expected);
        });
    Philox.uniform(stream, floats, 7, 0);
    row(
        "sum of floats",
        4,
        () -> Reduce.sum(stream, floats, floatsTo),
        () ->
            Math.abs(Float.intBitsToFloat(first(withTo)) / length - 0.5) < 4.0 / (1 << (bits / 2)));
    row(
        "running sums of floats",
        4,
        () -> Scan.inclusiveSum(stream, floats, floatsTo),
        () ->
            Math.abs(Float.intBitsToFloat(ints(withTo)[length - 1]) / length - 0.5)
                < 4.0 / (1 << (bits / 2)));
    row(
        "floats in 256 bins",
        4,
        () -> Histogram.even(stream, floats, counts, 0f, 1f),
        () -> Arrays.stream(longs(counts)).sum() == length);
    stream.fill(in, 0);
    row(
        "equal ints in 256 bins",
        4,
        () -> Histogram.even(stream, in, counts, 0, TOP),
        () -> longs(counts)[0] == length);
  }

  private void random() {
    Philox.bits(stream, in, 5, 0);
    stream.launch(Grid.covering(length, Inputs.THREADS), Inputs::narrow, in, TOP - 1);
  }

  private int[] ints(GlobalInts array) {
    int[] result = new int[length];
    stream.copy(array, result).await();
    return result;
  }

  private long[] longs(GlobalLongs array) {
    long[] result = new long[(int) array.length()];
    stream.copy(array, result).await();
    return result;
  }

  private int first(GlobalInts array) {
    int[] one = new int[1];
    stream.copy(array.slice(0, 1), one).await();
    return one[0];
  }

  private static int sum(int[] numbers) {
    int sum = 0;
    for (int number : numbers) {
      sum += number;
    }
    return sum;
  }

  private boolean sums(int[] numbers) {
    int[] expected = numbers.clone();
    Arrays.parallelPrefix(expected, Integer::sum);
    return Arrays.equals(ints(to), expected);
  }

  private boolean isCounted(int[] numbers) {
    long[] expected = new long[BINS];
    for (int number : numbers) {
      expected[number / (TOP / BINS)]++;
    }
    return Arrays.equals(longs(counts), expected);
  }

  private boolean isSorted(int[] numbers) {
    int[] expected = numbers.clone();
    Arrays.parallelSort(expected);
    return Arrays.equals(ints(to), expected);
  }

  private boolean isTop(int[] numbers, int some, GlobalLongs places) {
    int[] sorted = numbers.clone();
    Arrays.parallelSort(sorted);
    int[] got = ints(to);
    long[] gotPlaces = longs(places);
    for (int i = 0; i < some; i++) {
      if (got[i] != sorted[length - 1 - i] || numbers[(int) gotPlaces[i]] != got[i]) {
        return false;
      }
    }
    return true;
  }

  /** Measures one, by the bytes of its input in a second. */
  private void row(String what, int bytesEach, Runnable work, BooleanSupplier isRight) {
    work.run();
    if (!isRight.getAsBoolean()) {
      throw new IllegalStateException("%s, 2^%d: wrong".formatted(what, bits));
    }
    long bytes = (long) bytesEach * length;
    int times = stream.device().isVirtual() ? 1 : Math.clamp((8L << 30) / bytes, 2, 64);
    warmUp(work, times);
    double most = 0;
    for (int i = 0; i < ROUNDS; i++) {
      most = Math.max(most, nanos(work, times));
    }
    out.printf(Locale.ROOT, "| %s, 2^%d | %.1f GB/s |%n", what, bits, bytes / most);
  }

  /** Until what the host does is compiled. */
  private void warmUp(Runnable work, int times) {
    long begin = System.nanoTime();
    long atLeast = stream.device().isVirtual() ? 0 : WARM_UP_NANOS;
    do {
      double _ = nanos(work, times);
    } while (System.nanoTime() - begin < atLeast);
  }

  private double nanos(Runnable work, int times) {
    // The time begins while the device is busy, so that the host is ahead.
    work.run();
    work.run();
    try (TimedEvent begin = stream.recordTimed()) {
      for (int i = 0; i < times; i++) {
        work.run();
      }
      try (TimedEvent end = stream.recordTimed()) {
        end.await();
        return begin.nanosTo(end) / times;
      }
    }
  }

  @Override
  public void close() {
    stream.close();
    for (GlobalArray array : new GlobalArray[] {in, to, with, withTo, counts}) {
      array.close();
    }
  }
}
