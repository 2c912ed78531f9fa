package dev.stretto.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "on {0}")
@MethodSource("dev.stretto.kernels.Devices#names")
class ScanTest {
  private final Device device;
  private final Stream stream;
  private final Random random = new Random(11);

  ScanTest(String name) {
    device = Device.open(name);
    stream = device.stream();
  }

  @AfterEach
  void close() {
    stream.close();
    device.close();
  }

  @Test
  void ints() {
    // The last one has more than 32 tiles.
    for (int length : new int[] {1, 2, 3, 130, 4095, 4096, 4097, 12_289, 33 * 4096 + 77}) {
      int[] numbers = random.ints(length).toArray();
      int[] expected = numbers.clone();
      Arrays.parallelPrefix(expected, Integer::sum);
      try (GlobalInts in = device.allocateInts(length);
          GlobalInts out = device.allocateInts(length)) {
        stream.copy(numbers, in);
        Scan.inclusiveSum(stream, in, out);
        int[] got = new int[length];
        stream.copy(out, got).await();
        assertThat(got).as("%d", length).isEqualTo(expected);

        Scan.exclusiveSum(stream, in, in);
        stream.copy(in, got).await();
        assertThat(got[0]).isZero();
        assertThat(Arrays.copyOfRange(got, 1, length))
            .as("%d in place", length)
            .isEqualTo(Arrays.copyOf(expected, length - 1));
      }
    }
  }

  @Test
  void longsThatDoNotBeginAtAVector() {
    for (int length : new int[] {1, 2, 3, 2047, 2048, 2049, 9_999}) {
      long[] numbers = random.longs(length).toArray();
      long[] least = numbers.clone();
      long[] sums = numbers.clone();
      Arrays.parallelPrefix(least, Math::min);
      Arrays.parallelPrefix(sums, Long::sum);
      try (GlobalLongs memory = device.allocateLongs(length + 1);
          GlobalLongs out = device.allocateLongs(length)) {
        GlobalLongs in = memory.slice(1, length);
        stream.copy(numbers, in);
        Scan.inclusiveMin(stream, in, out);
        long[] got = new long[length];
        stream.copy(out, got).await();
        assertThat(got).as("%d", length).isEqualTo(least);
        Scan.inclusiveSum(stream, in, out);
        stream.copy(out, got).await();
        assertThat(got).as("%d", length).isEqualTo(sums);
      }
    }
  }

  @Test
  void floatsHaveTheSameBitsEachTime() {
    int length = 34 * 4096 + 5;
    float[] numbers = new float[length];
    for (int i = 0; i < length; i++) {
      numbers[i] = random.nextFloat() - 0.3f;
    }
    try (GlobalFloats in = device.allocateFloats(length);
        GlobalFloats out = device.allocateFloats(length)) {
      stream.copy(numbers, in);
      float[] first = new float[length];
      Scan.inclusiveSum(stream, in, out);
      stream.copy(out, first);
      float[] second = new float[length];
      Scan.inclusiveSum(stream, in, out);
      stream.copy(out, second).await();
      assertThat(second).isEqualTo(first);
      double sum = 0;
      double size = 0;
      for (int i = 0; i < length; i++) {
        sum += numbers[i];
        size += Math.abs(numbers[i]);
        assertThat((double) first[i]).isCloseTo(sum, within(110 * 0x1p-24 * size));
      }
    }
  }

  @Test
  void doublesInSeveralGroups() {
    int length = 33 * 2048 + 1;
    double[] numbers = random.doubles(length, -1, 1).toArray();
    double[] greatest = numbers.clone();
    double[] sums = numbers.clone();
    Arrays.parallelPrefix(greatest, Math::max);
    Arrays.parallelPrefix(sums, Double::sum);
    try (GlobalDoubles in = device.allocateDoubles(length);
        GlobalDoubles out = device.allocateDoubles(length)) {
      stream.copy(numbers, in);
      double[] got = new double[length];
      Scan.exclusiveMax(stream, in, out);
      stream.copy(out, got).await();
      assertThat(got[0]).isEqualTo(Double.NEGATIVE_INFINITY);
      assertThat(Arrays.copyOfRange(got, 1, length)).isEqualTo(Arrays.copyOf(greatest, length - 1));
      Scan.inclusiveSum(stream, in, out);
      stream.copy(out, got).await();
      assertThat(got).usingComparatorWithPrecision(1e-10).containsExactly(sums);
    }
  }

  @Test
  void nothingIsScannedToNothing() {
    try (GlobalInts memory = device.allocateInts(1)) {
      GlobalInts none = memory.slice(0, 0);
      Scan.inclusiveSum(stream, none, none).await();
      assertThat(stream.isIdle()).isTrue();
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    try (GlobalInts memory = device.allocateInts(10)) {
      assertThatThrownBy(() -> Scan.inclusiveSum(stream, memory.slice(0, 4), memory.slice(5, 3)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("in has 4 elements, and out has 3");
      assertThatThrownBy(() -> Scan.inclusiveSum(stream, memory.slice(0, 4), memory.slice(2, 4)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("in, GlobalInts[4] at byte 0 of ")
          .hasMessageEndingWith("overlap and do not begin at the same element");
    }
  }
}
