package dev.stretto.bench.turns;

import dev.stretto.kernels.product.Activation;
import dev.stretto.kernels.product.MatrixProduct;
import dev.stretto.kernels.product.ProductFormat;
import dev.stretto.memory.Bfloat;
import java.util.Arrays;
import java.util.List;

/**
 * A product that is asked for.
 *
 * @param m rows of C
 * @param n columns of C
 * @param k the inner dimension
 * @param format the numbers
 * @param isLayer whether B is given as n rows of k, and a bias and GELU follow
 * @param count how many products
 */
record ProductShape(int m, int n, int k, ProductFormat format, boolean isLayer, int count) {
  /**
   * {@return what a request's words say} {@code M N K [bf16|fp16] [plain|bias-gelu] [COUNT]}
   *
   * @throws IllegalArgumentException if they say something else
   */
  static ProductShape of(String... words) {
    if (words.length < 3 || words.length > 6) {
      throw new IllegalArgumentException(
          "M N K [bf16|fp16] [plain|bias-gelu] [COUNT], not " + String.join(" ", words));
    }
    List<String> all = Arrays.asList(words);
    return new ProductShape(
        Integer.parseInt(words[0]),
        Integer.parseInt(words[1]),
        Integer.parseInt(words[2]),
        is("fp16", "bf16", all, 3) ? ProductFormat.BINARY16 : ProductFormat.BFLOAT16,
        is("bias-gelu", "plain", all, 4),
        words.length < 6 ? 1 : Integer.parseInt(words[5]));
  }

  /** Whether a word is the first of two; the second one is what it is if it is left out. */
  private static boolean is(String first, String second, List<String> words, int place) {
    String word = words.size() <= place ? second : words.get(place);
    if (!word.equals(first) && !word.equals(second)) {
      throw new IllegalArgumentException("%s or %s, not %s".formatted(first, second, word));
    }
    return word.equals(first);
  }

  MatrixProduct product() {
    MatrixProduct product = MatrixProduct.of(m, n, k).batched(count);
    return isLayer ? product.transposedB().withBias().withActivation(Activation.GELU) : product;
  }

  int elementsA() {
    return Math.multiplyExact(Math.multiplyExact(m, k), count);
  }

  int elementsB() {
    return Math.multiplyExact(Math.multiplyExact(n, k), count);
  }

  int elementsC() {
    return Math.multiplyExact(Math.multiplyExact(m, n), count);
  }

  short bits(float value) {
    return format == ProductFormat.BFLOAT16 ? Bfloat.of(value) : Float.floatToFloat16(value);
  }

  double value(short bits) {
    return format == ProductFormat.BFLOAT16 ? Bfloat.toFloat(bits) : Float.float16ToFloat(bits);
  }

  /** {@return an element of C in double precision} */
  double exact(short[] left, short[] right, short[] bias, int matrix, int row, int column) {
    double sum = isLayer ? value(bias[column]) : 0;
    int from = (matrix * m + row) * k;
    int first = isLayer ? (matrix * n + column) * k : matrix * k * n + column;
    int step = isLayer ? 1 : n;
    for (int i = 0; i < k; i++) {
      sum += value(left[from + i]) * value(right[first + i * step]);
    }
    return isLayer ? gelu(sum) : sum;
  }

  private static double gelu(double x) {
    return 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
  }

  /** {@return half a unit in the last place of the greatest elements, and a fifth more} */
  double tolerance() {
    double half = format == ProductFormat.BFLOAT16 ? 0x1p-8 : 0x1p-11;
    return 1.2 * Math.sqrt(k) * 4 * half;
  }
}
