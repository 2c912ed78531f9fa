package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.Arithmetic;
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Occupancy;
import dev.stretto.Roofline;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Debug;
import dev.stretto.kernel.FastMath;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What the guide says of kernels in Java. */
class GuideKernelsTest {
  // @start region="vectors"
  @Kernel
  static void scale(ThreadBlock block, GlobalFloats x, float factor) {
    long i = 4 * block.globalIndexX();
    if (i < x.length()) {
      Float4 four = x.get4(i);
      x.set4(
          i,
          new Float4(factor * four.x(), factor * four.y(), factor * four.z(), factor * four.w()));
    }
  }

  // @end

  @Test
  void fourFloatsInOneAccess() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalFloats x = device.allocateFloats(1000)) {
      stream.fill(x, 2);
      stream.launch(Grid.covering(250, 128), GuideKernelsTest::scale, x, 1.5f);
      float[] result = new float[1000];
      stream.copy(x, result).await();
      assertThat(result).containsOnly(3);
    }
  }

  // @start region="array"
  @Kernel
  static void median(ThreadBlock block, GlobalInts in, GlobalInts out) {
    long i = block.globalIndexX();
    if (i < out.length()) {
      int[] five = new int[5];
      for (int k = 0; k < five.length; k++) {
        five[k] = in.get(i + k);
      }
      for (int round = 0; round < five.length; round++) {
        for (int k = round % 2; k + 1 < five.length; k += 2) {
          int lesser = Math.min(five[k], five[k + 1]);
          five[k + 1] = Math.max(five[k], five[k + 1]);
          five[k] = lesser;
        }
      }
      out.set(i, five[2]);
    }
  }

  // @end

  @Test
  void aLocalArrayLiesInRegisters() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalInts in = device.allocateInts(8);
        GlobalInts out = device.allocateInts(4)) {
      stream.copy(new int[] {5, 1, 4, 9, 3, 8, 0, 7}, in);
      stream.launch(Grid.of(1, 32), GuideKernelsTest::median, in, out);
      int[] result = new int[4];
      stream.copy(out, result).await();
      assertThat(result).containsExactly(4, 4, 4, 7);
    }
  }

  // @start region="dynamic"
  @Kernel
  static void reverse(ThreadBlock block, GlobalFloats x) {
    SharedFloats all = block.dynamicShared().asFloats();
    int i = block.threadIndexX();
    all.set(i, x.get(i));
    block.sync();
    x.set(i, all.get(block.blockSizeX() - 1 - i));
  }

  // @end

  @Test
  void aLaunchSaysHowMuchSharedMemoryThereIs() {
    int n = 64;
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalFloats x = device.allocateFloats(n)) {
      float[] numbers = new float[n];
      numbers[0] = 1;
      stream.copy(numbers, x);
      // @start region="dynamic launch"
      Grid grid = Grid.of(1, n).withSharedBytes(n * Float.BYTES);
      stream.launch(grid, GuideKernelsTest::reverse, x);
      // @end
      stream.copy(x, numbers).await();
      assertThat(numbers[n - 1]).isOne();
      assertThat(numbers[0]).isZero();
    }
  }

  // @start region="prepared"
  @Kernel
  static void add(ThreadBlock block, GlobalInts x, int number) {
    x.set(block.globalIndexX(), x.get(block.globalIndexX()) + number);
  }

  // @end

  @Test
  void aLaunchIsPreparedOnce() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalInts x = device.allocateInts(256)) {
      stream.fill(x, 0);
      // @start region="prepare"
      Launch launch = device.prepare(Grid.of(1, 256), GuideKernelsTest::add, x, 0);
      for (int number = 1; number <= 100; number++) {
        stream.launch(launch.set(1, number));
      }
      // @end
      int[] result = new int[256];
      stream.copy(x, result).await();
      assertThat(result).containsOnly(5050);
    }
  }

  @Test
  void aDeviceTellsHowManyBlocksItHolds() {
    try (Device device = Device.open("virtual:h200");
        GlobalInts x = device.allocateInts(256)) {
      Launch launch = device.prepare(Grid.of(1, 256), GuideKernelsTest::add, x, 0);
      // @start region="occupancy"
      Occupancy occupancy = launch.occupancy();
      int atOnce = occupancy.residentBlocks(); // on all multiprocessors together
      Occupancy best = device.bestOccupancy(launch.kernel(), threads -> 16 * threads);
      Grid grid = Grid.of(best.residentBlocks(), best.threadsPerBlock());
      // @end
      assertThat(atOnce).isEqualTo(132 * 8);
      assertThat(grid.withSharedBytes(best.sharedBytes()).sharedBytes())
          .isEqualTo(16 * grid.threadsX());
    }
  }

  @Test
  void aLaunchIsShownBesideTheLimitsOfItsDevice() {
    try (Device device = Device.open("virtual:h200");
        Stream stream = device.stream();
        GlobalInts x = device.allocateInts(256)) {
      int n = 256;
      Launch launch = device.prepare(Grid.of(1, 256), GuideKernelsTest::add, x, 1);
      // @start region="roofline"
      TimedEvent start = stream.recordTimed();
      stream.launch(launch);
      TimedEvent end = stream.recordTimed();
      end.await();
      Roofline roofline = Roofline.of(launch, start, end, 2L * n, Arithmetic.FLOATS);
      System.out.print(roofline.explain());
      // @end
      start.close();
      end.close();
      assertThat(roofline.operations()).isEqualTo(512);
      assertThat(roofline.explain()).contains("nothing was timed");
    }
  }

  @Test
  void aFaultIsToldWithItsLineAndThread() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalInts x = device.allocateInts(1000)) {
      stream.launch(Grid.of(4, 256), GuideKernelsTest::add, x, 1);
      assertThatThrownBy(stream::await)
          .isInstanceOf(DeviceLostException.class)
          .hasMessageContaining("kernel add (GuideKernelsTest.java:")
          .hasMessageContaining("block (3, 0, 0), thread (232, 0, 0)")
          .hasMessageContaining("Index 1000 out of bounds for length 1000");
    }
  }

  @Test
  void aDivisionByZeroIsAFault() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalInts x = device.allocateInts(1)) {
      stream.fill(x, 0);
      stream.launch(Grid.of(1, 1), (block, zero) -> zero.set(0, 1 / zero.get(0)), x);
      assertThatThrownBy(stream::await).hasMessageContaining("division by zero");
    }
  }

  // @start region="assert"
  @Kernel
  static void root(ThreadBlock block, GlobalFloats x) {
    long i = block.globalIndexX();
    if (i < x.length()) {
      assert x.get(i) >= 0 : "a root of a negative number";
      x.set(i, (float) Math.sqrt(x.get(i)));
    }
  }

  // @end

  @Test
  void anAssertionThatFailsIsAFault() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalFloats x = device.allocateFloats(10)) {
      stream.fill(x, -1);
      stream.launch(Grid.of(1, 32), GuideKernelsTest::root, x);
      assertThatThrownBy(stream::await).hasMessageContaining("a root of a negative number");
    }
  }

  // @start region="print"
  @Kernel
  static void normalize(ThreadBlock block, GlobalFloats x, float length) {
    long i = block.globalIndexX();
    if (i < x.length()) {
      float quotient = x.get(i) / length;
      if (i == 7) {
        Debug.print("x[7] becomes", quotient);
      }
      x.set(i, quotient);
    }
  }

  // @end

  @Test
  void aKernelPrints() {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalFloats x = device.allocateFloats(10)) {
      stream.fill(x, 1);
      stream.launch(Grid.of(1, 32), GuideKernelsTest::normalize, x, 4f);
      stream.await();
    } finally {
      System.setOut(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualTo("x[7] becomes 0.25\n");
  }

  // @start region="fast"
  @Kernel
  static void softplus(ThreadBlock block, GlobalFloats x) {
    long i = block.globalIndexX();
    if (i < x.length()) {
      x.set(i, FastMath.log(1 + FastMath.exp(x.get(i))));
    }
  }

  // @end

  @Test
  void fastFunctionsAreAboutRight() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalFloats x = device.allocateFloats(10)) {
      stream.fill(x, 0);
      stream.launch(Grid.of(1, 32), GuideKernelsTest::softplus, x);
      float[] result = new float[10];
      stream.copy(x, result).await();
      assertThat(result[9]).isCloseTo((float) Math.log(2), within(1e-6f));
    }
  }

  // @start region="refused"
  static final float[] WEIGHTS = {0.25f, 0.5f, 0.25f};

  @Kernel
  static void weigh(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    long i = block.globalIndexX();
    if (i < out.length()) {
      float sum = 0;
      for (int k = 0; k < 3; k++) {
        sum += WEIGHTS[k] * in.get(i + k);
      }
      out.set(i, sum);
    }
  }

  // @end

  @Test
  void whatAKernelCannotBeIsRefusedAtTheLaunch() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalFloats x = device.allocateFloats(10);
        GlobalFloats y = device.allocateFloats(8)) {
      assertThatThrownBy(() -> stream.launch(Grid.of(1, 8), GuideKernelsTest::weigh, x, y))
          .isInstanceOf(KernelRefusedException.class)
          .hasMessageContaining("GuideKernelsTest.java:")
          .hasMessageContaining("a kernel cannot use the array in GuideKernelsTest.WEIGHTS");
      assertThat(device.isLost()).isFalse();
    }
  }

  @Test
  void everyLaunchOfALambdaCapturesAnew() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalInts x = device.allocateInts(3)) {
      int[] result = new int[3];
      for (int number : new int[] {4, 5}) {
        stream.launch(Grid.of(1, 3), (block, array) -> array.set(block.threadIndexX(), number), x);
        stream.copy(x, result).await();
        assertThat(Arrays.stream(result)).containsOnly(number);
      }
    }
  }
}
