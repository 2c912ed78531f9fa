package dev.stretto.examples.choosing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.driver.virtual.VirtualProfile;
import dev.stretto.examples.attention.AttentionRun;
import dev.stretto.examples.attention.Shape;
import dev.stretto.examples.hopper.MatrixProduct;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On each product that virtual devices model, a kernel is chosen that it has, and is right. */
class ChosenTest {
  private static final Map<String, Chosen.Product> EXPECTED =
      Map.of(
          "t4", Chosen.Product.FLOATS,
          "a100", Chosen.Product.TENSOR_CORES,
          "l4", Chosen.Product.TENSOR_CORES,
          "rtx4090", Chosen.Product.TENSOR_CORES,
          "h100", Chosen.Product.WARP_GROUPS,
          "h200", Chosen.Product.WARP_GROUPS,
          "b200", Chosen.Product.TENSOR_CORES,
          "rtx5090", Chosen.Product.TENSOR_CORES);

  private static java.util.stream.Stream<String> products() {
    return VirtualProfile.all().stream().map(VirtualProfile::word);
  }

  private static float[] numbers(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = Bfloat.toFloat(Bfloat.of((float) random.nextDouble(-1, 1)));
    }
    return numbers;
  }

  @ParameterizedTest
  @MethodSource("products")
  void theProductIsRightOnEachDevice(String word) {
    try (Device device = Device.open("virtual:" + word);
        Stream stream = device.stream()) {
      assertThat(Chosen.product(device)).isEqualTo(EXPECTED.get(word));
      isTheProduct(stream, 70, 72, 40);
      isTheProduct(stream, 1, 8, 8);
      isTheProduct(stream, 64, 64, 64);
    }
  }

  private static void isTheProduct(Stream stream, int m, int n, int k) {
    float[] left = numbers(m * k, 1);
    float[] right = numbers(k * n, 2);
    float[] found = new float[m * n];
    try (GlobalBfloats a = stream.device().allocateBfloats(left.length);
        GlobalBfloats b = stream.device().allocateBfloats(right.length);
        GlobalBfloats c = stream.device().allocateBfloats(found.length)) {
      stream.copy(left, a);
      stream.copy(right, b);
      Chosen.multiply(stream, a, b, c, m, n, k);
      stream.copy(c, found).await();
    }
    for (int row = 0; row < m; row++) {
      for (int column = 0; column < n; column++) {
        double sum = 0;
        for (int i = 0; i < k; i++) {
          sum += (double) left[row * k + i] * right[i * n + column];
        }
        assertThat((double) found[row * n + column])
            .as("row %d, column %d of %d x %d x %d", row, column, m, n, k)
            .isCloseTo(sum, within(0.01 + Math.abs(sum) / 200));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("products")
  void attentionIsRightOnEachDevice(String word) {
    try (Device device = Device.open("virtual:" + word)) {
      isAttention(device, new Shape(1, 2, 1, 20, 70, 64, true), false);
      Shape wide = new Shape(1, 1, 1, 30, 40, 128, false);
      if (device.properties().computeMajor() >= 8) {
        isAttention(device, wide, true);
      } else {
        isAttention(device, wide, false);
        assertThatThrownBy(() -> isAttention(device, wide, true))
            .isInstanceOf(KernelRefusedException.class)
            .hasMessageContainingAll(
                "Mma.bf16 needs compute capability 8.0", "; multiply binary16 numbers");
      }
    }
  }

  private static void isAttention(Device device, Shape shape, boolean bfloat) {
    try (AttentionRun run = new AttentionRun(device, shape, bfloat)) {
      run.forget();
      run.enqueue(ChosenTest::attend);
      assertThat(run.error(run.allRows()).isSmall(bfloat)).isTrue();
    }
  }

  private static void attend(
      Stream stream,
      Shape shape,
      GlobalArray q,
      GlobalArray k,
      GlobalArray v,
      GlobalArray o,
      GlobalFloats lse) {
    if (q instanceof GlobalBfloats queries) {
      Chosen.attend(
          stream, shape, queries, (GlobalBfloats) k, (GlobalBfloats) v, (GlobalBfloats) o, lse);
    } else {
      Chosen.attend(
          stream, shape, (GlobalHalfs) q, (GlobalHalfs) k, (GlobalHalfs) v, (GlobalHalfs) o, lse);
    }
  }

  /** Chosen by hand where it must not be, the kernel is refused before it reaches a driver. */
  @ParameterizedTest
  @MethodSource("products")
  void warpGroupsAreRefusedElsewhereByName(String word) {
    if (EXPECTED.get(word) == Chosen.Product.WARP_GROUPS) {
      return;
    }
    try (Device device = Device.open("virtual:" + word);
        Stream stream = device.stream();
        GlobalBfloats any = device.allocateBfloats(64 * 64)) {
      assertThatThrownBy(
              () -> MatrixProduct.enqueue(stream, 2, any, any.slice(0, 4096), any, 64, 64, 64))
          .isInstanceOf(RuntimeException.class)
          .hasMessageContaining("9.0");
    }
  }
}
