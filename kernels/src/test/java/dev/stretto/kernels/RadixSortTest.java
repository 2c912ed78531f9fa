package dev.stretto.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "on {0}")
@MethodSource("dev.stretto.kernels.Devices#few")
class RadixSortTest {
  private final Device device;
  private final Stream stream;
  private final Random random = new Random(23);

  RadixSortTest(String name) {
    device = Device.open(name);
    stream = device.stream();
  }

  @AfterEach
  void close() {
    stream.close();
    device.close();
  }

  private int[] ints(int length, int kinds) {
    return kinds == 0 ? random.ints(length).toArray() : random.ints(length, -kinds, 9).toArray();
  }

  @Test
  void intKeys() {
    for (int length : new int[] {1, 33, 7680, 7681, 15_500}) {
      int[] numbers = ints(length, length % 2 == 0 ? 0 : 1000);
      int[] expected = numbers.clone();
      Arrays.sort(expected);
      try (GlobalInts in = device.allocateInts(length);
          GlobalInts out = device.allocateInts(length)) {
        stream.copy(numbers, in);
        int[] got = new int[length];
        RadixSort.keys(stream, in, out);
        stream.copy(out, got).await();
        assertThat(got).as("%d", length).isEqualTo(expected);
        stream.copy(in, got).await();
        assertThat(got).as("the input of %d", length).isEqualTo(numbers);
      }
    }
  }

  @Test
  void longKeysInPlaceTheGreatestFirst() {
    for (int length : new int[] {1, 3840, 4001}) {
      long[] numbers = random.longs(length).toArray();
      long[] expected = numbers.clone();
      Arrays.sort(expected);
      try (GlobalLongs memory = device.allocateLongs(length + 1)) {
        GlobalLongs in = memory.slice(1, length);
        stream.copy(numbers, in);
        RadixSort.keysDescending(stream, in, in);
        long[] got = new long[length];
        stream.copy(in, got).await();
        for (int i = 0; i < length; i++) {
          assertThat(got[i]).isEqualTo(expected[length - 1 - i]);
        }
      }
    }
  }

  @Test
  void floatsAndDoublesAreInTheOrderOfCompare() {
    int length = 2000;
    float[] floats = new float[length];
    double[] doubles = new double[length];
    for (int i = 0; i < length; i++) {
      floats[i] = Float.intBitsToFloat(random.nextInt());
      doubles[i] = Double.longBitsToDouble(random.nextLong());
    }
    float[] odd = {0f, -0f, Float.NaN, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, 1, -1};
    for (int i = 0; i < odd.length; i++) {
      floats[i] = odd[i];
      doubles[i] = odd[i];
    }
    floats[20] = Float.intBitsToFloat(0xffffffff);
    doubles[20] = Double.longBitsToDouble(-1L);
    float[] expected = floats.clone();
    double[] expectedDoubles = doubles.clone();
    Arrays.sort(expected);
    Arrays.sort(expectedDoubles);
    try (GlobalFloats in = device.allocateFloats(length);
        GlobalFloats down = device.allocateFloats(length);
        GlobalDoubles inDoubles = device.allocateDoubles(length)) {
      stream.copy(floats, in);
      stream.copy(doubles, inDoubles);
      RadixSort.keysDescending(stream, in, down);
      RadixSort.keys(stream, in, in);
      RadixSort.keys(stream, inDoubles, inDoubles);
      float[] got = new float[length];
      float[] gotDown = new float[length];
      double[] gotDoubles = new double[length];
      stream.copy(in, got);
      stream.copy(down, gotDown);
      stream.copy(inDoubles, gotDoubles).await();
      // Of one NaN any other one is an equal.
      assertThat(got).isEqualTo(expected);
      assertThat(gotDoubles).isEqualTo(expectedDoubles);
      for (int i = 0; i < length; i++) {
        assertThat(Float.compare(gotDown[i], expected[length - 1 - i])).isZero();
      }
    }
  }

  @Test
  void intsGoWithKeysAndKeepTheirOrder() {
    for (int length : new int[] {1, 500, 7_700}) {
      int[] keys = ints(length, 300);
      int[] places = IntStream.range(0, length).toArray();
      int[] expected =
          Arrays.stream(places)
              .boxed()
              .sorted(Comparator.comparingInt(i -> keys[i]))
              .mapToInt(i -> i)
              .toArray();
      try (GlobalInts in = device.allocateInts(length);
          GlobalInts out = device.allocateInts(length);
          GlobalInts values = device.allocateInts(length)) {
        stream.copy(keys, in);
        stream.copy(places, values);
        RadixSort.pairs(stream, in, out, values, values);
        int[] gotKeys = new int[length];
        int[] got = new int[length];
        stream.copy(out, gotKeys);
        stream.copy(values, got).await();
        assertThat(got).as("%d", length).isEqualTo(expected);
        for (int i = 0; i < length; i++) {
          assertThat(gotKeys[i]).isEqualTo(keys[expected[i]]);
        }
      }
    }
  }

  @Test
  void longsGoWithKeysOfEachSize() {
    int length = 4500;
    float[] keys = new float[length];
    long[] longKeys = random.longs(length, 0, 50).toArray();
    long[] values = random.longs(length).toArray();
    for (int i = 0; i < length; i++) {
      keys[i] = random.nextInt(100) - 50;
    }
    long[] byFloats =
        IntStream.range(0, length)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer i) -> keys[i]).reversed())
            .mapToLong(i -> values[i])
            .toArray();
    long[] byLongs =
        IntStream.range(0, length)
            .boxed()
            .sorted(Comparator.comparingLong(i -> longKeys[i]))
            .mapToLong(i -> values[i])
            .toArray();
    try (GlobalFloats floats = device.allocateFloats(length);
        GlobalLongs longs = device.allocateLongs(length);
        GlobalLongs in = device.allocateLongs(length);
        GlobalLongs out = device.allocateLongs(length)) {
      stream.copy(keys, floats);
      stream.copy(longKeys, longs);
      stream.copy(values, in);
      RadixSort.pairsDescending(stream, floats, floats, in, out);
      long[] got = new long[length];
      stream.copy(out, got).await();
      assertThat(got).isEqualTo(byFloats);
      RadixSort.pairs(stream, longs, longs, in, out);
      stream.copy(out, got).await();
      assertThat(got).isEqualTo(byLongs);
    }
  }

  /** What more than 2<sup>30</sup> keys take, with portions of one tile. */
  @Test
  void keysAndPairsInPortions() {
    int length = 15_500;
    int[] keys = ints(length, 0);
    int[] values = keys.clone();
    int[] expected = keys.clone();
    Arrays.sort(expected);
    try (GlobalInts in = device.allocateInts(length);
        GlobalInts out = device.allocateInts(length);
        GlobalInts with = device.allocateInts(length)) {
      stream.copy(keys, in);
      stream.copy(values, with);
      Sorting.keys(stream, in, out, KeyOrder.PLAIN, 8_000);
      int[] got = new int[length];
      stream.copy(out, got).await();
      assertThat(got).isEqualTo(expected);
      Sorting.pairs(stream, in, out, with, with, KeyOrder.PLAIN, 8_000);
      stream.copy(with, got).await();
      assertThat(got).isEqualTo(expected);
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    try (GlobalInts memory = device.allocateInts(10)) {
      GlobalInts four = memory.slice(0, 4);
      GlobalInts others = memory.slice(4, 4);
      assertThatThrownBy(() -> RadixSort.keys(stream, four, memory.slice(4, 5)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("in has 4 elements, and out has 5");
      assertThatThrownBy(() -> RadixSort.keys(stream, four, memory.slice(2, 4)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith("overlap and do not begin at the same element");
      assertThatThrownBy(() -> RadixSort.pairs(stream, four, four, others, four))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("keys, GlobalInts[4] at byte 0 of ")
          .hasMessageEndingWith(", overlap: give one of them memory of its own");
      RadixSort.keys(stream, memory.slice(0, 0), memory.slice(0, 0)).await();
      assertThat(stream.isIdle()).isTrue();
    }
  }
}
