package dev.stretto.bench.turns;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.kernels.product.MatrixProduct;
import dev.stretto.kernels.product.ProductFormat;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalHalfs;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The library's product of matrices, by the kernel that it chooses. */
final class ProductJob implements Job {
  /** How many elements are checked; {@code attention.py} checks the same ones. */
  private static final int ELEMENTS = 1_000;

  private static final short NAN = 0x7fff;

  private final ProductShape shape;
  private final MatrixProduct product;
  private final short[] left;
  private final short[] right;
  private final short[] bias;
  private final Stream stream;
  private final GlobalArray a;
  private final GlobalArray b;
  private final GlobalArray ofColumns;
  private final GlobalArray c;

  ProductJob(Device device, ProductShape shape) {
    this.shape = shape;
    this.product = shape.product();
    this.left = numbers(shape.elementsA(), 1);
    this.right = numbers(shape.elementsB(), 2);
    this.bias = numbers(shape.n(), 3);
    this.stream = device.stream();
    this.a = allocate(device, left.length);
    this.b = allocate(device, right.length);
    this.ofColumns = allocate(device, bias.length);
    this.c = allocate(device, shape.elementsC());
    stream.copy(MemorySegment.ofArray(left), a);
    stream.copy(MemorySegment.ofArray(right), b);
    stream.copy(MemorySegment.ofArray(bias), ofColumns).await();
  }

  private GlobalArray allocate(Device device, int length) {
    return shape.format() == ProductFormat.BFLOAT16
        ? device.allocateBfloats(length)
        : device.allocateHalfs(length);
  }

  @Override
  public Stream stream() {
    return stream;
  }

  @Override
  public String choice() {
    return product.choice(stream.device(), shape.format()).toString();
  }

  @Override
  public Runnable enqueuing(String kernel) {
    if (!kernel.equals("chosen")) {
      throw new IllegalArgumentException("no such kernel of the product: " + kernel);
    }
    if (a instanceof GlobalBfloats one
        && b instanceof GlobalBfloats other
        && ofColumns instanceof GlobalBfloats added
        && c instanceof GlobalBfloats result) {
      return shape.isLayer()
          ? () -> product.enqueue(stream, one, other, added, result)
          : () -> product.enqueue(stream, one, other, result);
    }
    GlobalHalfs one = (GlobalHalfs) a;
    GlobalHalfs other = (GlobalHalfs) b;
    GlobalHalfs added = (GlobalHalfs) ofColumns;
    GlobalHalfs result = (GlobalHalfs) c;
    return shape.isLayer()
        ? () -> product.enqueue(stream, one, other, added, result)
        : () -> product.enqueue(stream, one, other, result);
  }

  @Override
  public void writeInputs(Path folder) {
    Inputs.write(folder.resolve("a"), left);
    Inputs.write(folder.resolve("b"), right);
    Inputs.write(folder.resolve("bias"), bias);
  }

  @Override
  public void forget() {
    short[] wrong = new short[shape.elementsC()];
    Arrays.fill(wrong, NAN);
    stream.copy(MemorySegment.ofArray(wrong), c).await();
  }

  @Override
  public Deviation deviation() {
    short[] found = new short[shape.elementsC()];
    stream.copy(c, MemorySegment.ofArray(found)).await();
    double greatest =
        IntStream.range(0, ELEMENTS)
            .parallel()
            .mapToDouble(
                i -> deviation(found, i % shape.count(), i * 37 % shape.m(), i * 101 % shape.n()))
            .reduce(0, Math::max);
    return new Deviation(greatest, greatest <= shape.tolerance());
  }

  private double deviation(short[] found, int matrix, int row, int column) {
    double exact = shape.exact(left, right, bias, matrix, row, column);
    return Math.abs(exact - shape.value(found[(matrix * shape.m() + row) * shape.n() + column]));
  }

  /** Sums of three uniform distributions: as good as normal ones here, with a variance of 1. */
  private short[] numbers(int count, int seed) {
    short[] numbers = new short[count];
    IntStream.range(0, count)
        .parallel()
        .forEach(
            i -> {
              // No multiple of the generator's own step: else the arrays would be correlated.
              SplittableRandom random = new SplittableRandom(seed * 0xD1B54A32D192ED03L + i);
              double sum = random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5;
              numbers[i] = shape.bits((float) (2 * sum));
            });
    return numbers;
  }

  @Override
  public void close() {
    a.close();
    b.close();
    ofColumns.close();
    c.close();
    stream.close();
  }
}
