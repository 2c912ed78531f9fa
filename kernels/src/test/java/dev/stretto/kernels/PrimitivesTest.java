package dev.stretto.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
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
}
