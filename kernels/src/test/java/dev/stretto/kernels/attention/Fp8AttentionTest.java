package dev.stretto.kernels.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.kernels.Devices;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.Fp8;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attention of 8-bit numbers is what loops over doubles say of the same numbers. */
class Fp8AttentionTest {
  private static final String GPU = "cuda:0";

  /** Numbers, and what they are with their factors. */
  @SuppressWarnings("ArrayRecordComponent") // they are not compared
  private record Numbers(byte[] bits, float[] scales, double[] values) {
    static Numbers random(TokenOrder order, int batches, int heads, int tokens, int dim, int seed) {
      SplittableRandom random = new SplittableRandom(seed);
      float[] scales = new float[batches * heads * Math.ceilDiv(tokens, 128)];
      for (int i = 0; i < scales.length; i++) {
        scales[i] = (float) random.nextDouble(0.2, 2);
      }
      return random(order, batches, heads, tokens, dim, scales, random);
    }

    static Numbers random(
        TokenOrder order,
        int batches,
        int heads,
        int tokens,
        int dim,
        float[] scales,
        SplittableRandom random) {
      int blocks = Math.ceilDiv(tokens, 128);
      byte[] bits = new byte[batches * heads * tokens * dim];
      double[] values = new double[bits.length];
      for (int batch = 0; batch < batches; batch++) {
        for (int head = 0; head < heads; head++) {
          for (int token = 0; token < tokens; token++) {
            int row = row(order, batch, heads, head, tokens, token, dim);
            for (int x = 0; x < dim; x++) {
              byte number = Fp8.ofE4m3((float) random.nextGaussian());
              bits[row + x] = number;
              values[row + x] =
                  (double) Fp8.toFloatE4m3(number)
                      * scales[(batch * heads + head) * blocks + token / 128];
            }
          }
        }
      }
      return new Numbers(bits, scales, values);
    }

    static int row(
        TokenOrder order, int batch, int heads, int head, int tokens, int token, int dim) {
      int place = order == TokenOrder.HEADS_FIRST ? head * tokens + token : token * heads + head;
      return (batch * heads * tokens + place) * dim;
    }
  }

  @ParameterizedTest
  @CsvSource({
    // device, batches, heads, heads of K, queries, keys, numbers, keys before, behind, tokens first
    "h200, 1, 1, 1, 128, 128, 128, 2147483647, 2147483647, false",
    "h200, 1, 2, 1, 200, 300, 128, 2147483647, 2147483647, false",
    "'h200,seed=1', 2, 1, 1, 150, 400, 128, 2147483647, 0, true",
    "h200, 1, 2, 2, 300, 300, 64, 2147483647, 0, true",
    "h200, 1, 1, 1, 300, 300, 96, 150, 20, false",
    "h200, 1, 1, 1, 40, 60, 200, 2147483647, 0, false",
    "h200, 1, 2, 1, 40, 60, 24, 2147483647, 0, true",
    "a100, 2, 2, 1, 140, 150, 64, 2147483647, 0, true",
    "b200, 2, 2, 1, 140, 150, 64, 2147483647, 0, false",
    "t4, 1, 1, 1, 20, 140, 64, 2147483647, 0, false",
    "cuda:0, 1, 1, 1, 128, 128, 128, 2147483647, 2147483647, false",
    "cuda:0, 2, 4, 2, 1200, 1300, 128, 2147483647, 2147483647, false",
    "cuda:0, 1, 2, 2, 700, 900, 64, 2147483647, 0, true",
    "cuda:0, 1, 1, 1, 300, 300, 96, 150, 20, false",
    "cuda:0, 1, 2, 1, 150, 400, 128, 2147483647, 0, true",
  })
  void isWhatItsFormulaSays(
      String word,
      int batches,
      int heads,
      int keyHeads,
      int queries,
      int keys,
      int dim,
      int before,
      int after,
      boolean tokensFirst) {
    assumeTrue(!word.equals(GPU) || Devices.names().anyMatch(GPU::equals), "There is no GPU.");
    TokenOrder order = tokensFirst ? TokenOrder.TOKENS_FIRST : TokenOrder.HEADS_FIRST;
    Numbers q = Numbers.random(order, batches, heads, queries, dim, 1);
    Numbers k = Numbers.random(order, batches, keyHeads, keys, dim, 2);
    Numbers v = Numbers.random(order, batches, keyHeads, keys, dim, 3);
    AttentionShape shape = new AttentionShape(batches, heads, keyHeads, queries, keys, dim);
    isRight(word, shape, before, after, order, q, k, v);
  }

  @ParameterizedTest
  @CsvSource({
    "h200, 128, 1e-3, 1e3",
    "h200, 64, 1e-30, 1",
    "h200, 64, 1, 1e30",
    "h200, 128, 1e-38, 1e-38",
    "h200, 128, 1e36, 1e36",
    "cuda:0, 128, 1e-3, 1e3",
    "cuda:0, 64, 1e-30, 1",
    "cuda:0, 128, 1e-38, 1e-38",
  })
  void factorsOfValuesMayBeOfAnySize(String word, int dim, float one, float other) {
    assumeTrue(!word.equals(GPU) || Devices.names().anyMatch(GPU::equals), "There is no GPU.");
    TokenOrder order = TokenOrder.HEADS_FIRST;
    AttentionShape shape = AttentionShape.of(1, 1, 700, dim);
    float[] factors = {one, other, one, one, other, one};
    Numbers q = Numbers.random(order, 1, 1, 700, dim, 1);
    Numbers k = Numbers.random(order, 1, 1, 700, dim, 2);
    Numbers v = Numbers.random(order, 1, 1, 700, dim, factors, new SplittableRandom(3));
    isRight(word, shape, Case.ALL, 0, order, q, k, v);
  }

  @ParameterizedTest
  @CsvSource({"h200, 128", "h200, 64", "cuda:0, 128"})
  void aNanStaysInTheRowsThatSeeIt(String word, int dim) {
    assumeTrue(!word.equals(GPU) || Devices.names().anyMatch(GPU::equals), "There is no GPU.");
    AttentionShape shape = AttentionShape.of(1, 1, 500, dim);
    Numbers q = Numbers.random(TokenOrder.HEADS_FIRST, 1, 1, 500, dim, 1);
    Numbers k = Numbers.random(TokenOrder.HEADS_FIRST, 1, 1, 500, dim, 2);
    Numbers v = Numbers.random(TokenOrder.HEADS_FIRST, 1, 1, 500, dim, 3);
    k.bits[333 * dim + 5] = Fp8.ofE4m3(Float.NaN);
    k.values[333 * dim + 5] = Double.NaN;
    isRight(word, shape, Case.ALL, 0, TokenOrder.HEADS_FIRST, q, k, v);
  }

  private static void isRight(
      String word,
      AttentionShape shape,
      int before,
      int after,
      TokenOrder order,
      Numbers q,
      Numbers k,
      Numbers v) {
    int batches = shape.batches();
    int heads = shape.heads();
    int keyHeads = shape.keyHeads();
    int queries = shape.queries();
    int keys = shape.keys();
    int dim = shape.headDim();
    Fp8Attention attention = Attention.of(shape).window(before, after).order(order).e4m3();
    float[] found = new float[q.bits.length];
    float[] lse = new float[batches * heads * queries];
    try (Device device =
            Device.open(word.equals(GPU) ? word : "virtual:" + word + ",order=checked");
        Stream stream = device.stream();
        GlobalBytes onQ = device.allocateBytes(q.bits.length);
        GlobalBytes onK = device.allocateBytes(k.bits.length);
        GlobalBytes onV = device.allocateBytes(v.bits.length);
        GlobalFloats ofQ = device.allocateFloats(q.scales.length);
        GlobalFloats ofK = device.allocateFloats(k.scales.length);
        GlobalFloats ofV = device.allocateFloats(v.scales.length);
        GlobalBfloats o = device.allocateBfloats(found.length);
        GlobalFloats onLse = device.allocateFloats(lse.length)) {
      stream.copy(q.bits, onQ);
      stream.copy(k.bits, onK);
      stream.copy(v.bits, onV);
      stream.copy(q.scales, ofQ);
      stream.copy(k.scales, ofK);
      stream.copy(v.scales, ofV);
      stream.fill(o, Float.NaN);
      stream.fill(onLse, Float.NaN);
      attention.enqueue(stream, onQ, onK, onV, ofQ, ofK, ofV, o, onLse);
      stream.copy(o, found);
      stream.copy(onLse, lse).await();
      AttentionChoice choice = attention.choice(device);
      boolean eight =
          (word.startsWith("h200") || device.properties().computeMajor() == 9)
              && dim <= 128
              && dim % 16 == 0;
      assertThat(choice.reason().contains("widened")).isEqualTo(!eight);
    }
    for (int row = 0; row < lse.length; row++) {
      int head = row / queries % heads;
      int batch = row / queries / heads;
      int at = Numbers.row(order, batch, heads, head, queries, row % queries, dim);
      int place = row % queries + keys - queries;
      double[] expected = new double[dim];
      double sum = 0;
      double spread = 0;
      for (int j = Math.max(0, place - before);
          j < Math.min(keys, after == Case.ALL ? keys : place + after + 1);
          j++) {
        int key = Numbers.row(order, batch, keyHeads, head * keyHeads / heads, keys, j, dim);
        double score = 0;
        for (int x = 0; x < dim; x++) {
          score += q.values[at + x] * k.values[key + x];
        }
        double weight = Math.exp(score / Math.sqrt(dim));
        sum += weight;
        for (int x = 0; x < dim; x++) {
          expected[x] += weight * v.values[key + x];
          spread = Math.max(spread, Math.abs(v.values[key + x]));
        }
      }
      if (Double.isNaN(sum)) {
        assertThat(lse[row]).as("row %d", row).isNaN();
        assertThat(found[at]).as("row %d", row).isNaN();
        assertThat(found[at + dim - 1]).as("row %d", row).isNaN();
        continue;
      }
      if (sum == 0) {
        assertThat(lse[row]).isEqualTo(Float.NEGATIVE_INFINITY);
      } else {
        assertThat(Math.abs(lse[row] - Math.log(sum))).as("row %d", row).isLessThan(0.05);
      }
      for (int x = 0; x < dim; x++) {
        double value = sum == 0 ? 0 : expected[x] / sum;
        // Weights have four bits.
        assertThat(Math.abs(found[at + x] - value))
            .as("number %d of row %d: %s", x, row, found[at + x])
            .isLessThanOrEqualTo(spread / 32);
      }
    }
  }

  @Test
  void thePageRuns() {
    AttentionShape shape = AttentionShape.of(1, 2, 200, 128);
    try (Device device = Device.open("virtual:h200");
        Stream stream = device.stream();
        GlobalBytes q = device.allocateBytes(2 * 200 * 128);
        GlobalBytes k = device.allocateBytes(2 * 200 * 128);
        GlobalBytes v = device.allocateBytes(2 * 200 * 128);
        GlobalFloats ofQ = device.allocateFloats(4);
        GlobalFloats ofK = device.allocateFloats(4);
        GlobalFloats ofV = device.allocateFloats(4);
        GlobalBfloats o = device.allocateBfloats(2 * 200 * 128);
        GlobalFloats lse = device.allocateFloats(400);
        GlobalFloats few = device.allocateFloats(3)) {
      byte[] ones = new byte[2 * 200 * 128];
      Arrays.fill(ones, Fp8.ofE4m3(1));
      stream.copy(new byte[ones.length], q);
      stream.copy(ones, k);
      stream.copy(ones, v);
      stream.fill(ofQ, 1f);
      stream.fill(ofK, 1f);
      stream.fill(ofV, 3f);
      // @start region="fp8"
      // 2 heads of 200 tokens: a factor for the first 128 rows of each, and one for the other 72
      Fp8Attention attention = Attention.of(shape).causal().e4m3();
      attention.enqueue(stream, q, k, v, ofQ, ofK, ofV, o, lse);
      // @end
      float[] found = new float[2 * 200 * 128];
      stream.copy(o, found).await();
      assertThat(found).containsOnly(Bfloat.toFloat(Bfloat.of(3)));
      assertThatThrownBy(() -> attention.enqueue(stream, q, k, v, few, ofK, ofV, o, lse))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("ofQ has 3 elements", "4");
    }
  }
}
