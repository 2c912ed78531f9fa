package dev.stretto.kernels.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attention is what loops over doubles say, on a virtual device and on a GPU. */
@ParameterizedClass(name = "on {0}")
@MethodSource("dev.stretto.kernels.Devices#few")
class AttentionTest {
  private final Device device;

  AttentionTest(String name) {
    device = Device.open(name);
  }

  @AfterEach
  void close() {
    device.close();
  }

  @ParameterizedTest
  @CsvSource({
    // batches, heads, heads of K, queries, keys, numbers of a row, causal, bfloat16
    "1, 1, 1, 128, 128, 128, false, true",
    "1, 2, 1, 200, 300, 128, false, false",
    "2, 1, 1, 150, 150, 128, true, true",
    "1, 1, 1, 70, 270, 128, true, false",
    "1, 1, 1, 192, 256, 64, false, true",
    "1, 4, 2, 200, 130, 64, false, false",
    "1, 2, 2, 300, 300, 64, true, true",
    "1, 1, 1, 130, 40, 64, true, true",
    "1, 1, 1, 130, 170, 256, false, true",
    "1, 2, 1, 150, 150, 256, true, false",
    "1, 1, 1, 70, 70, 32, true, true",
    "1, 1, 1, 70, 70, 96, false, true",
    "2, 1, 1, 40, 90, 192, true, true",
  })
  void isWhatItsFormulaSays(
      int batches,
      int heads,
      int keyHeads,
      int queries,
      int keys,
      int dim,
      boolean causal,
      boolean bf16) {
    AttentionShape shape = new AttentionShape(batches, heads, keyHeads, queries, keys, dim);
    Case.of(shape, causal, bf16).isRight(device);
  }

  @ParameterizedTest
  @CsvSource({
    // queries, keys, numbers of a row, keys before, keys behind
    "300, 300, 64, 50, 0",
    "300, 300, 128, 200, 0",
    "200, 330, 128, 30, 20",
    "200, 200, 256, 100, 2147483647",
    "150, 400, 256, 130, 0",
    "300, 100, 128, 2147483647, 70",
    "100, 300, 64, 2147483647, 1000000000",
  })
  void aWindowHidesKeysOnBothSides(int queries, int keys, int dim, int before, int after) {
    AttentionShape shape = new AttentionShape(1, 2, 1, queries, keys, dim);
    double scale = 1 / Math.sqrt(dim);
    new Case(shape, TokenOrder.HEADS_FIRST, before, after, scale, true).isRight(device);
  }

  @ParameterizedTest
  @CsvSource({"64, true", "128, false", "256, true", "40, false"})
  void tokensMayComeBeforeHeads(int dim, boolean bf16) {
    AttentionShape shape = new AttentionShape(2, 4, 2, 90, 130, dim);
    new Case(shape, TokenOrder.TOKENS_FIRST, Case.ALL, 0, 0.3, bf16).isRight(device);
  }

  @Test
  void randomShapesAreRight() {
    SplittableRandom random = new SplittableRandom(Long.getLong("stretto.seed", 11));
    for (int i = 0; i < Integer.getInteger("stretto.cases", 3); i++) {
      int keyHeads = random.nextInt(1, 3);
      AttentionShape shape =
          new AttentionShape(
              random.nextInt(1, 3),
              keyHeads * random.nextInt(1, 3),
              keyHeads,
              random.nextInt(1, 200),
              random.nextInt(1, 300),
              8 * random.nextInt(1, 33));
      new Case(
              shape,
              random.nextBoolean() ? TokenOrder.HEADS_FIRST : TokenOrder.TOKENS_FIRST,
              random.nextBoolean() ? Case.ALL : random.nextInt(200),
              random.nextBoolean() ? Case.ALL : random.nextInt(200),
              random.nextDouble(0.01, 0.5),
              random.nextBoolean())
          .isRight(device);
    }
  }

  @ParameterizedTest
  @CsvSource({"64, 1.2", "128, 1.9", "128, 40", "256, 0.3"})
  void scoresMayRiseFromBlockToBlock(int dim, float step) {
    // Blocks are processed from the last one on: query i's score of key j is step * (keys - j) /
    // 128.
    int keys = 600;
    float[] numbers = new float[keys * dim];
    float[] ofQueries = new float[keys * dim];
    float[] ofValues = new float[keys * dim];
    SplittableRandom random = new SplittableRandom(5);
    for (int j = 0; j < keys; j++) {
      ofQueries[j * dim] = 1;
      numbers[j * dim] = step * ((keys - j) / 8) / 16;
      for (int x = 0; x < dim; x++) {
        ofValues[j * dim + x] = random.nextInt(-8, 9);
      }
    }
    float[] found = attend(dim, keys, ofQueries, numbers, ofValues);
    for (int i = 0; i < keys; i++) {
      double sum = 0;
      double[] expected = new double[dim];
      for (int j = 0; j <= i; j++) {
        double key = Bfloat.toFloat(Bfloat.of(numbers[j * dim]));
        double weight = Math.exp(key - step * keys / 128);
        sum += weight;
        for (int x = 0; x < dim; x++) {
          expected[x] += weight * ofValues[j * dim + x];
        }
      }
      for (int x = 0; x < dim; x++) {
        assertThat(Math.abs(found[i * dim + x] - expected[x] / sum))
            .as("number %d of row %d", x, i)
            .isLessThan(0.04);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 128, 256})
  void aNanStaysInTheRowsThatSeeIt(int dim) {
    int keys = 400;
    float[] numbers = new float[keys * dim];
    Arrays.fill(numbers, 0.5f);
    float[] ofKeys = numbers.clone();
    ofKeys[222 * dim + 3] = Float.NaN;
    float[] found = attend(dim, keys, numbers, ofKeys, numbers);
    for (int i = 0; i < keys; i++) {
      for (int x = 0; x < dim; x++) {
        assertThat(Float.valueOf(found[i * dim + x]))
            .as("row %d", i)
            .isEqualTo(Float.valueOf(i < 222 ? 0.5f : Float.NaN));
      }
    }
  }

  /** Causal attention of one head, with a scale of 1. */
  private float[] attend(int dim, int tokens, float[] ofQ, float[] ofK, float[] ofV) {
    float[] found = new float[tokens * dim];
    try (Stream stream = device.stream();
        GlobalBfloats q = device.allocateBfloats(tokens * dim);
        GlobalBfloats k = device.allocateBfloats(tokens * dim);
        GlobalBfloats v = device.allocateBfloats(tokens * dim);
        GlobalBfloats o = device.allocateBfloats(tokens * dim)) {
      stream.copy(ofQ, q);
      stream.copy(ofK, k);
      stream.copy(ofV, v);
      Attention.of(AttentionShape.of(1, 1, tokens, dim))
          .causal()
          .scale(1)
          .enqueue(stream, q, k, v, o);
      stream.copy(o, found).await();
    }
    return found;
  }

  @Test
  void logarithmsNeedNotBeStored() {
    AttentionShape shape = AttentionShape.of(1, 2, 100, 64);
    Case.of(shape, true, true)
        .isRight(
            device,
            (stream, q, k, v, o, lse) -> {
              GlobalBfloats queries = (GlobalBfloats) q;
              GlobalBfloats keys = (GlobalBfloats) k;
              GlobalBfloats values = (GlobalBfloats) v;
              GlobalBfloats out = (GlobalBfloats) o;
              Attention attention = Attention.of(shape).causal();
              attention.enqueue(stream, queries, keys, values, out, lse);
              // Wrong ones, which the same without logarithms makes right again.
              stream.fill(out, Float.NaN);
              attention.enqueue(stream, queries, keys, values, out);
            });
  }

  @Test
  void thePageRuns() {
    try (Stream stream = device.stream();
        GlobalBfloats q = device.allocateBfloats(2 * 8 * 100 * 64);
        GlobalBfloats k = device.allocateBfloats(2 * 2 * 100 * 64);
        GlobalBfloats v = device.allocateBfloats(2 * 2 * 100 * 64);
        GlobalBfloats o = device.allocateBfloats(2 * 8 * 100 * 64)) {
      stream.fill(q, 0f);
      stream.fill(k, 0f);
      stream.fill(v, 1f);
      // @start region="attention"
      // 2 sequences, 8 heads that share 2 heads of keys, 100 tokens, rows of 64 numbers
      AttentionShape shape = AttentionShape.of(2, 8, 100, 64).withKeyHeads(2);
      Attention attention = Attention.of(shape).causal();
      System.out.println(attention.choice(device).reason());
      attention.enqueue(stream, q, k, v, o);
      // @end
      float[] found = new float[2 * 8 * 100 * 64];
      stream.copy(o, found).await();
      assertThat(found).containsOnly(1);
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    AttentionShape shape = AttentionShape.of(1, 1, 16, 64);
    Attention attention = Attention.of(shape);
    try (Stream stream = device.stream();
        GlobalBfloats q = device.allocateBfloats(16 * 64);
        GlobalBfloats k = device.allocateBfloats(16 * 64);
        GlobalBfloats longer = device.allocateBfloats(16 * 64 + 8);
        GlobalFloats lse = device.allocateFloats(15)) {
      assertThatThrownBy(() -> attention.enqueue(stream, q, longer, k, k))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("k has 1032 elements", "1024");
      assertThatThrownBy(() -> attention.enqueue(stream, q, k, k, q))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("o, ", "overlap");
      assertThatThrownBy(() -> attention.enqueue(stream, q, k, k, longer.slice(1, 1024)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("multiple of 16 bytes");
      assertThatThrownBy(() -> attention.enqueue(stream, q, k, k, longer.slice(0, 1024), lse))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("lse has 15 elements", "16");
      longer.close();
      assertThatThrownBy(() -> attention.enqueue(stream, q, longer, k, k))
          .isInstanceOf(ClosedException.class);
    }
    assertThatThrownBy(() -> AttentionShape.of(1, 1, 16, 60))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("60 numbers in a row");
    assertThatThrownBy(() -> AttentionShape.of(1, 3, 16, 64).withKeyHeads(2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 heads of queries cannot share 2 heads");
    assertThatThrownBy(() -> AttentionShape.of(1, 3, 0, 64))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("queries is 0");
    assertThatThrownBy(() -> attention.window(-1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> attention.scale(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
