package dev.stretto.examples.attention;

import dev.stretto.Device;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Attention of random numbers on a device, and its accuracy. Closing it frees its memory. */
public final class AttentionRun implements AutoCloseable {
  /**
   * The deviation of a result.
   *
   * @param out the greatest deviation of a number in the result
   * @param lse the greatest deviation of a logarithm
   * @param greatest the greatest number in the exact result
   */
  public record Deviation(double out, double lse, double greatest) {
    private static Deviation worse(Deviation a, Deviation b) {
      return new Deviation(
          Math.max(a.out, b.out), Math.max(a.lse, b.lse), Math.max(a.greatest, b.greatest));
    }

    /**
     * {@return whether the deviation is within the precision of the numbers' format: two roundings
     * of the powers and the result; of a logarithm 2e-5, since thousands of powers are added}
     *
     * @param bfloat for bfloat16 numbers, otherwise binary16
     */
    public boolean isSmall(boolean bfloat) {
      return out <= greatest * (bfloat ? 0x1p-7 : 0x1p-10) && lse <= 2e-5;
    }
  }

  private final Stream stream;
  private final Shape shape;
  private final boolean bfloat;
  private final short[] q;
  private final short[] k;
  private final short[] v;
  private final List<GlobalArray> arrays;
  private final GlobalArray o;
  private final GlobalFloats lse;
  private final Function<FlashAttention.Step, Launch> prepare;

  /**
   * Allocates, and copies random numbers.
   *
   * @param device the device
   * @param shape the size
   * @param bfloat whether the numbers are bfloat16, otherwise binary16
   */
  public AttentionRun(Device device, Shape shape, boolean bfloat) {
    this(device, shape, bfloat, 0);
  }

  /**
   * Allocates, and copies random numbers.
   *
   * @param device the device
   * @param shape the size
   * @param bfloat whether the numbers are bfloat16, otherwise binary16
   * @param trend how often keys double from one 64th key to the next, so that scores grow or, if it
   *     is negative, shrink towards a head's end; the greatest ones are the same as without a trend
   */
  public AttentionRun(Device device, Shape shape, boolean bfloat, double trend) {
    this.stream = device.stream();
    this.shape = shape;
    this.bfloat = bfloat;
    int queries = shape.queryRows() * shape.headDim();
    int keys = shape.keyRows() * shape.headDim();
    this.q = normal(queries, 1, 0);
    this.k = normal(keys, 2, trend);
    this.v = normal(keys, 3, 0);
    GlobalFloats sums = device.allocateFloats(shape.queryRows());
    this.lse = sums;
    if (bfloat) {
      GlobalBfloats[] all = new GlobalBfloats[4];
      for (int i = 0; i < all.length; i++) {
        all[i] = device.allocateBfloats(i % 3 == 0 ? queries : keys);
      }
      this.o = all[3];
      this.arrays = List.of(all[0], all[1], all[2], all[3], sums);
      this.prepare =
          step -> FlashAttention.prepare(device, step, shape, all[0], all[1], all[2], all[3], sums);
    } else {
      GlobalHalfs[] all = new GlobalHalfs[4];
      for (int i = 0; i < all.length; i++) {
        all[i] = device.allocateHalfs(i % 3 == 0 ? queries : keys);
      }
      this.o = all[3];
      this.arrays = List.of(all[0], all[1], all[2], all[3], sums);
      this.prepare =
          step -> FlashAttention.prepare(device, step, shape, all[0], all[1], all[2], all[3], sums);
    }
    stream.copy(MemorySegment.ofArray(q), arrays.get(0));
    stream.copy(MemorySegment.ofArray(k), arrays.get(1));
    stream.copy(MemorySegment.ofArray(v), arrays.get(2)).await();
  }

  /**
   * {@return a step's kernel, ready to launch}
   *
   * @param step the step
   */
  public Launch prepare(FlashAttention.Step step) {
    return prepare.apply(step);
  }

  /**
   * Enqueues another kernel for the same numbers.
   *
   * @param kernel receives the stream and the arrays
   */
  public void enqueue(Enqueuing kernel) {
    kernel.enqueue(stream, shape, arrays.get(0), arrays.get(1), arrays.get(2), o, lse);
  }

  /** Enqueues attention. */
  @FunctionalInterface
  public interface Enqueuing {
    /**
     * Enqueues attention.
     *
     * @param stream the stream
     * @param shape the size
     * @param q queries
     * @param k keys
     * @param v values
     * @param o receives the result
     * @param lse receives the logarithms of the sums of exponentials
     */
    void enqueue(
        Stream stream,
        Shape shape,
        GlobalArray q,
        GlobalArray k,
        GlobalArray v,
        GlobalArray o,
        GlobalFloats lse);
  }

  /** {@return the stream that everything was copied on} */
  public Stream stream() {
    return stream;
  }

  /** Overwrites the result with values that are never right. */
  public void forget() {
    stream.fill(lse, Float.NaN);
    stream.copy(MemorySegment.ofArray(wrong()), o).await();
  }

  /** NaN in both formats. */
  private short[] wrong() {
    short[] wrong = new short[q.length];
    Arrays.fill(wrong, (short) 0x7fff);
    return wrong;
  }

  /** {@return all rows of queries} */
  public int[] allRows() {
    return IntStream.range(0, shape.queryRows()).toArray();
  }

  /**
   * {@return the deviation of the result} Waits for the result.
   *
   * @param rows the rows of queries to check
   */
  public Deviation error(int... rows) {
    short[] out = new short[q.length];
    float[] sums = new float[shape.queryRows()];
    stream.copy(o, MemorySegment.ofArray(out));
    stream.copy(lse, MemorySegment.ofArray(sums)).await();
    ExactAttention exact = new ExactAttention(shape, bfloat, q, k, v);
    return IntStream.of(rows)
        .parallel()
        .mapToObj(row -> error(exact.row(row), out, row, sums[row]))
        .reduce(new Deviation(0, 0, 0), Deviation::worse);
  }

  /**
   * Writes queries, keys and values, as they lie in memory, to the files {@code q}, {@code k} and
   * {@code v}.
   *
   * @param folder the folder
   * @throws UncheckedIOException if they cannot be written
   */
  public void writeInputs(Path folder) {
    write(folder.resolve("q"), q);
    write(folder.resolve("k"), k);
    write(folder.resolve("v"), v);
  }

  private static void write(Path file, short[] numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(Short.BYTES * numbers.length);
    bytes.order(ByteOrder.nativeOrder()).asShortBuffer().put(numbers);
    try {
      Files.write(file, bytes.array());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Deviation error(double[] exact, short[] out, int row, float sum) {
    int headDim = shape.headDim();
    double worst = 0;
    double greatest = 0;
    for (int i = 0; i < headDim; i++) {
      double found = ExactAttention.toDouble(out[row * headDim + i], bfloat);
      worst = Math.max(worst, Math.abs(found - exact[i]));
      greatest = Math.max(greatest, Math.abs(exact[i]));
    }
    double ofSum = sum == exact[headDim] ? 0 : Math.abs(sum - exact[headDim]);
    return new Deviation(worst, ofSum, greatest);
  }

  /** Normally distributed numbers. */
  private short[] normal(int count, int seed, double trend) {
    short[] numbers = new short[count];
    IntStream.range(0, count)
        .parallel()
        .forEach(
            i -> {
              SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + i);
              double radius = Math.sqrt(-2 * Math.log(1 - random.nextDouble()));
              int key = i / shape.headDim() % shape.keys();
              double doubled = trend * (trend < 0 ? key : key - shape.keys()) / 64;
              radius *= Math.pow(2, doubled);
              float number = (float) (radius * Math.cos(2 * Math.PI * random.nextDouble()));
              numbers[i] = bfloat ? Bfloat.of(number) : Float.floatToFloat16(number);
            });
    return numbers;
  }

  @Override
  public void close() {
    arrays.forEach(GlobalArray::close);
    stream.close();
  }
}
