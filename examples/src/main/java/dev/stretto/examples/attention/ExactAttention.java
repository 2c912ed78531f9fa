package dev.stretto.examples.attention;

import dev.stretto.memory.Bfloat;

/** Attention by its definition, in double precision, one row at a time. */
final class ExactAttention {
  private final Shape shape;
  private final boolean bfloat;
  private final short[] q;
  private final short[] k;
  private final short[] v;

  /** Creates attention of these numbers, which are bfloat16 or binary16. */
  ExactAttention(Shape shape, boolean bfloat, short[] q, short[] k, short[] v) {
    this.shape = shape;
    this.bfloat = bfloat;
    this.q = q;
    this.k = k;
    this.v = v;
  }

  /** A row of the result, followed by the logarithm of its sum. */
  double[] row(int row) {
    int headDim = shape.headDim();
    int query = row % shape.queries();
    long firstKey = (long) row / shape.queries() / shape.group() * shape.keys();
    int seen = shape.causal() ? query + 1 + shape.keys() - shape.queries() : shape.keys();
    double[] scores = new double[Math.clamp(seen, 0, shape.keys())];
    double max = Double.NEGATIVE_INFINITY;
    for (int key = 0; key < scores.length; key++) {
      for (int i = 0; i < headDim; i++) {
        scores[key] += number(q, row, i) * number(k, firstKey + key, i);
      }
      scores[key] *= shape.scale();
      max = Math.max(max, scores[key]);
    }
    double[] out = new double[headDim + 1];
    double sum = 0;
    for (int key = 0; key < scores.length; key++) {
      double power = Math.exp(scores[key] - max);
      sum += power;
      for (int i = 0; i < headDim; i++) {
        out[i] += power * number(v, firstKey + key, i);
      }
    }
    for (int i = 0; i < headDim; i++) {
      out[i] = sum == 0 ? 0 : out[i] / sum;
    }
    out[headDim] = sum == 0 ? Double.NEGATIVE_INFINITY : max + Math.log(sum);
    return out;
  }

  private double number(short[] array, long row, int i) {
    return toDouble(array[Math.toIntExact(row * shape.headDim() + i)], bfloat);
  }

  static double toDouble(short bits, boolean bfloat) {
    return bfloat ? Bfloat.toFloat(bits) : Float.float16ToFloat(bits);
  }
}
