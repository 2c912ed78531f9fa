package dev.stretto.driver.cuda;

import static dev.stretto.driver.CopyKind.DEVICE_TO_DEVICE;
import static dev.stretto.driver.CopyKind.DEVICE_TO_HOST;
import static dev.stretto.driver.CopyKind.HOST_TO_DEVICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.driver.Volume;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CudaCopyTest extends OnFakeCuda {
  private final Arena arena = Arena.ofShared();
  private long stream;
  private long a;
  private long b;

  @BeforeEach
  void allocate() {
    stream = device.createStream(0);
    a = device.allocate(4096);
    b = device.allocate(4096);
    List<String> _ = fake.calls();
  }

  @AfterEach
  void close() {
    arena.close();
  }

  private MemorySegment bytes(int count) {
    return arena.allocateFrom(
        ValueLayout.JAVA_BYTE,
        IntStream.range(0, count)
            .collect(() -> new byte[count], (array, i) -> array[i] = (byte) (i + 1), (x, y) -> {}));
  }

  @Test
  void eachDirectionCopiesFromItsSourceToItsDestination() {
    MemorySegment source = bytes(100);
    MemorySegment back = arena.allocate(100);

    device.copy(a, source.address(), 100, HOST_TO_DEVICE, stream);
    device.copy(b, a, 100, DEVICE_TO_DEVICE, stream);
    device.copy(back.address(), b, 100, DEVICE_TO_HOST, stream);

    assertThat(back.mismatch(source)).isEqualTo(-1);
    assertThat(fake.calls())
        .containsExactly(
            "0 cuMemcpyHtoDAsync_v2 100",
            "0 cuMemcpyDtoDAsync_v2 100",
            "0 cuMemcpyDtoHAsync_v2 100");
  }

  @Test
  void aFailureTellsTheSizesAndAddresses() {
    long host = arena.allocate(100).address();

    DriverException thrown =
        failure(Kind.INVALID, () -> device.copy(a, host, 5000, HOST_TO_DEVICE, stream));

    assertThat(thrown.code()).isEqualTo(1);
    assertThat(thrown)
        .hasMessage(
            "cuMemcpyHtoDAsync: CUDA_ERROR_INVALID_VALUE (1): invalid argument; 5000 bytes to 0x%x"
                    .formatted(a)
                + " from 0x%x, HOST_TO_DEVICE (device 0)".formatted(host));
  }

  @Test
  void nothingIsNotCopied() {
    failure(Kind.INVALID, () -> device.copy(a, b, 0, DEVICE_TO_DEVICE, stream));
    failure(Kind.INVALID, () -> device.copy(a, b, -1, DEVICE_TO_DEVICE, stream));
    failure(Kind.INVALID, () -> device.copy(0, b, 1, DEVICE_TO_DEVICE, stream));
    failure(Kind.INVALID, () -> device.copy(a, 0, 1, DEVICE_TO_DEVICE, stream));
    failure(Kind.INVALID, () -> device.copy(a, b, 1, DEVICE_TO_DEVICE, 0));
    assertThat(fake.calls()).isEmpty();
  }

  @Test
  void aStreamThatIsNoneIsAnError() {
    assertThat(failure(Kind.INVALID, () -> device.copy(a, b, 1, DEVICE_TO_DEVICE, 4711)).code())
        .isEqualTo(400);
  }

  @Test
  void pageableCopiesGoBothWays() {
    MemorySegment source = bytes(64);
    MemorySegment back = arena.allocate(64);

    device.copyPageable(a, source, HOST_TO_DEVICE, stream);
    device.copyPageable(a, back, DEVICE_TO_HOST, stream);

    assertThat(back.mismatch(source)).isEqualTo(-1);
    failure(Kind.INVALID, () -> device.copyPageable(a, source, DEVICE_TO_DEVICE, stream));
    failure(
        Kind.INVALID,
        () -> device.copyPageable(a, MemorySegment.ofArray(new byte[8]), HOST_TO_DEVICE, stream));
  }

  @Test
  void aPageableCopyKeepsTheArenaOpenForItsLength() throws InterruptedException {
    Arena host = Arena.ofShared();
    MemorySegment source = host.allocate(64);
    fake.set("gate", 1);
    Thread copy =
        Thread.ofPlatform().start(() -> device.copyPageable(a, source, HOST_TO_DEVICE, stream));
    try {
      while (fake.gate() != 2) {
        Thread.onSpinWait();
      }
      assertThatThrownBy(host::close).isInstanceOf(IllegalStateException.class);
    } finally {
      fake.set("gate", 0);
      copy.join();
    }
    host.close();
  }

  @Test
  void rowsAreCopiedWithBothPitchesInEveryDirection() {
    MemorySegment source = bytes(60);
    MemorySegment back = arena.allocate(32);

    device.copy2D(a, 16, source.address(), 20, 5, 3, HOST_TO_DEVICE, stream);
    device.copy2D(b, 8, a, 16, 5, 3, DEVICE_TO_DEVICE, stream);
    device.copy2D(back.address(), 10, b, 8, 5, 3, DEVICE_TO_HOST, stream);

    for (int row = 0; row < 3; row++) {
      assertThat(back.asSlice(10L * row, 5).mismatch(source.asSlice(20L * row, 5))).isEqualTo(-1);
      assertThat(back.get(ValueLayout.JAVA_BYTE, 10L * row + 5)).isZero();
    }
    assertThat(fake.calls())
        .containsExactly(
            "0 cuMemcpy2DAsync_v2 1>2 5 x 3, pitch 20 > 16",
            "0 cuMemcpy2DAsync_v2 2>2 5 x 3, pitch 16 > 8",
            "0 cuMemcpy2DAsync_v2 2>1 5 x 3, pitch 8 > 10");
  }

  @Test
  void rowsThatTouchAreOneCopy() {
    device.copy2D(a, 64, b, 64, 64, 10, DEVICE_TO_DEVICE, stream);
    device.copy2D(a, 64, b, 128, 64, 1, DEVICE_TO_DEVICE, stream);

    assertThat(fake.calls())
        .containsExactly("0 cuMemcpyDtoDAsync_v2 640", "0 cuMemcpyDtoDAsync_v2 64");
  }

  @Test
  void rowsFurtherApartThanTheDeviceCanAreCopiedOneByOne() {
    fake.set("dry", 1);

    device.copy2D(a, 1L << 31, b, 64, 64, 3, DEVICE_TO_DEVICE, stream);

    assertThat(fake.calls()).hasSize(3).allMatch(call -> call.equals("0 cuMemcpyDtoDAsync_v2 64"));
  }

  @Test
  void rowsThatCannotBeAreRefused() {
    failure(Kind.INVALID, () -> device.copy2D(a, 4, b, 8, 5, 2, DEVICE_TO_DEVICE, stream));
    failure(Kind.INVALID, () -> device.copy2D(a, 8, b, 4, 5, 2, DEVICE_TO_DEVICE, stream));
    failure(Kind.INVALID, () -> device.copy2D(a, 8, b, 8, 0, 2, DEVICE_TO_DEVICE, stream));
    failure(Kind.INVALID, () -> device.copy2D(a, 8, b, 8, 5, 0, DEVICE_TO_DEVICE, stream));
    failure(
        Kind.INVALID,
        () -> device.copy2D(a, 1L << 40, b, 8, 5, 1L << 40, DEVICE_TO_DEVICE, stream));
    assertThat(fake.calls()).isEmpty();
    assertThat(
            failure(
                Kind.INVALID, () -> device.copy2D(a, 4000, b, 8, 5, 9, DEVICE_TO_DEVICE, stream)))
        .hasMessageContaining("9 rows of 5 bytes")
        .hasMessageContaining("(pitch 4000)");
  }

  @Test
  void planesAreCopiedWithPitchesAndHeightsInEveryDirection() {
    MemorySegment source = bytes(120);
    MemorySegment back = arena.allocate(120);

    device.copy3D(a, source.address(), new Volume(8, 32, 6, 18, 5, 2, 3), HOST_TO_DEVICE, stream);
    device.copy3D(b, a, new Volume(16, 64, 8, 32, 5, 2, 3), DEVICE_TO_DEVICE, stream);
    device.copy3D(back.address(), b, new Volume(6, 18, 16, 64, 5, 2, 3), DEVICE_TO_HOST, stream);

    for (int plane = 0; plane < 3; plane++) {
      for (int row = 0; row < 2; row++) {
        long at = 18L * plane + 6L * row;
        assertThat(back.asSlice(at, 5).mismatch(source.asSlice(at, 5))).isEqualTo(-1);
        assertThat(back.get(ValueLayout.JAVA_BYTE, at + 5)).isZero();
      }
    }
    assertThat(fake.calls())
        .containsExactly(
            "0 cuMemcpy3DAsync_v2 1>2 5 x 2 x 3, pitch 6, 3 > 8, 4",
            "0 cuMemcpy3DAsync_v2 2>2 5 x 2 x 3, pitch 8, 4 > 16, 4",
            "0 cuMemcpy3DAsync_v2 2>1 5 x 2 x 3, pitch 16, 4 > 6, 3");
  }

  @Test
  void planesThatTouchAreRowsAndPlanesApartByNoWholeRowsGoOneByOne() {
    device.copy3D(a, b, new Volume(16, 64, 8, 32, 8, 4, 3), DEVICE_TO_DEVICE, stream);
    device.copy3D(a, b, new Volume(8, 32, 8, 32, 8, 4, 3), DEVICE_TO_DEVICE, stream);
    device.copy3D(a, b, new Volume(16, 65, 8, 32, 7, 4, 2), DEVICE_TO_DEVICE, stream);

    assertThat(fake.calls())
        .containsExactly(
            "0 cuMemcpy2DAsync_v2 2>2 8 x 12, pitch 8 > 16",
            "0 cuMemcpyDtoDAsync_v2 96",
            "0 cuMemcpy2DAsync_v2 2>2 7 x 4, pitch 8 > 16",
            "0 cuMemcpy2DAsync_v2 2>2 7 x 4, pitch 8 > 16");
  }

  @Test
  void planesThatCannotBeAreRefused() {
    failure(
        Kind.INVALID,
        () -> device.copy3D(a, b, new Volume(8, 15, 8, 16, 8, 2, 2), DEVICE_TO_DEVICE, stream));
    failure(
        Kind.INVALID,
        () -> device.copy3D(a, b, new Volume(8, 16, 7, 16, 8, 2, 2), DEVICE_TO_DEVICE, stream));
    failure(
        Kind.INVALID,
        () -> device.copy3D(a, b, new Volume(8, 16, 8, 16, 8, 2, 0), DEVICE_TO_DEVICE, stream));
    assertThat(fake.calls()).isEmpty();
  }
}
