package dev.stretto.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Arrays of any length that begin anywhere, on devices that run in any order. */
class RandomLengthsTest {
  private static final long SEED = Long.getLong("stretto.lengths.seed", System.nanoTime());
  private static final int ROUNDS = Boolean.getBoolean("stretto.thorough") ? 50 : 1;

  static java.util.stream.Stream<String> names() {
    Random random = new Random(SEED);
    return IntStream.range(0, ROUNDS)
        .mapToObj(_ -> "virtual:h200,order=checked,seed=" + random.nextInt());
  }

  @ParameterizedTest
  @MethodSource("names")
  void eachPrimitive(String name) {
    Random random = new Random(name.hashCode());
    int length = 1 + random.nextInt(9000);
    int from = random.nextInt(5);
    String what = "-Dstretto.lengths.seed=%d: %d from %d, %s".formatted(SEED, length, from, name);
    int[] numbers = random.ints(length, -1000, 1000).toArray();
    try (Device device = Device.open(name);
        Stream stream = device.stream();
        GlobalInts memory = device.allocateInts(length + from);
        GlobalInts out = device.allocateInts(length);
        GlobalLongs count = device.allocateLongs(1);
        GlobalLongs counts = device.allocateLongs(2000)) {
      GlobalInts in = memory.slice(from, length);
      int[] got = new int[length];
      stream.copy(numbers, in);

      Reduce.sum(stream, in, out);
      stream.copy(out, got).await();
      assertThat(got[0]).as(what).isEqualTo(Arrays.stream(numbers).sum());

      int[] sums = numbers.clone();
      Arrays.parallelPrefix(sums, Integer::sum);
      Scan.inclusiveSum(stream, in, out);
      stream.copy(out, got).await();
      assertThat(got).as(what).isEqualTo(sums);

      int[] positive = Arrays.stream(numbers).filter(x -> x > 0).toArray();
      Select.where(stream, in, Comparison.GREATER, 0, out, count);
      long[] howMany = new long[1];
      stream.copy(count, howMany);
      stream.copy(out, got).await();
      assertThat(howMany[0]).as(what).isEqualTo(positive.length);
      assertThat(Arrays.copyOf(got, positive.length)).as(what).isEqualTo(positive);

      long[] expected = new long[2000];
      for (int number : numbers) {
        expected[number + 1000]++;
      }
      Histogram.even(stream, in, counts, -1000, 1000);
      long[] gotCounts = new long[2000];
      stream.copy(counts, gotCounts).await();
      assertThat(gotCounts).as(what).isEqualTo(expected);

      int[] sorted = numbers.clone();
      Arrays.sort(sorted);
      RadixSort.keys(stream, in, out);
      stream.copy(out, got).await();
      assertThat(got).as(what).isEqualTo(sorted);

      int some = 1 + random.nextInt(length);
      try (GlobalLongs places = device.allocateLongs(some)) {
        TopK.smallest(stream, in, out.slice(0, some), places);
        long[] gotPlaces = new long[some];
        stream.copy(out, got);
        stream.copy(places, gotPlaces).await();
        for (int i = 0; i < some; i++) {
          assertThat(got[i]).as(what).isEqualTo(sorted[i]);
          assertThat(numbers[(int) gotPlaces[i]]).as(what).isEqualTo(sorted[i]);
        }
      }
    }
  }
}
