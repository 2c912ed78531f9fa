package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What kernels promise that read arrays of constants. */
@ExtendWith(OwnProcess.class)
class ConstantKernelsTest extends KernelContractTest {
  private static GlobalInts ints(Device device, Stream stream, int... values) {
    GlobalInts array = device.allocateInts(values.length);
    stream.copy(values, array);
    return array;
  }

  private int[] read(Stream stream, GlobalInts array) {
    int[] values = new int[Math.toIntExact(array.length())];
    stream.copy(array, values).await();
    return values;
  }

  @Test
  void weightsAreReadWhereverTheyAreUsed() {
    sameEverywhere(
        (on, stream) -> {
          float[] values = new float[66];
          for (int i = 0; i < values.length; i++) {
            values[i] = i * i;
          }
          GlobalFloats in = on.allocateFloats(66);
          GlobalFloats out = on.allocateFloats(64);
          GlobalFloats shared = on.allocateFloats(64);
          stream.copy(values, in);
          stream.launch(Grid.of(2, 32), ConstantKernels::weigh, in, out);
          stream.launch(Grid.of(1, 64), ConstantKernels::weighShared, in, shared, 10);
          float[] found = new float[64];
          stream.copy(out, found).await();
          // (i² + 2 (i + 1)² + (i + 2)²) / 4
          assertThat(found[5]).isEqualTo((25 + 72 + 49) / 4f);
          return List.of(out, shared);
        });
  }

  @Test
  void everyTypeOfElementIsReadAtAnyIndex() {
    Stream stream = device.stream();
    GlobalInts indices = ints(device, stream, 3, 1, 0, 2);
    GlobalLongs out = device.allocateLongs(36);
    stream.launch(Grid.of(1, 4), ConstantKernels::everyType, indices, out);
    long[] found = new long[36];
    stream.copy(out, found).await();
    int[] order = {3, 1, 0, 2};
    for (int i = 0; i < 4; i++) {
      int at = order[i];
      int sum = at;
      for (short number : ConstantKernels.SHORTS) {
        sum = 31 * sum + number;
      }
      assertThat(Arrays.copyOfRange(found, 9 * i, 9 * i + 9))
          .containsExactly(
              ConstantKernels.BOOLEANS[at] ? 1 : 0,
              ConstantKernels.BYTES[at],
              ConstantKernels.SHORTS[at],
              ConstantKernels.CHARS[at],
              ConstantKernels.INTS[at],
              ConstantKernels.LONGS[at],
              Float.floatToIntBits(ConstantKernels.FLOATS[at]),
              Double.doubleToLongBits(ConstantKernels.DOUBLES[at]),
              sum);
    }
  }

  @Test
  void allOfConstantMemoryCanBeUsed() {
    Stream stream = device.stream();
    GlobalInts x = ints(device, stream, 0, 1, 100, 16_383);
    stream.launch(Grid.of(1, 32), ConstantKernels::most, x);
    assertThat(read(stream, x)).containsExactly(0, 1, 10_000, 16_383 * 16_383);
  }

  @Test
  void anIndexOutOfBoundsIsToldWithItsPlace() {
    Stream stream = device.stream();
    GlobalInts x = ints(device, stream, 0, 1, 2, 17);
    stream.launch(Grid.of(1, 4), ConstantKernels::beyond, x);
    assertThatThrownBy(stream::await)
        .isInstanceOf(DeviceLostException.class)
        .hasMessageContaining("beyond")
        .hasMessageContaining("ConstantKernels.java:")
        .hasMessageContaining("17")
        .hasMessageContaining("4")
        .hasMessageContaining("thread (3, 0, 0)");
  }

  @Test
  void anArrayThatChangesLaterIsReported() {
    Stream stream = device.stream();
    GlobalInts x = ints(device, stream, 0, 1, 2, 3);
    stream.launch(Grid.of(1, 4), ConstantKernels::changed, x);
    assertThat(read(stream, x)).containsExactly(1, 2, 3, 4);
    GlobalInts y = ints(device, stream, 0, 1, 2, 3);
    stream.launch(Grid.of(1, 4), ConstantKernels::changedInSteps, y);
    assertThat(read(stream, y)).containsExactly(1, 2, 3, 4);
    ConstantKernels.CHANGED[2] = 30;
    try {
      assertThatThrownBy(() -> stream.launch(Grid.of(1, 1), ConstantKernels::changedToo, x))
          .isInstanceOf(KernelRefusedException.class)
          .hasMessageContaining("@Const array ConstantKernels.CHANGED has changed")
          .hasMessageContaining("element 2 was 3 and is 30");
      // A GPU keeps what was compiled in.
      assumeThat(device.isVirtual()).isTrue();
      assertThatThrownBy(
              () -> {
                stream.launch(Grid.of(1, 4), ConstantKernels::changed, x);
                stream.await();
              })
          .hasMessageContaining("@Const array ConstantKernels.CHANGED has changed")
          .hasMessageContaining("element 2 was 3 and is 30");
    } finally {
      ConstantKernels.CHANGED[2] = 3;
    }
  }

  @Test
  void anArrayThatChangesLaterIsReportedByKernelsThatGoInSteps() {
    assumeThat(device.isVirtual()).isTrue();
    Stream stream = device.stream();
    GlobalInts y = ints(device, stream, 0, 1, 2, 3);
    stream.launch(Grid.of(1, 4), ConstantKernels::changedInSteps, y);
    assertThat(read(stream, y)).containsExactly(1, 2, 3, 4);
    ConstantKernels.CHANGED[0] = 10;
    try {
      assertThatThrownBy(
              () -> {
                stream.launch(Grid.of(1, 4), ConstantKernels::changedInSteps, y);
                stream.await();
              })
          .hasMessageContaining("element 0 was 1 and is 10");
    } finally {
      ConstantKernels.CHANGED[0] = 1;
    }
  }
}
