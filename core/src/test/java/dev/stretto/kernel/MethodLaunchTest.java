package dev.stretto.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.LaunchException;
import dev.stretto.memory.GlobalInts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Methods as kernels, launched on virtual devices. */
@Timeout(60)
class MethodLaunchTest {
  @Kernel
  static void none(ThreadBlock block) {}

  @Kernel
  static void add(ThreadBlock block, GlobalInts out, int amount) {
    long i = block.globalIndexX();
    out.set(i, out.get(i) + amount);
  }

  @Kernel
  static void twelve(
      ThreadBlock block,
      GlobalInts out,
      int b,
      long c,
      float d,
      double e,
      @Const int f,
      short g,
      byte h,
      int i,
      int j,
      int k,
      int l) {
    if (block.threadRank() == 0) {
      out.set(0, (int) (b + c + d + e + f + g + h + i + j + k + l));
    }
  }

  @Kernel
  static void rotate(ThreadBlock block, @Const int by, GlobalInts out) {
    SharedInts values = block.sharedInts(64);
    int rank = block.threadRank();
    values.set(rank, out.get(block.globalIndexX()));
    block.sync();
    out.set(block.globalIndexX(), values.get((rank + by) % 64));
  }

  @ParameterizedTest
  @ValueSource(strings = {"virtual", "virtual:seed=1", "virtual:seed=2"})
  void methodsAreLaunchedInTheOrderOfTheirStream(String name) {
    try (Device device = Device.open(name);
        Stream stream = device.stream();
        GlobalInts out = device.allocateInts(128)) {
      stream.fill(out, 0);
      stream.launch(Grid.of(1, 1), MethodLaunchTest::none);
      stream.launch(Grid.of(2, 64), MethodLaunchTest::add, out, 5);
      Launch again = device.prepare(Grid.of(2, 64), MethodLaunchTest::add, out, 0);
      for (int i = 0; i < 10; i++) {
        stream.launch(again.set(1, i));
      }
      int[] result = new int[128];
      stream.copy(out, result).await();
      assertThat(result).containsOnly(50);
      stream.launch(
          Grid.of(1, 32),
          MethodLaunchTest::twelve,
          out,
          1,
          2L,
          3f,
          4.0,
          5,
          (short) 6,
          (byte) 7,
          8,
          9,
          10,
          11);
      stream.copy(out, result).await();
      assertThat(result[0]).isEqualTo(66);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"virtual", "virtual:seed=1", "virtual:seed=2"})
  void constantsMakeKernelsOfTheirOwn(String name) {
    try (Device device = Device.open(name);
        Stream stream = device.stream();
        GlobalInts out = device.allocateInts(640)) {
      int[] start = new int[640];
      for (int i = 0; i < 640; i++) {
        start[i] = i;
      }
      stream.copy(start, out);
      stream.launch(Grid.of(10, 64), MethodLaunchTest::rotate, 3, out);
      stream.launch(Grid.of(10, 64), MethodLaunchTest::rotate, 4, out);
      int[] result = new int[640];
      stream.copy(out, result).await();
      for (int i = 0; i < 640; i++) {
        assertThat(result[i]).isEqualTo(i / 64 * 64 + (i + 7) % 64);
      }
    }
  }

  @Test
  void aShapeThatTheDeviceDoesNotHaveIsRefused() {
    try (Device device = Device.open("virtual")) {
      assertThatThrownBy(() -> device.prepare(Grid.of(1, 2048), MethodLaunchTest::none))
          .isInstanceOf(LaunchException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"virtual", "virtual:seed=1"})
  void anExceptionInAKernelLosesTheDeviceAndSaysWhere(String name) {
    try (Device device = Device.open(name);
        Stream stream = device.stream();
        GlobalInts out = device.allocateInts(100)) {
      stream.fill(out, 0);
      stream.launch(Grid.of(2, 64), MethodLaunchTest::add, out, 5);
      assertThatThrownBy(stream::await)
          .isInstanceOf(DeviceLostException.class)
          .hasMessageContaining("kernel add (MethodLaunchTest.java:")
          .hasMessageContaining("block (1, 0, 0), thread (36, 0, 0)")
          .hasMessageContaining("out of bounds");
    }
  }
}
