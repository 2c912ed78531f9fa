package dev.stretto.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The programs of the documentation. */
class PrimitivesTest {
  private final Device device = Device.open("virtual:h200,order=checked");
  private final Stream stream = device.stream();

  @AfterEach
  void close() {
    stream.close();
    device.close();
  }

  @Test
  void aSum() {
    float[] numbers = {1, 2, 3, 4};
    try (GlobalFloats x = device.allocateFloats(numbers.length)) {
      stream.copy(numbers, x);
      float[] result = new float[1];
      // @start region="reduce"
      try (GlobalFloats sum = stream.allocateFloats(1)) {
        Reduce.sum(stream, x, sum);
        stream.copy(sum, result).await();
      }
      // @end region="reduce"
      assertThat(result[0]).isEqualTo(10);
    }
  }

  @Test
  void runningTotals() {
    int[] numbers = {3, 1, 2};
    int[] result = new int[numbers.length];
    try (GlobalInts counts = device.allocateInts(numbers.length);
        GlobalInts places = device.allocateInts(numbers.length)) {
      stream.copy(numbers, counts);
      // @start region="scan"
      Scan.exclusiveSum(stream, counts, places); // 3 1 2 becomes 0 3 4
      // @end region="scan"
      stream.copy(places, result).await();
      assertThat(result).containsExactly(0, 3, 4);
    }
  }

  @Test
  void whatIsLarge() {
    float[] numbers = {3, 1, 2, 7};
    float[] result = new float[numbers.length];
    long[] howMany = new long[1];
    try (GlobalFloats x = device.allocateFloats(numbers.length);
        GlobalFloats large = device.allocateFloats(numbers.length);
        GlobalLongs count = device.allocateLongs(1)) {
      stream.copy(numbers, x);
      stream.fill(large, 0);
      // @start region="select"
      Select.where(stream, x, Comparison.GREATER, 2f, large, count); // keeps 3 and 7
      // @end region="select"
      stream.copy(count, howMany);
      stream.copy(large, result).await();
      assertThat(howMany[0]).isEqualTo(2);
      assertThat(result).containsExactly(3, 7, 0, 0);
    }
  }

  @Test
  void howOftenEachDigitOccurs() {
    int[] numbers = {3, 1, 3, 9, -1, 10};
    long[] result = new long[10];
    try (GlobalInts x = device.allocateInts(numbers.length);
        GlobalLongs counts = device.allocateLongs(10)) {
      stream.copy(numbers, x);
      // @start region="histogram"
      Histogram.even(stream, x, counts, 0, 10); // ten bins, for 0 to 9
      // @end region="histogram"
      stream.copy(counts, result).await();
      assertThat(result).containsExactly(0, 1, 0, 2, 0, 0, 0, 0, 0, 1);
    }
  }

  @Test
  void aMatrix() {
    int[] numbers = {1, 2, 3, 4, 5, 6};
    int[] result = new int[6];
    try (GlobalInts x = device.allocateInts(6);
        GlobalInts y = device.allocateInts(6)) {
      stream.copy(numbers, x);
      // @start region="transpose"
      Transpose.of(stream, x, y, 2, 3); // 1 2 3 and 4 5 6 become 1 4, 2 5 and 3 6
      // @end region="transpose"
      stream.copy(y, result).await();
      assertThat(result).containsExactly(1, 4, 2, 5, 3, 6);
    }
  }

  @Test
  void randomNumbers() {
    float[] once = new float[2000];
    float[] twice = new float[2000];
    try (GlobalFloats x = device.allocateFloats(2000)) {
      // @start region="philox"
      long seed = 42;
      Philox.uniform(stream, x, seed, 0);
      // @end region="philox"
      stream.copy(x, once);
      Philox.uniform(stream, x.slice(1000, 1000), seed, 1000);
      Philox.uniform(stream, x.slice(0, 1000), seed, 0);
      stream.copy(x, twice).await();
      assertThat(once).isEqualTo(twice);
      for (float number : once) {
        assertThat(number).isBetween(0f, Math.nextDown(1f));
      }
    }
  }

  @Test
  void placesInTheOrderOfNumbers() {
    float[] numbers = {3, 1, 2};
    int[] numbersOfThem = {0, 1, 2};
    int[] result = new int[3];
    try (GlobalFloats x = device.allocateFloats(3);
        GlobalInts places = device.allocateInts(3)) {
      stream.copy(numbers, x);
      stream.copy(numbersOfThem, places);
      // @start region="sort"
      RadixSort.pairs(stream, x, x, places, places); // 3 1 2 becomes 1 2 3; 0 1 2 becomes 1 2 0
      // @end region="sort"
      stream.copy(places, result).await();
      assertThat(result).containsExactly(1, 2, 0);
    }
  }

  @Test
  void theTwoGreatest() {
    float[] numbers = {3, 1, 7, 2};
    float[] result = new float[2];
    long[] where = new long[2];
    try (GlobalFloats x = device.allocateFloats(4);
        GlobalFloats greatest = device.allocateFloats(2);
        GlobalLongs places = device.allocateLongs(2)) {
      stream.copy(numbers, x);
      // @start region="top"
      TopK.largest(stream, x, greatest, places); // 7 and 3, which are at 2 and 0
      // @end region="top"
      stream.copy(greatest, result);
      stream.copy(places, where).await();
      assertThat(result).containsExactly(7, 3);
      assertThat(where).containsExactly(2, 0);
    }
  }

  @Test
  void aGraphMayHoldThem() {
    int[] first = {3, 1, 2};
    int[] second = {9, 7, 8};
    int[] result = new int[3];
    try (GlobalInts x = device.allocateInts(3);
        GlobalInts y = device.allocateInts(3);
        Graph graph =
            Graph.capture(
                stream,
                () -> {
                  RadixSort.keys(stream, x, y);
                  Scan.inclusiveSum(stream, y, y);
                })) {
      stream.copy(first, x);
      stream.launch(graph);
      stream.copy(y, result).await();
      assertThat(result).containsExactly(1, 3, 6);
      stream.copy(second, x);
      stream.launch(graph);
      stream.copy(y, result).await();
      assertThat(result).containsExactly(7, 15, 24);
    }
  }
}
