package dev.stretto.kernels.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.Stream;
import dev.stretto.driver.virtual.VirtualProfile;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalHalfs;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Products as they are chosen, on each device that is modelled, and what is refused. */
class MatrixProductTest {
  private static final boolean THOROUGH = Boolean.getBoolean("stretto.thorough");

  private static final Map<String, ProductKernel> OF_BFLOATS =
      Map.of(
          "t4", ProductKernel.FLOATS,
          "a100", ProductKernel.TENSOR_CORES,
          "l4", ProductKernel.TENSOR_CORES,
          "rtx4090", ProductKernel.TENSOR_CORES,
          "h100", ProductKernel.WARP_GROUPS,
          "h200", ProductKernel.WARP_GROUPS,
          "b200", ProductKernel.TENSOR_CORES,
          "rtx5090", ProductKernel.TENSOR_CORES);

  private static java.util.stream.Stream<String> devices() {
    return VirtualProfile.all().stream().map(VirtualProfile::word);
  }

  private static Device open(String word) {
    return Device.open(
        "virtual:%s,order=checked,seed=%d".formatted(word, Integer.getInteger("stretto.seed", 1)));
  }

  private static ProductChoice portable(ProductKernel kernel, int splits) {
    return new ProductChoice(
        kernel, PortableProduct.ROWS, PortableProduct.COLUMNS, 1, splits, "asked for by a test");
  }

  @ParameterizedTest
  @MethodSource("devices")
  void isRightOnEachDevice(String word) {
    try (Device device = open(word);
        Stream stream = device.stream()) {
      ProductCase some = ProductCase.plain(70, 72, 40);
      assertThat(some.product().choice(device, ProductFormat.BFLOAT16).kernel())
          .isEqualTo(OF_BFLOATS.get(word));
      some.check(device, stream);
      some.withBias().with(Activation.GELU).check(device, stream);
      some.with(ProductFormat.BINARY16).transposedB().with(Activation.SILU).check(device, stream);
      some.transposedB().times(2).check(device, stream);
      ProductCase.plain(1, 8, 8).check(device, stream);
      ProductCase.plain(1, 1, 1).with(ProductFormat.BINARY16).check(device, stream);
      ProductCase.plain(3, 13, 37).withBias().with(Activation.RELU).check(device, stream);
    }
  }

  @Test
  void thePortableKernelTakesAnySize() {
    try (Device device = open("a100");
        Stream stream = device.stream()) {
      int[][] shapes = {{65, 129, 1}, {1, 7, 97}, {64, 64, 32}, {130, 10, 33}, {5, 72, 200}};
      for (int[] shape : shapes) {
        ProductCase some = ProductCase.plain(shape[0], shape[1], shape[2]);
        some.check(device, stream);
        some.transposedB().with(ProductFormat.BINARY16).check(device, stream);
        some.times(3).withBias().check(device, stream);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("parts")
  void theInnerDimensionIsDivided(String word, ProductKernel kernel, int splits) {
    try (Device device = open(word);
        Stream stream = device.stream()) {
      ProductCase even = ProductCase.plain(66, 72, 232);
      even.check(device, stream, portable(kernel, splits));
      ProductCase odd = ProductCase.plain(3, 65, 211).times(2).transposedB();
      odd.withBias().with(Activation.RELU).check(device, stream, portable(kernel, splits));
    }
  }

  private static java.util.stream.Stream<Object[]> parts() {
    return IntStream.of(2, 7)
        .boxed()
        .flatMap(
            parts ->
                java.util.stream.Stream.of(
                    new Object[] {"t4", ProductKernel.FLOATS, parts},
                    new Object[] {"rtx5090", ProductKernel.TENSOR_CORES, parts},
                    new Object[] {"h200", ProductKernel.TENSOR_CORES, parts}));
  }

  @ParameterizedTest
  @ValueSource(strings = {"h200", "rtx4090"})
  void anySizeWithAnythingElse(String word) {
    SplittableRandom random = new SplittableRandom(Integer.getInteger("stretto.seed", 1));
    try (Device device = open(word);
        Stream stream = device.stream()) {
      for (int i = 0; i < (THOROUGH ? 16 : 4); i++) {
        int step = i % 2 == 0 ? 8 : 1;
        ProductCase some =
            new ProductCase(
                1 + random.nextInt(140),
                step * (1 + random.nextInt(200 / step)),
                step * (1 + random.nextInt(700 / step)),
                1 + random.nextInt(2),
                ProductFormat.values()[random.nextInt(2)],
                random.nextBoolean(),
                random.nextBoolean(),
                Activation.values()[random.nextInt(4)]);
        some.check(device, stream);
      }
    }
  }

  /** With its parts, whose memory comes from the stream. */
  @Test
  void aGraphComputesItAgain() {
    int k = 2048;
    try (Device device = open("h200");
        Stream stream = device.stream();
        GlobalBfloats a = device.allocateBfloats(k);
        GlobalBfloats b = device.allocateBfloats(8L * k);
        GlobalBfloats c = device.allocateBfloats(8)) {
      stream.copy(filled(8 * k, 1), b);
      MatrixProduct product = MatrixProduct.of(1, 8, k);
      assertThat(product.choice(a, b, c).splits()).isGreaterThan(1);
      try (Graph graph = Graph.capture(stream, () -> product.enqueue(stream, a, b, c))) {
        for (int number = 1; number <= 2; number++) {
          stream.copy(filled(k, number), a);
          graph.launch(stream);
          float[] found = new float[8];
          stream.copy(c, found).await();
          assertThat(found).containsOnly(number * k);
        }
      }
    }
  }

  private static float[] filled(int length, float value) {
    float[] numbers = new float[length];
    Arrays.fill(numbers, value);
    return numbers;
  }

  /** The part of the choice that depends on the arrays: a tensor map cannot begin everywhere. */
  @Test
  void aSliceThatBeginsAnywhereIsTakenByThePortableKernel() {
    try (Device device = open("h200");
        Stream stream = device.stream();
        GlobalBfloats memory = device.allocateBfloats(3 * 64 + 1)) {
      GlobalBfloats a = memory.slice(1, 64);
      GlobalBfloats b = memory.slice(65, 64);
      GlobalBfloats c = memory.slice(129, 64);
      MatrixProduct product = MatrixProduct.of(8, 8, 8);
      assertThat(product.choice(device, ProductFormat.BFLOAT16).kernel())
          .isEqualTo(ProductKernel.WARP_GROUPS);
      assertThat(product.choice(a, b, c).toString())
          .contains("TENSOR_CORES", "begins at a multiple of 16 bytes, and an array does not");
      stream.copy(filled(64, 1), a);
      stream.copy(filled(64, 1), b);
      product.enqueue(stream, a, b, c);
      float[] found = new float[64];
      stream.copy(c, found).await();
      assertThat(found).containsOnly(8);
    }
  }

  @Test
  void whatDoesNotFitIsRefusedBeforeAnythingIsEnqueued() {
    try (Device device = open("h200");
        Device other = open("h200");
        Stream stream = device.stream();
        GlobalBfloats memory = device.allocateBfloats(1000);
        GlobalBfloats elsewhere = other.allocateBfloats(100)) {
      GlobalBfloats a = memory.slice(0, 80);
      GlobalBfloats b = memory.slice(80, 80);
      GlobalBfloats c = memory.slice(160, 100);
      MatrixProduct product = MatrixProduct.of(10, 10, 8);
      refuses(() -> product.enqueue(stream, a, b, memory.slice(160, 99)))
          .hasMessage("c has 99 elements, and m * n are needed: 100");
      refuses(() -> product.batched(2).enqueue(stream, a, b, c))
          .hasMessage("a has 80 elements, and m * k * count are needed: 160");
      refuses(() -> product.enqueue(stream, a, b, memory.slice(79, 100)))
          .hasMessageStartingWith("c, ")
          .hasMessageEndingWith(", overlap: give one of them memory of its own");
      refuses(() -> product.enqueue(stream, a, b, a, c)).hasMessageContaining("call withBias()");
      refuses(() -> product.withBias().enqueue(stream, a, b, c))
          .hasMessageContaining("pass it before c");
      refuses(() -> product.withBias().enqueue(stream, a, b, memory.slice(0, 9), c))
          .hasMessage("bias has 9 elements, and n are needed: 10");
      assertThat(stream.isIdle()).isTrue();
      refuses(() -> MatrixProduct.of(0, 1, 1)).hasMessage("m is 0, and must be 1 or more");
      refuses(() -> MatrixProduct.of(1, -1, 1)).hasMessage("n is -1, and must be 1 or more");
      refuses(() -> MatrixProduct.of(1, 1, (1 << 30) + 1))
          .hasMessage("k is 1073741825, and can be at most 1073741824: divide the matrix");
      refuses(() -> product.batched(0)).hasMessage("count is 0, and must be 1 or more");
      assertThatThrownBy(() -> MatrixProduct.of(1 << 30, 1, 1 << 30).batched(1 << 30))
          .isInstanceOf(ArithmeticException.class);
      elsewhere.close();
      assertThatThrownBy(() -> product.enqueue(stream, elsewhere, b, c))
          .isInstanceOf(ClosedException.class)
          .hasMessageStartingWith("a, ");
    }
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> refuses(ThrowingCallable call) {
    return assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
  }

  /** Chosen by hand where it must not be, the kernel is refused before it reaches a driver. */
  @ParameterizedTest
  @MethodSource("devices")
  void warpGroupsAreRefusedElsewhereByName(String word) {
    if (OF_BFLOATS.get(word) == ProductKernel.WARP_GROUPS) {
      return;
    }
    ProductChoice wrong = new ProductChoice(ProductKernel.WARP_GROUPS, 128, 128, 1, 1, "wrong");
    try (Device device = open(word);
        Stream stream = device.stream();
        GlobalHalfs any = device.allocateHalfs(3 * 4096)) {
      GlobalHalfs c = any.slice(8192, 4096);
      MatrixProduct product = MatrixProduct.of(64, 64, 64);
      assertThatThrownBy(
              () -> product.enqueue(stream, wrong, ProductFormat.BINARY16, any, any, any, c))
          .isInstanceOf(RuntimeException.class)
          .hasMessageContaining("9.0");
    }
  }

  @Test
  void saysWhatItIs() {
    assertThat(
            MatrixProduct.of(1, 2, 3)
                .batched(4)
                .transposedB()
                .withBias()
                .withActivation(Activation.GELU))
        .hasToString("product of 1 x 2 x 3, 4 times, B transposed, with a bias, GELU");
    assertThat(MatrixProduct.of(1, 2, 3)).hasToString("product of 1 x 2 x 3");
  }
}
