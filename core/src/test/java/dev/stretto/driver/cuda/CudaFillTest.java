package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverException.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CudaFillTest extends OnFakeCuda {
  private static final int BYTES = 256;
  private static final long VALUE = 0x0123_4567_89ab_cdefL;

  private long stream;
  private long memory;

  @BeforeEach
  void allocate() {
    stream = device.createStream(0);
    memory = device.allocate(BYTES);
    device.fill(memory, 0, 1, BYTES, stream);
    List<String> _ = fake.calls();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void theLowBytesOfTheValueAreRepeatedAndNoOthersWritten(int elementBytes) {
    device.fill(memory + 16, VALUE, elementBytes, 5, stream);

    try (Arena arena = Arena.ofConfined()) {
      MemorySegment expected = arena.allocate(BYTES);
      MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_LONG, VALUE);
      for (int i = 0; i < 5; i++) {
        MemorySegment.copy(value, 0, expected, 16 + (long) i * elementBytes, elementBytes);
      }
      MemorySegment back = arena.allocate(BYTES);
      device.copy(back.address(), memory, BYTES, CopyKind.DEVICE_TO_HOST, stream);
      assertThat(back.mismatch(expected)).isEqualTo(-1);
    }
  }

  @Test
  void eightByteValuesOfEqualHalvesTakeOneFill() {
    device.fill(memory, 0x7777_0001_7777_0001L, 8, 3, stream);

    assertThat(fake.calls()).containsExactly("0 cuMemsetD32Async 6");
  }

  @Test
  void otherEightByteValuesTakeTwoStridedFills() {
    device.fill(memory, 5L << 32 | 7, 8, 3, stream);

    assertThat(fake.calls())
        .containsExactly(
            "0 cuMemsetD2D32Async pitch 8, 7, 1 x 3", "0 cuMemsetD2D32Async pitch 8, 5, 1 x 3");
  }

  @Test
  void moreElementsThanAnIntCountsAreFilled() {
    fake.set("dry", 1);
    long many = (1L << 31) + 3;

    device.fill(memory, 1, 1, many, stream);
    device.fill(memory, 1, 2, many, stream);
    device.fill(memory, 1, 4, many, stream);
    device.fill(memory, 0, 8, many, stream);
    device.fill(memory, 1, 8, many, stream);

    assertThat(fake.calls())
        .containsExactly(
            "0 cuMemsetD8Async " + many,
            "0 cuMemsetD16Async " + many,
            "0 cuMemsetD32Async " + many,
            "0 cuMemsetD32Async " + 2 * many,
            "0 cuMemsetD2D32Async pitch 8, 1, 1 x 1073741824",
            "0 cuMemsetD2D32Async pitch 8, 0, 1 x 1073741824",
            "0 cuMemsetD2D32Async pitch 8, 1, 1 x 1073741824",
            "0 cuMemsetD2D32Async pitch 8, 0, 1 x 1073741824",
            "0 cuMemsetD2D32Async pitch 8, 1, 1 x 3",
            "0 cuMemsetD2D32Async pitch 8, 0, 1 x 3");
  }

  @Test
  void fillsThatCannotBeAreRefused() {
    failure(Kind.INVALID, () -> device.fill(memory, 0, 3, 1, stream));
    failure(Kind.INVALID, () -> device.fill(memory, 0, 16, 1, stream));
    failure(Kind.INVALID, () -> device.fill(memory + 1, 0, 2, 1, stream));
    failure(Kind.INVALID, () -> device.fill(memory, 0, 4, 0, stream));
    failure(Kind.INVALID, () -> device.fill(memory, 0, 4, Long.MAX_VALUE, stream));
    failure(Kind.INVALID, () -> device.fill(0, 0, 4, 1, stream));
    failure(Kind.INVALID, () -> device.fill(memory, 0, 4, 1, 0));
    assertThat(fake.calls()).isEmpty();
    assertThat(failure(Kind.INVALID, () -> device.fill(memory, 0, 4, 1000, stream)))
        .hasMessageContaining("cuMemsetD32Async")
        .hasMessageContaining("1000 elements of 4 bytes");
  }
}
