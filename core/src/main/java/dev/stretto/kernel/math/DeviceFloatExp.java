package dev.stretto.kernel.math;

/** {@link DeviceExp} and {@link DeviceHyperbolic} in single precision. */
final class DeviceFloatExp {
  private static final float LOG2_E = 0x1.715476p0f;
  private static final float LN2 = 0x1.62e43p-1f;
  private static final float LN2_REST = -0x1.05c61p-29f;

  /** Adding and subtracting it rounds to an integer. */
  private static final float ROUNDING = 0x1.8p23f;

  private static final int ONE_BITS = 0x3f800000;

  private DeviceFloatExp() {}

  /** Without a branch, so that neighbours in a loop overlap. */
  static float expf(float x) {
    float bounded = Math.max(-105, Math.min(x, 90));
    float shifted = Math.fma(bounded, LOG2_E, ROUNDING);
    float n = shifted - ROUNDING;
    float r = Math.fma(-n, LN2_REST, Math.fma(-n, LN2, bounded));
    float power = Math.fma(Math.fma(shortPolynomial(r), r, 1), r, 1);
    // Two powers of two, since n may be below any exponent. The last bits of shifted are n; a shift
    // by 23 drops all but the last nine.
    int bits = Float.floatToRawIntBits(shifted);
    int half = bits >> 1;
    float first = Float.intBitsToFloat((half << 23) + ONE_BITS);
    float second = Float.intBitsToFloat(((bits - half) << 23) + ONE_BITS);
    return power * first * second;
  }

  /**
   * {@return e to the x + rest, doubled a number of times} The rest is a rounding error of x, and
   * the doublings are few.
   */
  static float expf(float x, float rest, int doublings) {
    if (x > 90) {
      return Float.POSITIVE_INFINITY;
    }
    if (x < -105) {
      return 0;
    }
    float n = Math.fma(x, LOG2_E, ROUNDING) - ROUNDING;
    float high = Math.fma(-n, LN2, x);
    float low = Math.fma(-n, LN2_REST, rest);
    float r = high + low;
    float lost = (high - r) + low;
    float sum = 1 + r;
    float sumLost = (1 - sum) + r;
    float tail = Math.fma(r * r, polynomial(r), lost);
    return scale(sum + (sumLost + tail), (int) n + doublings);
  }

  static float expm1f(float x) {
    if (x > 90) {
      return Float.POSITIVE_INFINITY;
    }
    if (x < -20) {
      return -1;
    }
    if (Math.abs(x) < 0x1p-25f) {
      return x;
    }
    float n = Math.fma(x, LOG2_E, ROUNDING) - ROUNDING;
    float high = Math.fma(-n, LN2, x);
    float low = -n * LN2_REST;
    float r = high + low;
    float lost = (high - r) + low;
    float one = powerOfTwo(-Math.min((int) n, 100));
    float base = 1 - one;
    float baseLost = (1 - base) - one;
    float sum = base + r;
    float sumLost = (base - sum) + r;
    float rest = Math.fma(r * r, polynomial(r), lost + baseLost);
    return scale(sum + (sumLost + rest), (int) n);
  }

  static float sinhf(float x) {
    float a = Math.abs(x);
    if (a < 1) {
      float z = x * x;
      float p = 2.7839258e-06f;
      p = Math.fma(p, z, 0.00019842635f);
      p = Math.fma(p, z, 0.008333311f);
      p = Math.fma(p, z, 0.16666667f);
      return Math.fma(x * z, p, x);
    }
    float half = expf(a, 0, -1);
    return Math.copySign(half - 0.25f / half, x);
  }

  static float coshf(float x) {
    float half = expf(Math.abs(x), 0, -1);
    return half + 0.25f / half;
  }

  static float tanhf(float x) {
    float a = Math.abs(x);
    if (a < 0.55f) {
      float z = a * a;
      float p = -0.0062428494f;
      p = Math.fma(p, z, 0.021050714f);
      p = Math.fma(p, z, -0.053847548f);
      p = Math.fma(p, z, 0.13332544f);
      p = Math.fma(p, z, -0.33333316f);
      return Math.copySign(Math.fma(a * z, p, a), x);
    }
    return Math.copySign(1 - 2 / (expf(2 * a) + 1), x);
  }

  /** {@return as {@link #polynomial}, good enough where 1 + r is rounded} */
  private static float shortPolynomial(float r) {
    float p = 0.0013950524f;
    p = Math.fma(p, r, 0.008368918f);
    p = Math.fma(p, r, 0.041666206f);
    p = Math.fma(p, r, 0.16666518f);
    return Math.fma(p, r, 0.5f);
  }

  /** {@return (e to the r, less 1 + r) / r², for |r| up to half of ln 2} */
  private static float polynomial(float r) {
    float p = 0.00019918167f;
    p = Math.fma(p, r, 0.0013945648f);
    p = Math.fma(p, r, 0.008333265f);
    p = Math.fma(p, r, 0.041666277f);
    p = Math.fma(p, r, 0.16666667f);
    return Math.fma(p, r, 0.5f);
  }

  /** {@return x times 2 to the n, for x near 1 and |n| up to 252} */
  private static float scale(float x, int n) {
    int half = n >> 1;
    return x * powerOfTwo(half) * powerOfTwo(n - half);
  }

  /** {@return 2 to the n, for n from -126 to 127} */
  static float powerOfTwo(int n) {
    return Float.intBitsToFloat((n + 127) << 23);
  }
}
