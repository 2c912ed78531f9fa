package dev.stretto.examples.hopper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalBfloats;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A product of matrices is what a loop over doubles says, on a virtual device and on a GPU. */
class MatrixProductTest {
  /** A GPU instead of a virtual device, where that is asked for. */
  static Device open() {
    return Boolean.getBoolean("stretto.examples.gpu")
        ? Device.open()
        : Device.open("virtual:h200,seed=" + Integer.getInteger("stretto.examples.seed", 1));
  }

  private static short[] numbers(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    short[] numbers = new short[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = Bfloat.of((float) random.nextDouble(-1, 1));
    }
    return numbers;
  }

  @ParameterizedTest
  @CsvSource({
    "256, 256, 64, 2",
    "300, 264, 200, 2",
    "1, 8, 8, 2",
    "128, 520, 392, 2",
    "300, 264, 200, 1"
  })
  void isTheProduct(int m, int n, int k, int blocks) {
    short[] left = numbers(m * k, 1);
    short[] right = numbers(k * n, 2);
    try (Device device = open();
        Stream stream = device.stream();
        GlobalBfloats a = device.allocateBfloats(left.length);
        GlobalBfloats b = device.allocateBfloats(right.length);
        GlobalBfloats c = device.allocateBfloats((long) m * n)) {
      stream.copy(MemorySegment.ofArray(left), a);
      stream.copy(MemorySegment.ofArray(right), b);
      MatrixProduct.enqueue(stream, 2, a, b, c, m, n, k, blocks, 2);
      short[] found = new short[m * n];
      stream.copy(c, MemorySegment.ofArray(found)).await();
      for (int row = 0; row < m; row++) {
        for (int column = 0; column < n; column++) {
          double sum = 0;
          for (int i = 0; i < k; i++) {
            sum +=
                (double) Bfloat.toFloat(left[row * k + i]) * Bfloat.toFloat(right[i * n + column]);
          }
          assertThat((double) Bfloat.toFloat(found[row * n + column]))
              .as("row %d, column %d", row, column)
              .isCloseTo(sum, within(0.01 + Math.abs(sum) / 200));
        }
      }
    }
  }
}
