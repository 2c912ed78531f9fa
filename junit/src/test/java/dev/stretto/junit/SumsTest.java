package dev.stretto.junit;

import static dev.stretto.junit.Faults.ONE_BY_ONE;
import static dev.stretto.junit.Order.CHECKED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Random;

/** Right programs, as the documentation shows them. */
class SumsTest {
  // @start region="pair"
  @DeviceTest(devices = "h200x2", seeds = 200, order = CHECKED, faults = ONE_BY_ONE)
  void goesThroughBothDevices(
      Device first, Stream upload, Device second, Stream download, @Seed long seed) {
    int[] numbers = new Random(seed).ints(1000).toArray();
    int[] result = new int[numbers.length];
    try (GlobalInts x = first.allocateInts(numbers.length);
        GlobalInts y = second.allocateInts(numbers.length)) {
      upload.copy(numbers, x);
      upload.copy(x, y);
      download.waitFor(upload.record());
      download.copy(y, result).await();
    }
    assertThat(result).isEqualTo(numbers);
  }

  // @end
  // @start region="composed"
  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
  @DeviceTest(
      devices = {"h200x2", "a100x2,no-peer"},
      seeds = 20,
      faults = ONE_BY_ONE)
  @interface PairTest {}

  // @end

  @PairTest
  void copiesBetweenTheDevicesOfEveryPair(List<Device> devices, Stream stream) {
    int[] result = new int[100];
    try (GlobalInts x = devices.get(0).allocateInts(100);
        GlobalInts y = devices.get(1).allocateInts(100)) {
      stream.fill(x, 7);
      stream.copy(x, y);
      stream.copy(y, x);
      stream.copy(x, result).await();
    }
    assertThat(result).containsOnly(7);
  }
}
