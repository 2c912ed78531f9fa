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
