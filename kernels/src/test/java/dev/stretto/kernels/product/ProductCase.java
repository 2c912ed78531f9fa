package dev.stretto.kernels.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalHalfs;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A product and how its result is checked: each element against a loop over doubles.
 *
 * @param m rows of C
 * @param n columns of C
 * @param k the inner dimension
 * @param count how many products
 * @param format the numbers
 * @param transposed whether B is
 * @param biased whether there is a bias
 * @param activation the function of the sums
 */
record ProductCase(
    int m,
    int n,
    int k,
    int count,
    ProductFormat format,
    boolean transposed,
    boolean biased,
    Activation activation) {
  static ProductCase plain(int m, int n, int k) {
    return new ProductCase(m, n, k, 1, ProductFormat.BFLOAT16, false, false, Activation.NONE);
  }

  ProductCase with(ProductFormat other) {
    return new ProductCase(m, n, k, count, other, transposed, biased, activation);
  }

  ProductCase times(int many) {
    return new ProductCase(m, n, k, many, format, transposed, biased, activation);
  }

  ProductCase transposedB() {
    return new ProductCase(m, n, k, count, format, true, biased, activation);
  }

  ProductCase with(Activation function) {
    return new ProductCase(m, n, k, count, format, transposed, biased, function);
  }

  ProductCase withBias() {
    return new ProductCase(m, n, k, count, format, transposed, true, activation);
  }

  MatrixProduct product() {
    MatrixProduct product = MatrixProduct.of(m, n, k).batched(count).withActivation(activation);
    product = transposed ? product.transposedB() : product;
    return biased ? product.withBias() : product;
  }

  /** Computes the product as the library chooses. */
  void check(Device device, Stream stream) {
    check(device, stream, null);
  }

  /** Computes the product with given tiles and parts. */
  void check(Device device, Stream stream, @Nullable ProductChoice choice) {
    short[] left = numbers(m * k * count, 1);
    short[] right = numbers(k * n * count, 2);
    short[] bias = numbers(n, 3);
    short[] found = new short[m * n * count];
    Arrays.fill(found, bits(Float.NaN));
    try (GlobalArray a = allocate(device, left.length);
        GlobalArray b = allocate(device, right.length);
        GlobalArray of = allocate(device, bias.length);
        GlobalArray c = allocate(device, found.length)) {
      stream.copy(MemorySegment.ofArray(left), a);
      stream.copy(MemorySegment.ofArray(right), b);
      stream.copy(MemorySegment.ofArray(bias), of);
      stream.copy(MemorySegment.ofArray(found), c);
      if (choice == null) {
        enqueue(stream, a, b, of, c);
      } else {
        product().enqueue(stream, choice, format, a, b, biased ? of : a, c);
      }
      stream.copy(c, MemorySegment.ofArray(found)).await();
    }
    check(left, right, bias, found);
  }

  private void enqueue(
      Stream stream, GlobalArray a, GlobalArray b, GlobalArray bias, GlobalArray c) {
    if (format == ProductFormat.BFLOAT16) {
      if (biased) {
        product()
            .enqueue(
                stream,
                (GlobalBfloats) a,
                (GlobalBfloats) b,
                (GlobalBfloats) bias,
                (GlobalBfloats) c);
      } else {
        product().enqueue(stream, (GlobalBfloats) a, (GlobalBfloats) b, (GlobalBfloats) c);
      }
    } else if (biased) {
      product()
          .enqueue(stream, (GlobalHalfs) a, (GlobalHalfs) b, (GlobalHalfs) bias, (GlobalHalfs) c);
    } else {
      product().enqueue(stream, (GlobalHalfs) a, (GlobalHalfs) b, (GlobalHalfs) c);
    }
  }

  private GlobalArray allocate(Device device, int length) {
    return format == ProductFormat.BFLOAT16
        ? device.allocateBfloats(length)
        : device.allocateHalfs(length);
  }

  private short[] numbers(int length, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    short[] numbers = new short[length];
    for (int i = 0; i < length; i++) {
      numbers[i] = bits((float) random.nextDouble(-1, 1));
    }
    return numbers;
  }

  private short bits(float value) {
    return format == ProductFormat.BFLOAT16 ? Bfloat.of(value) : Float.floatToFloat16(value);
  }

  private double value(short bits) {
    return format == ProductFormat.BFLOAT16 ? Bfloat.toFloat(bits) : Float.float16ToFloat(bits);
  }

  private void check(short[] left, short[] right, short[] bias, short[] found) {
    double[] ofLeft = values(left);
    double[] ofRight = values(right);
    double precision = format == ProductFormat.BFLOAT16 ? 0x1p-8 : 0x1p-11;
    for (int matrix = 0; matrix < count; matrix++) {
      for (int row = 0; row < m; row++) {
        for (int column = 0; column < n; column++) {
          double sum = biased ? value(bias[column]) : 0;
          for (int i = 0; i < k; i++) {
            int at = transposed ? (matrix * n + column) * k + i : (matrix * k + i) * n + column;
            sum += ofLeft[(matrix * m + row) * k + i] * ofRight[at];
          }
          double exact = activate(sum);
          // Half a unit in the last place, and what sums of floats are off.
          double most = Math.abs(exact) * precision * 1.01 + 1e-5 * Math.sqrt(k);
          assertThat(value(found[(matrix * m + row) * n + column]))
              .as("%s: matrix %d, row %d, column %d", this, matrix, row, column)
              .isCloseTo(exact, within(most));
        }
      }
    }
  }

  private double[] values(short[] bits) {
    double[] values = new double[bits.length];
    for (int i = 0; i < bits.length; i++) {
      values[i] = value(bits[i]);
    }
    return values;
  }

  private double activate(double x) {
    return switch (activation) {
      case NONE -> x;
      case RELU -> Math.max(x, 0);
      case GELU -> 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
      case SILU -> x / (1 + Math.exp(-x));
    };
  }
}
