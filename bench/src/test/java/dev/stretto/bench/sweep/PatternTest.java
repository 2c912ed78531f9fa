package dev.stretto.bench.sweep;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class PatternTest {
  private final MemorySegment host = MemorySegment.ofArray(new long[1024]);

  @Test
  void aWordThatWasNotCopiedIsFound() {
    Pattern.fill(host);
    Pattern.require(host, _ -> true);
    Pattern.poison(host.asSlice(4096, 8));
    assertThatThrownBy(() -> Pattern.require(host, _ -> true))
        .hasMessageStartingWith("the word at byte 4096 is 5a5a5a5a5a5a5a5a, not ");
  }

  @Test
  void aCopyToTheWrongPlaceOfADeviceIsFound() {
    Pattern.fill(host);
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        DeviceData data = new DeviceData(device);
        GlobalBytes array = device.allocateBytes(8192)) {
      stream.copy(host, array).await();
      data.require(array, _ -> true);
      stream.copy(host.asSlice(8, 8), array.slice(0, 8)).await();
      assertThatThrownBy(() -> data.require(array, _ -> true))
          .hasMessageStartingWith("the word at byte 0 is ");
    }
  }

  @Test
  void aGapBetweenRowsMayNotBeWritten() {
    Pattern.fill(host);
    assertThatThrownBy(() -> Pattern.require(host, at -> at % 4096 < 3072))
        .hasMessageStartingWith("the word at byte 3072 is ");
  }
}
