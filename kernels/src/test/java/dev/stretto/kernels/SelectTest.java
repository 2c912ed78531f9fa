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
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "on {0}")
@MethodSource("dev.stretto.kernels.Devices#names")
class SelectTest {
  private final Device device;
  private final Stream stream;
  private final Random random = new Random(13);

  SelectTest(String name) {
    device = Device.open(name);
    stream = device.stream();
  }

  @AfterEach
  void close() {
    stream.close();
    device.close();
  }

  private static IntPredicate predicate(Comparison comparison, int value) {
    return switch (comparison) {
      case LESS -> x -> x < value;
      case AT_MOST -> x -> x <= value;
      case EQUAL -> x -> x == value;
      case NOT_EQUAL -> x -> x != value;
      case AT_LEAST -> x -> x >= value;
      case GREATER -> x -> x > value;
    };
  }

  @Test
  void intsByEachComparison() {
    for (Comparison comparison : Comparison.values()) {
      int length = 1 + random.nextInt(5000);
      int[] numbers = random.ints(length, -5, 5).toArray();
      int[] expected = Arrays.stream(numbers).filter(predicate(comparison, 1)).toArray();
      try (GlobalInts in = device.allocateInts(length);
          GlobalInts out = device.allocateInts(length);
          GlobalLongs count = device.allocateLongs(1)) {
        stream.copy(numbers, in);
        stream.fill(out, 99);
        Select.where(stream, in, comparison, 1, out, count);
        long[] howMany = new long[1];
        int[] got = new int[length];
        stream.copy(count, howMany);
        stream.copy(out, got).await();
        assertThat(howMany[0]).as("%s of %d", comparison, length).isEqualTo(expected.length);
        assertThat(Arrays.copyOf(got, expected.length)).isEqualTo(expected);
        assertThat(Arrays.copyOfRange(got, expected.length, length)).containsOnly(99);
      }
    }
  }

  @Test
  void allAndNoneOfManyTiles() {
    int length = 40 * 4096 + 1;
    int[] numbers = IntStream.range(0, length).toArray();
    try (GlobalInts in = device.allocateInts(length);
        GlobalInts out = device.allocateInts(length);
        GlobalLongs count = device.allocateLongs(2)) {
      stream.copy(numbers, in);
      Select.where(stream, in, Comparison.AT_LEAST, 0, out, count.slice(0, 1));
      int[] got = new int[length];
      stream.copy(out, got);
      Select.where(stream, in, Comparison.LESS, 0, out, count.slice(1, 1));
      long[] howMany = new long[2];
      stream.copy(count, howMany).await();
      assertThat(got).isEqualTo(numbers);
      assertThat(howMany).containsExactly(length, 0);
    }
  }

  @Test
  void floatsByFlagsAtAnyPlace() {
    int length = 7001;
    float[] numbers = new float[length];
    byte[] flags = new byte[length];
    random.nextBytes(flags);
    for (int i = 0; i < length; i++) {
      numbers[i] = random.nextFloat();
      flags[i] = (byte) (flags[i] % 3);
    }
    try (GlobalFloats memory = device.allocateFloats(length + 1);
        GlobalBytes chosen = device.allocateBytes(length);
        GlobalFloats out = device.allocateFloats(length);
        GlobalLongs count = device.allocateLongs(1)) {
      GlobalFloats in = memory.slice(1, length);
      stream.copy(numbers, in);
      stream.copy(flags, chosen);
      stream.fill(out, -1);
      Select.flagged(stream, in, chosen, out, count);
      float[] got = new float[length];
      long[] howMany = new long[1];
      stream.copy(out, got);
      stream.copy(count, howMany).await();
      int at = 0;
      for (int i = 0; i < length; i++) {
        if (flags[i] != 0) {
          assertThat(got[at++]).isEqualTo(numbers[i]);
        }
      }
      assertThat(howMany[0]).isEqualTo(at);
      assertThat(got[at]).isEqualTo(-1);
    }
  }

  @Test
  void longsAndDoubles() {
    int length = 5000;
    long[] numbers = random.longs(length).toArray();
    double[] fractions = random.doubles(length).toArray();
    fractions[17] = Double.NaN;
    try (GlobalLongs in = device.allocateLongs(length);
        GlobalLongs out = device.allocateLongs(length);
        GlobalDoubles from = device.allocateDoubles(length);
        GlobalDoubles to = device.allocateDoubles(length);
        GlobalLongs count = device.allocateLongs(2)) {
      stream.copy(numbers, in);
      stream.copy(fractions, from);
      Select.where(stream, in, Comparison.GREATER, 0L, out, count.slice(0, 1));
      Select.where(stream, from, Comparison.LESS, 0.25, to, count.slice(1, 1));
      long[] howMany = new long[2];
      stream.copy(count, howMany).await();
      long[] positive = Arrays.stream(numbers).filter(x -> x > 0).toArray();
      double[] small = Arrays.stream(fractions).filter(x -> x < 0.25).toArray();
      assertThat(howMany).containsExactly(positive.length, small.length);
      long[] got = new long[positive.length];
      double[] gotSmall = new double[small.length];
      stream.copy(out.slice(0, got.length), got);
      stream.copy(to.slice(0, gotSmall.length), gotSmall).await();
      assertThat(got).isEqualTo(positive);
      assertThat(gotSmall).isEqualTo(small);
    }
  }

  @Test
  void ofNothingNothingIsKept() {
    try (GlobalInts memory = device.allocateInts(4);
        GlobalLongs count = device.allocateLongs(1)) {
      stream.fill(count, 5);
      Select.where(stream, memory.slice(0, 0), Comparison.EQUAL, 0, memory, count);
      long[] howMany = new long[1];
      stream.copy(count, howMany).await();
      assertThat(howMany[0]).isZero();
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    try (GlobalInts memory = device.allocateInts(10);
        GlobalBytes flags = device.allocateBytes(3);
        GlobalLongs count = device.allocateLongs(1)) {
      GlobalInts four = memory.slice(0, 4);
      assertThatThrownBy(
              () -> Select.where(stream, four, Comparison.LESS, 0, memory.slice(4, 3), count))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("out has 3 elements, and 4 are needed");
      assertThatThrownBy(
              () -> Select.where(stream, four, Comparison.LESS, 0, memory.slice(3, 4), count))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith(", overlap: give one of them memory of its own");
      assertThatThrownBy(() -> Select.flagged(stream, four, flags, memory.slice(4, 4), count))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("flags has 3 elements, and 4 are needed");
    }
  }
}
