package dev.stretto.kernels.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBfloats;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The programs of the documentation. */
class MatrixProductGuideTest {
  private final Device device = Device.open("virtual:h200,order=checked");
  private final Stream stream = device.stream();

  @AfterEach
  void close() {
    stream.close();
    device.close();
  }

  private GlobalBfloats filled(int length, float value) {
    float[] numbers = new float[length];
    Arrays.fill(numbers, value);
    GlobalBfloats array = device.allocateBfloats(length);
    stream.copy(numbers, array);
    return array;
  }

  @Test
  void aProduct() {
    int m = 16;
    int n = 24;
    int k = 32;
    try (GlobalBfloats a = filled(m * k, 2);
        GlobalBfloats b = filled(k * n, 3);
        GlobalBfloats c = filled(m * n, 0)) {
      // @start region="product"
      MatrixProduct product = MatrixProduct.of(m, n, k); // A has m rows of k, B has k rows of n
      Event done = product.enqueue(stream, a, b, c);
      // @end region="product"
      done.await();
      float[] result = new float[m * n];
      stream.copy(c, result).await();
      assertThat(result).containsOnly(6 * k);
    }
  }

  @Test
  void aLayer() {
    int tokens = 4;
    int inputs = 32;
    int outputs = 48;
    try (GlobalBfloats x = filled(tokens * inputs, 1);
        GlobalBfloats weights = filled(outputs * inputs, -1);
        GlobalBfloats bias = filled(outputs, 35);
        GlobalBfloats y = filled(tokens * outputs, 0)) {
      // @start region="layer"
      MatrixProduct layer =
          MatrixProduct.of(tokens, outputs, inputs)
              .transposedB() // a row of weights for each output
              .withBias()
              .withActivation(Activation.RELU);
      layer.enqueue(stream, x, weights, bias, y);
      // @end region="layer"
      float[] result = new float[tokens * outputs];
      stream.copy(y, result).await();
      assertThat(result).containsOnly(3);
    }
  }

  @Test
  void manyProducts() {
    int heads = 3;
    int length = 16;
    int depth = 8;
    try (GlobalBfloats q = filled(heads * length * depth, 1);
        GlobalBfloats k = filled(heads * length * depth, 2);
        GlobalBfloats scores = filled(heads * length * length, 0)) {
      // @start region="batch"
      MatrixProduct.of(length, length, depth)
          .transposedB()
          .batched(heads) // each matrix right behind the one before
          .enqueue(stream, q, k, scores);
      // @end region="batch"
      float[] result = new float[heads * length * length];
      stream.copy(scores, result).await();
      assertThat(result).containsOnly(2 * depth);
    }
  }

  @Test
  void whichKernelAndWhy() {
    // @start region="choice"
    ProductChoice choice = MatrixProduct.of(16, 4096, 14336).choice(device, ProductFormat.BFLOAT16);
    String why = choice.reason();
    // 9.0 has warp groups; 32 tiles are few for 132 multiprocessors, so k = 14336 is divided by 2
    // @end region="choice"
    assertThat(why)
        .isEqualTo(
            "9.0 has warp groups; 32 tiles are few for 132 multiprocessors, so k = 14336 is"
                + " divided by 2");
  }
}
