package dev.stretto.bench.turns;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.examples.hopper.MatrixProduct;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalBfloats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The examples' product of square bfloat16 matrices on warp groups. */
final class ProductJob implements Job {
  /** How many elements are checked; {@code attention.py} checks the same ones. */
  private static final int ELEMENTS = 1_000;

  private static final short NAN = 0x7fff;

  private final int size;
  private final int multiprocessors;
  private final short[] left;
  private final short[] right;
  private final Stream stream;
  private final GlobalBfloats a;
  private final GlobalBfloats b;
  private final GlobalBfloats c;

  ProductJob(Device device, int size) {
    int count = Math.multiplyExact(size, size);
    this.size = size;
    this.multiprocessors = device.properties().multiprocessors();
    this.left = numbers(count, 1);
    this.right = numbers(count, 2);
    this.stream = device.stream();
    this.a = device.allocateBfloats(count);
    this.b = device.allocateBfloats(count);
    this.c = device.allocateBfloats(count);
    stream.copy(MemorySegment.ofArray(left), a);
    stream.copy(MemorySegment.ofArray(right), b).await();
  }

  @Override
  public Stream stream() {
    return stream;
  }

  @Override
  public Runnable enqueuing(String kernel) {
    if (!kernel.equals("warp-groups")) {
      throw new IllegalArgumentException("no such kernel of the product: " + kernel);
    }
    return () -> MatrixProduct.enqueue(stream, multiprocessors, a, b, c, size, size, size);
  }

  @Override
  public void writeInputs(Path folder) {
    write(folder.resolve("a"), left);
    write(folder.resolve("b"), right);
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

  @Override
  public void forget() {
    short[] wrong = new short[left.length];
    Arrays.fill(wrong, NAN);
    stream.copy(MemorySegment.ofArray(wrong), c).await();
  }

  @Override
  public Deviation deviation() {
    short[] found = new short[left.length];
    stream.copy(c, MemorySegment.ofArray(found)).await();
    double greatest =
        IntStream.range(0, ELEMENTS)
            .parallel()
            .mapToDouble(i -> deviation(found, i * 37 % size, i * 101 % size))
            .reduce(0, Math::max);
    // Half a unit in the last place, for sums of this many products of numbers of this size.
    return new Deviation(greatest, greatest <= Math.sqrt(size) * 4 * 0x1p-8);
  }

  private double deviation(short[] found, int row, int column) {
    double sum = 0;
    for (int k = 0; k < size; k++) {
      sum +=
          (double) Bfloat.toFloat(left[row * size + k]) * Bfloat.toFloat(right[k * size + column]);
    }
    return Math.abs(sum - Bfloat.toFloat(found[row * size + column]));
  }

  /** Sums of three uniform distributions: as good as normal ones here, with a variance of 1. */
  private static short[] numbers(int count, int seed) {
    short[] numbers = new short[count];
    IntStream.range(0, count)
        .parallel()
        .forEach(
            i -> {
              SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + i);
              double sum = random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5;
              numbers[i] = Bfloat.of((float) (2 * sum));
            });
    return numbers;
  }

  @Override
  public void close() {
    a.close();
    b.close();
    c.close();
    stream.close();
  }
}
