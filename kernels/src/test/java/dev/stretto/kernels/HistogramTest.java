package dev.stretto.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "on {0}")
@MethodSource("dev.stretto.kernels.Devices#names")
class HistogramTest {
  private final Device device;
  private final Stream stream;
  private final Random random = new Random(19);

  HistogramTest(String name) {
    device = Device.open(name);
    stream = device.stream();
  }

  @AfterEach
  void close() {
    stream.close();
    device.close();
  }

  @Test
  void bytesAtAnyPlace() {
    for (int from : new int[] {0, 1, 4, 16}) {
      for (int length : new int[] {0, 1, 15, 16, 17, 9001}) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        long[] expected = new long[256];
        for (byte b : bytes) {
          expected[b & 0xff]++;
        }
        try (GlobalBytes memory = device.allocateBytes(length + 17);
            GlobalLongs counts = device.allocateLongs(256)) {
          GlobalBytes in = memory.slice(from, length);
          if (length > 0) {
            stream.copy(bytes, in);
          }
          Histogram.ofBytes(stream, in, counts);
          long[] got = new long[256];
          stream.copy(counts, got).await();
          assertThat(got).as("%d from %d", length, from).isEqualTo(expected);
        }
      }
    }
  }

  /** The exact quotient, of numbers that a product of 64 bits would not hold. */
  private static long[] expected(int[] numbers, int bins, int lower, int upper) {
    long[] expected = new long[bins];
    BigInteger range = BigInteger.valueOf((long) upper - lower);
    for (int x : numbers) {
      if (x >= lower && x < upper) {
        BigInteger product =
            BigInteger.valueOf((long) x - lower).multiply(BigInteger.valueOf(bins));
        expected[product.divide(range).intValueExact()]++;
      }
    }
    return expected;
  }

  @Test
  void ints() {
    int[] all = random.ints(4500).toArray();
    int[] small = random.ints(4097, -10, 200).toArray();
    for (int i = 0; i < 100; i++) {
      all[i] = 50;
      small[i] = i;
    }
    for (int bins : new int[] {1, 10, 256, 1000, 8193}) {
      for (int[] limits :
          new int[][] {{Integer.MIN_VALUE, Integer.MAX_VALUE}, {0, 100}, {-7, 7}, {49, 51}}) {
        for (int[] numbers : new int[][] {all, small}) {
          try (GlobalInts in = device.allocateInts(numbers.length);
              GlobalLongs counts = device.allocateLongs(bins)) {
            stream.copy(numbers, in);
            Histogram.even(stream, in, counts, limits[0], limits[1]);
            long[] got = new long[bins];
            stream.copy(counts, got).await();
            assertThat(got)
                .as("%d bins from %d to %d", bins, limits[0], limits[1])
                .isEqualTo(expected(numbers, bins, limits[0], limits[1]));
          }
        }
      }
    }
  }

  @Test
  void floatsAndDoubles() {
    int length = 4200;
    float[] floats = new float[length];
    double[] doubles = random.doubles(length, -2, 3).toArray();
    for (int i = 0; i < length; i++) {
      floats[i] = (float) doubles[i];
    }
    floats[7] = Float.NaN;
    floats[8] = Float.POSITIVE_INFINITY;
    floats[9] = Math.nextDown(1f);
    doubles[9] = -1;
    int bins = 77;
    long[] expectedFloats = new long[bins];
    long[] expectedDoubles = new long[bins];
    for (int i = 0; i < length; i++) {
      if (floats[i] >= -1 && floats[i] < 1) {
        expectedFloats[Math.min(bins - 1, (int) ((floats[i] + 1) * (bins / 2f)))]++;
      }
      if (doubles[i] >= -1 && doubles[i] < 1) {
        expectedDoubles[Math.min(bins - 1, (int) ((doubles[i] + 1) * (bins / 2.0)))]++;
      }
    }
    try (GlobalFloats memory = device.allocateFloats(length + 1);
        GlobalDoubles inDoubles = device.allocateDoubles(length);
        GlobalLongs counts = device.allocateLongs(bins);
        GlobalLongs others = device.allocateLongs(bins)) {
      GlobalFloats in = memory.slice(1, length);
      stream.copy(floats, in);
      stream.copy(doubles, inDoubles);
      Histogram.even(stream, in, counts, -1f, 1f);
      Histogram.even(stream, inDoubles, others, -1.0, 1.0);
      long[] got = new long[bins];
      long[] gotOthers = new long[bins];
      stream.copy(counts, got);
      stream.copy(others, gotOthers).await();
      assertThat(got).isEqualTo(expectedFloats);
      assertThat(gotOthers).isEqualTo(expectedDoubles);
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    try (GlobalInts in = device.allocateInts(4);
        GlobalBytes bytes = device.allocateBytes(4);
        GlobalFloats floats = device.allocateFloats(4);
        GlobalLongs counts = device.allocateLongs(255)) {
      assertThatThrownBy(() -> Histogram.even(stream, in, counts, 5, 5))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the bins begin at 5 and end at 5");
      assertThatThrownBy(() -> Histogram.even(stream, floats, counts, 1f, Float.NaN))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the bins begin at 1.0 and end at NaN");
      assertThatThrownBy(() -> Histogram.ofBytes(stream, bytes, counts))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("counts has 255 elements, and not 256");
      assertThatThrownBy(() -> Histogram.even(stream, in, counts.slice(0, 0), 1, 5))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("counts has 0 elements, and 1 are needed");
    }
  }
}
