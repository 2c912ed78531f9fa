package dev.stretto.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link RandomLengthsTest} runs the same kernels in other orders. */
@ParameterizedClass(name = "on {0}")
@MethodSource("dev.stretto.kernels.Devices#one")
class TopKTest {
  private final Device device;
  private final Stream stream;
  private final Random random = new Random(29);

  TopKTest(String name) {
    device = Device.open(name);
    stream = device.stream();
  }

  @AfterEach
  void close() {
    stream.close();
    device.close();
  }

  /** The places of the first ones in an order; of equal ones the first. */
  private static long[] expected(int length, int count, Comparator<Integer> order) {
    return IntStream.range(0, length)
        .boxed()
        .sorted(order)
        .limit(count)
        .mapToLong(Integer::longValue)
        .toArray();
  }

  private void ints(int[] numbers, int from, int count) {
    int length = numbers.length;
    try (GlobalInts memory = device.allocateInts(length + from);
        GlobalInts out = device.allocateInts(count);
        GlobalLongs places = device.allocateLongs(count)) {
      GlobalInts in = memory.slice(from, length);
      stream.copy(numbers, in);
      for (boolean greatest : new boolean[] {true, false}) {
        Comparator<Integer> order = Comparator.comparingInt(i -> numbers[i]);
        if (greatest) {
          TopK.largest(stream, in, out, places);
        } else {
          TopK.smallest(stream, in, out, places);
        }
        int[] got = new int[count];
        long[] gotPlaces = new long[count];
        stream.copy(out, got);
        stream.copy(places, gotPlaces).await();
        assertThat(gotPlaces)
            .as("%d of %d", count, length)
            .isEqualTo(expected(length, count, greatest ? order.reversed() : order));
        for (int i = 0; i < count; i++) {
          assertThat(got[i]).isEqualTo(numbers[(int) gotPlaces[i]]);
        }
      }
    }
  }

  @Test
  void fewOfMany() {
    ints(random.ints(4500).toArray(), 0, 100);
  }

  @Test
  void oneAndAll() {
    ints(random.ints(300).toArray(), 1, 1);
    ints(random.ints(300).toArray(), 1, 300);
    ints(new int[] {5}, 0, 1);
  }

  /** All have the same first bits, so none are set aside. */
  @Test
  void manyEqualOnes() {
    ints(random.ints(4500, 0, 40).toArray(), 0, 700);
  }

  /** The last one has the first bits of an eighth, which are just set aside. */
  @Test
  void manyCandidates() {
    int[] numbers = random.ints(4800, -1 << 20, 0).toArray();
    for (int i = 0; i < 600; i++) {
      numbers[8 * i] = random.nextInt(1 << 20);
    }
    ints(numbers, 0, 10);
    numbers[1] = 7;
    ints(numbers, 0, 10);
  }

  @Test
  void longsFloatsAndDoubles() {
    int length = 2100;
    int count = 50;
    long[] longs = random.longs(length, -999, 999).toArray();
    double[] doubles = random.doubles(length, -1, 1).toArray();
    float[] floats = new float[length];
    for (int i = 0; i < length; i++) {
      floats[i] = (float) doubles[i];
    }
    floats[40] = Float.NaN;
    doubles[50] = Double.NEGATIVE_INFINITY;
    try (GlobalLongs inLongs = device.allocateLongs(length);
        GlobalFloats inFloats = device.allocateFloats(length);
        GlobalDoubles inDoubles = device.allocateDoubles(length);
        GlobalLongs outLongs = device.allocateLongs(count);
        GlobalFloats outFloats = device.allocateFloats(count);
        GlobalDoubles outDoubles = device.allocateDoubles(count);
        GlobalLongs places = device.allocateLongs(3L * count)) {
      stream.copy(longs, inLongs);
      stream.copy(floats, inFloats);
      stream.copy(doubles, inDoubles);
      TopK.largest(stream, inLongs, outLongs, places.slice(0, count));
      TopK.largest(stream, inFloats, outFloats, places.slice(count, count));
      TopK.smallest(stream, inDoubles, outDoubles, places.slice(2L * count, count));
      long[] got = new long[3 * count];
      double[] least = new double[count];
      stream.copy(places, got);
      stream.copy(outDoubles, least).await();
      assertThat(got)
          .startsWith(expected(length, count, Comparator.comparingLong((Integer i) -> -longs[i])))
          .containsSubsequence(
              expected(length, count, (a, b) -> Float.compare(floats[b], floats[a])))
          .endsWith(expected(length, count, Comparator.comparingDouble(i -> doubles[i])));
      assertThat(least[0]).isEqualTo(Double.NEGATIVE_INFINITY);
      assertThat(got[count]).isEqualTo(40);
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    try (GlobalInts memory = device.allocateInts(10);
        GlobalLongs places = device.allocateLongs(9)) {
      GlobalInts four = memory.slice(0, 4);
      assertThatThrownBy(() -> TopK.largest(stream, four, memory.slice(4, 5), places.slice(0, 5)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("in has 4 elements, and 5 are needed");
      assertThatThrownBy(() -> TopK.largest(stream, four, memory.slice(4, 3), places.slice(0, 2)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("out has 3 elements, and places has 2");
      TopK.largest(stream, four, memory.slice(4, 0), places.slice(0, 0)).await();
      assertThat(stream.isIdle()).isTrue();
    }
  }
}
