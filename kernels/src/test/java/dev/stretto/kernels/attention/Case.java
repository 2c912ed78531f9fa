package dev.stretto.kernels.attention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Attention of random numbers, and what loops over doubles say of it.
 *
 * @param shape the size
 * @param order of tokens and heads
 * @param before how many keys before its place a query sees
 * @param after how many behind it
 * @param scale of scores
 * @param bf16 whether numbers are bfloat16, otherwise binary16
 */
record Case(
    AttentionShape shape, TokenOrder order, int before, int after, double scale, boolean bf16) {
  static final int ALL = Integer.MAX_VALUE;
  private static final short NAN = 0x7fff;

  static Case of(AttentionShape shape, boolean causal, boolean bf16) {
    double scale = 1 / Math.sqrt(shape.headDim());
    return new Case(shape, TokenOrder.HEADS_FIRST, ALL, causal ? 0 : ALL, scale, bf16);
  }

  /** Enqueues what is tested. */
  interface Enqueuing {
    void enqueue(
        Stream stream,
        GlobalArray q,
        GlobalArray k,
        GlobalArray v,
        GlobalArray o,
        GlobalFloats lse);
  }

  Attention attention() {
    return Attention.of(shape).window(before, after).scale(scale).order(order);
  }

  /** What {@link Attention} chooses is right. */
  void isRight(Device device) {
    Attention attention = attention();
    isRight(
        device,
        (stream, q, k, v, o, lse) -> {
          if (bf16) {
            attention.enqueue(
                stream,
                (GlobalBfloats) q,
                (GlobalBfloats) k,
                (GlobalBfloats) v,
                (GlobalBfloats) o,
                lse);
          } else {
            attention.enqueue(
                stream, (GlobalHalfs) q, (GlobalHalfs) k, (GlobalHalfs) v, (GlobalHalfs) o, lse);
          }
        });
  }

  void isRight(Device device, Enqueuing kernel) {
    Batches whole = new Batches(shape.batches(), shape.queries(), shape.keys());
    isRight(device, whole, kernel);
  }

  /** Where the sequences begin in arrays of several batches. */
  private record Batches(int count, int queries, int keys) implements Sequences {
    @Override
    public int queryStart(int batch) {
      return batch * queries;
    }

    @Override
    public int keyStart(int batch) {
      return batch * keys;
    }

    @Override
    public boolean apart() {
      return true;
    }
  }

  /** Where sequences begin among all tokens. */
  interface Sequences {
    int count();

    int queryStart(int sequence);

    int keyStart(int sequence);

    /** Whether each has its own heads; otherwise they share the heads of the whole array. */
    boolean apart();
  }

  void isRight(Device device, Sequences sequences, Enqueuing kernel) {
    int tokens = sequences.queryStart(sequences.count());
    int keyTokens = sequences.keyStart(sequences.count());
    int dim = shape.headDim();
    short[] q = random(tokens * shape.heads() * dim, 1);
    short[] k = random(keyTokens * shape.keyHeads() * dim, 2);
    short[] v = random(keyTokens * shape.keyHeads() * dim, 3);
    short[] found = new short[q.length];
    float[] sums = new float[tokens * shape.heads()];
    Arrays.fill(found, NAN);
    try (Stream stream = device.stream();
        GlobalArray onQ = array(device, q.length);
        GlobalArray onK = array(device, k.length);
        GlobalArray onV = array(device, v.length);
        GlobalArray onO = array(device, q.length);
        GlobalFloats lse = device.allocateFloats(sums.length)) {
      stream.copy(MemorySegment.ofArray(q), onQ);
      stream.copy(MemorySegment.ofArray(k), onK);
      stream.copy(MemorySegment.ofArray(v), onV);
      stream.copy(MemorySegment.ofArray(found), onO);
      stream.fill(lse, Float.NaN);
      kernel.enqueue(stream, onQ, onK, onV, onO, lse);
      stream.copy(onO, MemorySegment.ofArray(found));
      stream.copy(lse, sums).await();
    }
    for (int i = 0; i < sequences.count(); i++) {
      check(sequences, i, q, k, v, found, sums);
    }
  }

  private GlobalArray array(Device device, int count) {
    return bf16 ? device.allocateBfloats(count) : device.allocateHalfs(count);
  }

  private short[] random(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    short[] bits = new short[count];
    for (int i = 0; i < count; i++) {
      float value = (float) random.nextGaussian();
      bits[i] = bf16 ? Bfloat.of(value) : Float.floatToFloat16(value);
    }
    return bits;
  }

  private double number(short bits) {
    return bf16 ? Bfloat.toFloat(bits) : Float.float16ToFloat(bits);
  }

  /** Where a row begins. */
  private int row(Sequences sequences, int heads, int head, int start, int all, int i) {
    int length = sequences.apart() ? all / sequences.count() : all;
    int first = sequences.apart() ? start * heads : 0;
    int token = sequences.apart() ? i : start + i;
    int place = order == TokenOrder.HEADS_FIRST ? head * length + token : token * heads + head;
    return (first + place) * shape.headDim();
  }

  private void check(
      Sequences sequences,
      int batch,
      short[] q,
      short[] k,
      short[] v,
      short[] found,
      float[] sums) {
    int dim = shape.headDim();
    int share = shape.heads() / shape.keyHeads();
    int start = sequences.queryStart(batch);
    int keyStart = sequences.keyStart(batch);
    int queries = sequences.queryStart(batch + 1) - start;
    int keys = sequences.keyStart(batch + 1) - keyStart;
    int allQueries = sequences.queryStart(sequences.count());
    int allKeys = sequences.keyStart(sequences.count());
    double tolerance = bf16 ? 0x1p-7 : 0x1p-10;
    for (int head = 0; head < shape.heads(); head++) {
      for (int i = 0; i < queries; i++) {
        int row = row(sequences, shape.heads(), head, start, allQueries, i);
        long place = i + (long) keys - queries;
        double[] expected = new double[dim];
        double sum = 0;
        double greatest = 0;
        for (int j = 0; j < keys; j++) {
          if (j < place - before || j > place + after) {
            continue;
          }
          int key = row(sequences, shape.keyHeads(), head / share, keyStart, allKeys, j);
          double score = 0;
          for (int x = 0; x < dim; x++) {
            score += number(q[row + x]) * number(k[key + x]);
          }
          double weight = Math.exp(score * scale);
          sum += weight;
          for (int x = 0; x < dim; x++) {
            expected[x] += weight * number(v[key + x]);
            greatest = Math.max(greatest, Math.abs(number(v[key + x])));
          }
        }
        int logarithm =
            sequences.apart()
                ? (start * shape.heads() + head * queries) + i
                : head * allQueries + start + i;
        String where = "%s: sequence %d, head %d, row %d".formatted(this, batch, head, i);
        if (sum == 0) {
          assertThat(sums[logarithm]).as(where).isEqualTo(Float.NEGATIVE_INFINITY);
        } else {
          assertThat(Math.abs(sums[logarithm] - Math.log(sum))).as(where).isLessThan(1e-4);
        }
        for (int x = 0; x < dim; x++) {
          double value = sum == 0 ? 0 : expected[x] / sum;
          assertThat(Math.abs(number(found[row + x]) - value))
              .as("%s, number %d: %s", where, x, number(found[row + x]))
              .isLessThanOrEqualTo(tolerance * greatest);
        }
      }
    }
  }

  /** {@return the sequences as a kernel gets them} */
  static GlobalInts starts(Device device, Stream stream, int... lengths) {
    int[] starts = new int[lengths.length + 1];
    for (int i = 0; i < lengths.length; i++) {
      starts[i + 1] = starts[i] + lengths[i];
    }
    GlobalInts on = device.allocateInts(starts.length);
    stream.copy(starts, on).await();
    return on;
  }
}
