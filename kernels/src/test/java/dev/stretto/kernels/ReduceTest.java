package dev.stretto.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
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
class ReduceTest {
  /** Around a vector, a warp, a tile of ints and one of longs, and several blocks. */
  private static final int[] LENGTHS = {0, 1, 2, 3, 5, 127, 2048, 2049, 4095, 4096, 4097, 20_003};

  private final Device device;
  private final Stream stream;
  private final Random random = new Random(7);

  ReduceTest(String name) {
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
    for (int length : LENGTHS) {
      int[] numbers = random.ints(length).toArray();
      try (GlobalInts memory = device.allocateInts(length + 1);
          GlobalInts out = device.allocateInts(3)) {
        GlobalInts in = memory.slice(0, length);
        if (length > 0) {
          stream.copy(numbers, in);
        }
        Reduce.sum(stream, in, out.slice(0, 1));
        Reduce.min(stream, in, out.slice(1, 1));
        Reduce.max(stream, in, out.slice(2, 1));
        int[] got = new int[3];
        stream.copy(out, got).await();
        assertThat(got)
            .as("of %d", length)
            .containsExactly(
                Arrays.stream(numbers).sum(),
                Arrays.stream(numbers).min().orElse(Integer.MAX_VALUE),
                Arrays.stream(numbers).max().orElse(Integer.MIN_VALUE));
      }
    }
  }

  @Test
  void longsThatDoNotBeginAtAVector() {
    for (int length : LENGTHS) {
      long[] numbers = random.longs(length).toArray();
      try (GlobalLongs memory = device.allocateLongs(length + 1);
          GlobalLongs out = device.allocateLongs(3)) {
        GlobalLongs in = memory.slice(1, length);
        if (length > 0) {
          stream.copy(numbers, in);
        }
        Reduce.sum(stream, in, out.slice(0, 1));
        Reduce.min(stream, in, out.slice(1, 1));
        Reduce.max(stream, in, out.slice(2, 1));
        long[] got = new long[3];
        stream.copy(out, got).await();
        assertThat(got)
            .as("of %d", length)
            .containsExactly(
                Arrays.stream(numbers).sum(),
                Arrays.stream(numbers).min().orElse(Long.MAX_VALUE),
                Arrays.stream(numbers).max().orElse(Long.MIN_VALUE));
      }
    }
  }

  @Test
  void floatsAreAsExactAsStatedAndTheSameEachTime() {
    for (int length : LENGTHS) {
      float[] numbers = new float[length];
      double sum = 0;
      double size = 0;
      for (int i = 0; i < length; i++) {
        numbers[i] = random.nextFloat() - 0.3f;
        sum += numbers[i];
        size += Math.abs(numbers[i]);
      }
      try (GlobalFloats memory = device.allocateFloats(length + 1);
          GlobalFloats out = device.allocateFloats(2)) {
        GlobalFloats in = memory.slice(0, length);
        if (length > 0) {
          stream.copy(numbers, in);
        }
        Reduce.sum(stream, in, out.slice(0, 1));
        Reduce.sum(stream, in, out.slice(1, 1));
        float[] got = new float[2];
        stream.copy(out, got).await();
        assertThat((double) got[0]).isCloseTo(sum, within(32 * 0x1p-24 * size));
        assertThat(got[1]).isEqualTo(got[0]);
      }
    }
  }

  @Test
  void doubles() {
    double[] numbers = random.doubles(9999, -1, 2).toArray();
    try (GlobalDoubles in = device.allocateDoubles(numbers.length);
        GlobalDoubles out = device.allocateDoubles(3)) {
      stream.copy(numbers, in);
      Reduce.sum(stream, in, out.slice(0, 1));
      Reduce.min(stream, in, out.slice(1, 1));
      Reduce.max(stream, in, out.slice(2, 1));
      double[] got = new double[3];
      stream.copy(out, got).await();
      assertThat(got[0]).isCloseTo(Arrays.stream(numbers).sum(), within(1e-10));
      assertThat(got[1]).isEqualTo(Arrays.stream(numbers).min().orElseThrow());
      assertThat(got[2]).isEqualTo(Arrays.stream(numbers).max().orElseThrow());
    }
  }

  @Test
  void aNanIsTheSmallestAndTheGreatestAsInJava() {
    float[] numbers = new float[5000];
    numbers[4321] = Float.NaN;
    try (GlobalFloats in = device.allocateFloats(numbers.length);
        GlobalFloats out = device.allocateFloats(2)) {
      stream.copy(numbers, in);
      Reduce.min(stream, in, out.slice(0, 1));
      Reduce.max(stream, in, out.slice(1, 1));
      float[] got = new float[2];
      stream.copy(out, got).await();
      assertThat(got).containsExactly(Float.NaN, Float.NaN);
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    try (GlobalInts in = device.allocateInts(5);
        Device other = Device.open("virtual:a100")) {
      assertThatThrownBy(() -> Reduce.sum(stream, in, in.slice(0, 0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("out has 0 elements, and 1 are needed");
      try (GlobalInts far = other.allocateInts(1)) {
        assertThatThrownBy(() -> Reduce.sum(stream, in, far))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("out, GlobalInts[1] at byte 0 of ")
            .hasMessageContaining(" lies on ");
      }
      GlobalInts gone = device.allocateInts(5);
      gone.close();
      assertThatThrownBy(() -> Reduce.sum(stream, gone, in))
          .isInstanceOf(ClosedException.class)
          .hasMessageStartingWith("in, GlobalInts[5] at byte 0 of ");
    }
  }
}
