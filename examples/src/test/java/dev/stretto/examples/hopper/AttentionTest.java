package dev.stretto.examples.hopper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.examples.attention.Shape;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attention is what loops over doubles say, on a virtual device and on a GPU. */
class AttentionTest {
  /** A GPU instead of a virtual device, where that is asked for. */
  private static Device open() {
    return Boolean.getBoolean("stretto.examples.gpu")
        ? Device.open()
        : Device.open("virtual:h200,seed=" + Integer.getInteger("stretto.examples.seed", 1));
  }

  /** Numbers of 16 bits, and what they are. */
  @SuppressWarnings("ArrayRecordComponent") // they are not compared
  private record Numbers(short[] bits, double[] values) {
    static Numbers random(int count, long seed, boolean bf16) {
      SplittableRandom random = new SplittableRandom(seed);
      short[] bits = new short[count];
      for (int i = 0; i < count; i++) {
        float value = (float) random.nextGaussian();
        bits[i] = bf16 ? Bfloat.of(value) : Float.floatToFloat16(value);
      }
      return of(bits, bf16);
    }

    static Numbers of(short[] bits, boolean bf16) {
      double[] values = new double[bits.length];
      for (int i = 0; i < bits.length; i++) {
        values[i] = bf16 ? Bfloat.toFloat(bits[i]) : Float.float16ToFloat(bits[i]);
      }
      return new Numbers(bits, values);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // batch, heads, heads of K, queries, keys, numbers of a row, causal, bfloat16
    "1, 1, 1, 128, 128, 128, false, true",
    "1, 2, 1, 200, 300, 128, false, false",
    "2, 1, 1, 150, 150, 128, true, true",
    "1, 1, 1, 70, 270, 128, true, false",
    "1, 1, 1, 192, 256, 64, false, true",
    "1, 4, 2, 200, 130, 64, false, false",
    "1, 2, 2, 300, 300, 64, true, true",
    "1, 1, 1, 130, 40, 64, true, true",
  })
  void isWhatItsFormulaSays(
      int batch,
      int heads,
      int keyHeads,
      int queries,
      int keys,
      int dim,
      boolean causal,
      boolean bf16) {
    Shape shape = new Shape(batch, heads, keyHeads, queries, keys, dim, causal);
    isRight(shape, bf16, 128, 0);
  }

  @ParameterizedTest
  @CsvSource({
    // queries, keys, numbers of a row, causal, keys in a block, options
    "130, 400, 128, false, 112, 0",
    "300, 300, 128, true, 128, 4",
    "400, 400, 64, true, 128, 4",
    "200, 250, 64, false, 96, 4",
    // Six heads for two blocks of threads; then warp groups without rows, or without keys.
    "260, 260, 64, true, 64, 4",
    "300, 280, 128, true, 64, 4",
    "400, 150, 64, true, 64, 4",
    "200, 200, 64, false, 128, 4",
    "500, 130, 64, false, 64, 0",
  })
  void otherBlocksAndNoTurnsGiveTheSame(
      int queries, int keys, int dim, boolean causal, int n, int options) {
    isRight(new Shape(1, 6, 3, queries, keys, dim, causal), true, n, options);
  }

  private static void isRight(Shape shape, boolean bf16, int n, int options) {
    int dim = shape.headDim();
    int most = shape.batches() * shape.heads() * shape.queries();
    int least = shape.batches() * shape.keyHeads() * shape.keys();
    Numbers q = Numbers.random(most * dim, 1, bf16);
    Numbers k = Numbers.random(least * dim, 2, bf16);
    Numbers v = Numbers.random(least * dim, 3, bf16);
    try (Device device = open();
        Stream stream = device.stream();
        GlobalArray onQ = array(device, most * dim, bf16);
        GlobalArray onK = array(device, least * dim, bf16);
        GlobalArray onV = array(device, least * dim, bf16);
        GlobalArray onO = array(device, most * dim, bf16);
        GlobalFloats lse = device.allocateFloats(most)) {
      stream.copy(MemorySegment.ofArray(q.bits), onQ);
      stream.copy(MemorySegment.ofArray(k.bits), onK);
      stream.copy(MemorySegment.ofArray(v.bits), onV);
      Attention.enqueue(stream, 2, shape, n, options, 2, onQ, onK, onV, onO, lse);
      short[] found = new short[most * dim];
      float[] sums = new float[most];
      stream.copy(onO, MemorySegment.ofArray(found));
      stream.copy(lse, sums).await();
      check(shape, q.values, k.values, v.values, Numbers.of(found, bf16).values, sums, bf16);
    }
  }

  private static GlobalArray array(Device device, int count, boolean bf16) {
    return bf16 ? device.allocateBfloats(count) : device.allocateHalfs(count);
  }

  private static void check(
      Shape shape, double[] q, double[] k, double[] v, double[] o, float[] lse, boolean bf16) {
    int dim = shape.headDim();
    int share = shape.group();
    for (int head = 0; head < shape.batches() * shape.heads(); head++) {
      for (int i = 0; i < shape.queries(); i++) {
        int row = head * shape.queries() + i;
        int count =
            shape.causal() ? Math.max(0, i + 1 + shape.keys() - shape.queries()) : shape.keys();
        double[] expected = new double[dim];
        double sum = 0;
        for (int j = 0; j < count; j++) {
          int key = (head / share * shape.keys() + j) * dim;
          double score = 0;
          for (int x = 0; x < dim; x++) {
            score += q[row * dim + x] * k[key + x];
          }
          double weight = Math.exp(score / Math.sqrt(dim));
          sum += weight;
          for (int x = 0; x < dim; x++) {
            expected[x] += weight * v[key + x];
          }
        }
        if (count == 0) {
          assertThat(lse[row]).isEqualTo(Float.NEGATIVE_INFINITY);
        } else {
          assertThat((double) lse[row]).as("row %d", row).isCloseTo(Math.log(sum), within(1e-3));
        }
        for (int x = 0; x < dim; x++) {
          double value = count == 0 ? 0 : expected[x] / sum;
          assertThat(o[row * dim + x])
              .as("number %d of row %d", x, row)
              .isCloseTo(value, within((bf16 ? 0.02 : 0.003) * Math.max(1, Math.abs(value))));
        }
      }
    }
  }
}
