package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;
import dev.stretto.memory.TensorMap.Fill;
import dev.stretto.memory.TensorMap.Interleave;
import dev.stretto.memory.TensorMap.Swizzle;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A tensor map that a device would not take is refused when it is made, with its numbers. */
class TensorMapTest extends ContractTest {
  private void refused(UnaryOperator<TensorMap.Builder> with, String... words) {
    try (GlobalFloats array = device.allocateFloats(64 * 64)) {
      TensorMap.Builder right = TensorMap.of(array).shape(64, 64).box(16, 8);
      assertThat(right.build().boxBytes()).isEqualTo(512);
      assertThatThrownBy(() -> with.apply(right).build())
          .isInstanceOf(IllegalArgumentException.class)
          .message()
          .contains(words);
    }
  }

  @Test
  void numbersThatNoDeviceTakesAreRefused() {
    refused(map -> map.shape(), "0 dimensions", "1 to 5", "call shape");
    refused(map -> map.shape(1, 1, 1, 1, 1, 1), "6 dimensions");
    refused(map -> map.box(16), "a box of 1 dimensions in a tensor of 2");
    refused(map -> map.shape(64, 0), "extent 1 of the tensor is 0");
    refused(map -> map.shape(64, 65), "the tensor takes 16640 bytes", "has 16384");
    refused(map -> map.partial().shape(64, 65).box(16), "a box of 1 dimensions");
    refused(map -> map.shape(63, 64), "stride 0 is 252 bytes", "multiple of 16", "strides");
    refused(map -> map.strides(248), "stride 0 is 248 bytes");
    refused(map -> map.strides(256, 512), "2 strides for a tensor of 2 dimensions");
    refused(map -> map.box(16, 257), "extent 1 of the box is 257", "1 to 256");
    refused(map -> map.box(15, 8), "innermost extent has 60 bytes", "multiple of 16");
    refused(map -> map.steps(1, 9), "step 1 is 9", "1 to 8");
    refused(map -> map.steps(2, 1), "step 2 in the innermost dimension");
    refused(
        map -> map.shape(16, 1L << 32).strides(1L << 39), "the tensor takes 9223372036854775807");
    refused(map -> map.shape(1L << 32, 1L << 32, 2).box(16, 8, 1), "below 2^40");
    refused(map -> map.shape(256, 4, 4, 4, 1).box(256, 256, 256, 2, 1), "a box of 134217728 bytes");
    refused(map -> map.steps(1), "1 steps for a tensor of 2 dimensions");
    refused(map -> map.swizzle(Swizzle.BYTES_32), "innermost extent has 64 bytes", "within 32");
    refused(map -> map.element(TensorMap.Element.FLOAT16), "FLOAT16 has 2 bytes", "have 4");
    refused(map -> map.element(TensorMap.Element.INT32).fill(Fill.NAN), "INT32 cannot be NaN");
  }

  @Test
  void slicesOfChannelsThatNoDeviceTakesAreRefused() {
    try (GlobalFloats array = device.allocateFloats(64 * 64)) {
      TensorMap.Builder right =
          TensorMap.of(array).shape(16, 4, 8).box(8, 1, 2).interleave(Interleave.BYTES_16);
      assertThat(right.build().boxBytes()).isEqualTo(16 * 8 * 2);
      refused(map -> map.interleave(Interleave.BYTES_16), "2 dimensions", "3 to 5", "slices");
      assertThatThrownBy(() -> right.box(8, 2, 2).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a box of 2 slices with step 1")
          .hasMessageContaining("1 slice thick");
      assertThatThrownBy(() -> right.box(8, 1, 2).steps(1, 2, 1).build())
          .hasMessageContaining("a box of 1 slices with step 2");
      assertThatThrownBy(() -> right.steps(1, 1, 1).box(2, 1, 2).build())
          .hasMessageContaining("innermost extent has 8 bytes");
      assertThatThrownBy(() -> right.box(8, 1, 2).interleave(Interleave.BYTES_32).build())
          .hasMessageContaining("slices of 32 bytes with swizzle NONE");
      right.swizzle(Swizzle.BYTES_32);
      assertThat(right.build().rowPitch()).isEqualTo(8 * 32);
      assertThatThrownBy(() -> right.strides(16 * 16 + 16, 1_024).build())
          .hasMessageContaining("stride 0 is 272 bytes: it has to be a multiple of 32");
    }
  }

  private static void refusedColumns(TensorMap.Builder map, String... words) {
    assertThatThrownBy(map::build)
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .contains(words);
  }

  @Test
  void columnsThatNoDeviceTakesAreRefused() {
    try (GlobalFloats array = device.allocateFloats(8 * 8 * 8 * 2)) {
      Supplier<TensorMap.Builder> right =
          () ->
              TensorMap.of(array)
                  .shape(8, 8, 8, 2)
                  .im2col(8, 32)
                  .lowerCorner(-1, -2)
                  .upperCorner(1, 0);
      TensorMap map = right.get().build();
      assertThat(map.isIm2col()).isTrue();
      assertThat(map.lowerCorner()).containsExactly(-1, -2);
      assertThat(map.upperCorner()).containsExactly(1, 0);
      assertThat(map.box(0)).isEqualTo(8);
      assertThat(map.box(1)).isEqualTo(32);
      assertThat(map.boxBytes()).isEqualTo(8 * 32 * 4);
      assertThat(right.get().steps(1, 2, 3, 1).build().boxBytes()).isEqualTo(8 * 32 * 4);
      assertThat(map.toString()).contains("columns of (channels, pixels) [8, 32]", "[-1, -2]");
      refusedColumns(right.get().box(8, 1, 1, 1), "a box of 4 dimensions", "box or im2col");
      refusedColumns(
          TensorMap.of(array).shape(8, 8).box(8, 8).lowerCorner(0), "a corner in a map of boxes");
      refusedColumns(right.get().shape(8, 8), "2 dimensions", "3 to 5");
      refusedColumns(right.get().im2col(0, 32), "0 channels per pixel", "1 to 256");
      refusedColumns(right.get().im2col(260, 32), "260 channels per pixel", "1 to 256");
      refusedColumns(right.get().im2col(6, 32), "channels of a pixel have 24 bytes", "of 16");
      refusedColumns(right.get().im2col(8, 0), "0 pixels per column", "1 to 1024");
      refusedColumns(right.get().im2col(8, 1025), "1025 pixels per column", "1 to 1024");
      refusedColumns(right.get().im2col(256, 1024), "a column of 1048576 bytes", "1048575");
      refusedColumns(right.get().lowerCorner(0), "1 places of the lower corner", "2");
      refusedColumns(right.get().upperCorner(0, 0, 0), "3 places of the upper corner");
      refusedColumns(right.get().lowerCorner(0, -129), "place 1", "-129", "-128 to 127");
      refusedColumns(right.get().upperCorner(128, 0), "place 0", "128", "-128 to 127");
      refusedColumns(
          right.get().shape(8, 8, 16).lowerCorner(-32769).upperCorner(0), "-32768 to 32767");
      refusedColumns(
          right.get().shape(8, 8, 2, 2, 2).lowerCorner(0, 0, 0).upperCorner(0, 0, 16),
          "place 2",
          "-16 to 15");
      refusedColumns(
          right.get().lowerCorner(3, 0).upperCorner(-5, 0), "dimension 1 is empty", "from 3 to 2");
      refusedColumns(right.get().steps(1, 9, 1, 1), "step 1 is 9", "1 to 8");
      refusedColumns(right.get().steps(1, 1, 1, 2), "1 of channels and 2 of images");
      refusedColumns(right.get().steps(2, 1, 1, 1), "2 of channels and 1 of images");
      refusedColumns(right.get().steps(1, 1), "2 steps for a tensor of 4 dimensions");
      refusedColumns(
          right.get().im2col(16, 32).swizzle(Swizzle.BYTES_32),
          "channels of a pixel have 64 bytes",
          "within 32");
      refusedColumns(right.get().interleave(Interleave.BYTES_16), "interleave BYTES_16");
      refusedColumns(right.get().shape(8, 8, 8, 3), "the tensor takes 6144 bytes", "has 4096");
    }
  }

  @Test
  void aTensorBeginsAtAMultipleOfSixteenBytes() {
    try (GlobalBytes array = device.allocateBytes(4_096)) {
      TensorMap.of(array.slice(16, 1_024)).shape(32, 32).box(16, 8).build();
      assertThatThrownBy(() -> TensorMap.of(array.slice(8, 1_024)).shape(32, 32).box(16, 8).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("multiple of 16 bytes");
    }
  }

  @Test
  void aRowsLastPieceHasToLieInTheArrayToo() {
    try (GlobalBytes array = device.allocateBytes(100)) {
      TensorMap.of(array).shape(90).box(16).build();
      assertThatThrownBy(() -> TensorMap.of(array).shape(100).box(16).build())
          .hasMessageContaining("takes 112 bytes")
          .hasMessageContaining("has 100");
    }
  }

  @Test
  void aMapOfAClosedArrayCannotBeMadeNorLaunchedWith() {
    try (Stream stream = device.stream();
        GlobalInts out = device.allocateInts(64 * 64)) {
      GlobalInts in = device.allocateInts(64 * 64);
      TensorMap map = TensorMap.of(in).shape(64, 64).box(32, 32).build();
      in.close();
      assertThatThrownBy(() -> TensorMap.of(in).shape(64, 64).box(32, 32).build())
          .isInstanceOf(ClosedException.class);
      assertThatThrownBy(
              () -> stream.launch(Grid.of(1, 64), TensorKernels::transpose, map, out, 64, 64, 1))
          .isInstanceOf(ClosedException.class);
    }
  }

  @Test
  void theArrayOfAMapLivesUntilTheLaunchIsDone() {
    int[] values = new int[64 * 64];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    try (Stream stream = device.stream();
        GlobalInts out = device.allocateInts(values.length)) {
      GlobalInts in = device.allocateInts(values.length);
      stream.copy(values, in);
      TensorMap map = TensorMap.of(in).shape(64, 64).box(32, 32).build();
      try (Gate gate = gate(stream)) {
        stream.launch(Grid.of(2, 64), TensorKernels::transpose, map, out, 64, 64, 2);
        in.close();
        gate.open();
      }
      int[] found = new int[values.length];
      stream.copy(out, found).await();
      assertThat(found[64 * 3 + 5]).isEqualTo(64 * 5 + 3);
    }
  }

  @Test
  void aMapOfAnotherDevicesArrayIsRefused() {
    try (Device other = Device.open("virtual");
        GlobalInts in = other.allocateInts(64 * 64);
        GlobalInts out = device.allocateInts(64 * 64);
        Stream stream = device.stream()) {
      TensorMap map = TensorMap.of(in).shape(64, 64).box(32, 32).build();
      assertThatThrownBy(
              () -> stream.launch(Grid.of(1, 64), TensorKernels::transpose, map, out, 64, 64, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("does not lie on");
    }
  }
}
