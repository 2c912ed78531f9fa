package dev.stretto.kernel.math;

/**
 * Logarithms and powers in single precision. The logarithms avoid the division of {@link
 * DeviceLog}: a longer polynomial is cheaper.
 */
final class DeviceFloatLog {
  private static final int SQRT_HALF_BITS = 0x3f3504f3;
  private static final int EXPONENT = 0xff800000;
  private static final float LN2 = 0x1.62e43p-1f;

  /** ln 2 in 15 bits, so that it can be multiplied by any exponent without rounding. */
  private static final float LN2_SHORT = 0x1.62e4p-1f;

  private static final float LN2_SHORT_REST = 0x1.7f7d1cp-20f;
  private static final float LOG10_E = 0x1.bcb7b2p-2f;
  private static final float LOG10_E_REST = -0x1.5b235ep-27f;

  private DeviceFloatLog() {}

  /** Without a branch, so that neighbours in a loop overlap. */
  static float logf(float x, boolean decimal) {
    boolean subnormal = x < Float.MIN_NORMAL;
    int bits = Float.floatToRawIntBits(subnormal ? x * 0x1p24f : x);
    int exponent = (bits - SQRT_HALF_BITS) & EXPONENT;
    float n = Math.fma((float) exponent, 0x1p-23f, subnormal ? -24f : 0f);
    float f = Float.intBitsToFloat(bits - exponent) - 1;
    float positive =
        decimal ? logf(n, f, 0, true) : Math.fma(n, LN2, Math.fma(f * polynomial(f), f, f));
    float infinite = Float.POSITIVE_INFINITY;
    float special = x == 0 ? -infinite : Math.fma(x, infinite, infinite);
    return x > 0 && x < infinite ? positive : special;
  }

  static float log1pf(float x) {
    if (!(x > -1)) {
      return x == -1 ? Float.NEGATIVE_INFINITY : Float.NaN;
    }
    if (x == Float.POSITIVE_INFINITY || Math.abs(x) < 0x1p-25f) {
      return x;
    }
    float sum = 1 + x;
    float lost = x < 1 ? (1 - sum) + x : (x - sum) + 1;
    int bits = Float.floatToRawIntBits(sum);
    int n = (bits - SQRT_HALF_BITS) >> 23;
    float m = Float.intBitsToFloat(bits - (n << 23));
    float small = lost * DeviceFloatExp.powerOfTwo(-Math.min(n, 60));
    float f = (m - 1) + small;
    return logf(n, f, ((m - 1) - f) + small, false);
  }

  /** {@return n ln 2 + ln(1 + f + rest), or that divided by ln 10} */
  private static float logf(float n, float f, float rest, boolean decimal) {
    float correction = Math.fma(f * f, polynomial(f), Math.fma(-f, rest, rest));
    float whole = n * LN2_SHORT;
    float sum = whole + f;
    float sumLost = (whole - sum) + f;
    float low = sumLost + Math.fma(n, LN2_SHORT_REST, correction);
    float natural = sum + low;
    if (!decimal) {
      return natural;
    }
    float naturalLost = (sum - natural) + low;
    float decimalRest = Math.fma(natural, LOG10_E_REST, naturalLost * LOG10_E);
    return Math.fma(natural, LOG10_E, decimalRest);
  }

  /** {@return (ln(1 + f) - f) / f², for 1 + f between the roots of a half and of two} */
  private static float polynomial(float f) {
    float p = -0.07647581f;
    p = Math.fma(p, f, 0.12758859f);
    p = Math.fma(p, f, -0.13153307f);
    p = Math.fma(p, f, 0.14201662f);
    p = Math.fma(p, f, -0.1662414f);
    p = Math.fma(p, f, 0.20001264f);
    p = Math.fma(p, f, -0.25000796f);
    p = Math.fma(p, f, 0.3333333f);
    return Math.fma(p, f, -0.5f);
  }

  static float powf(float x, float y) {
    if (y == 0) {
      return 1;
    }
    if (Float.isNaN(x) || Float.isNaN(y)) {
      return Float.NaN;
    }
    float a = Math.abs(x);
    boolean growing = a > 1 == y > 0;
    if (Math.abs(y) == Float.POSITIVE_INFINITY) {
      return a == 1 ? Float.NaN : growing ? Float.POSITIVE_INFINITY : 0;
    }
    boolean negative = Float.floatToRawIntBits(x) < 0;
    // From 2 to the 24 on, all floats are even.
    boolean whole = Math.abs(y) >= 0x1p24f || (int) y == y;
    boolean odd = Math.abs(y) < 0x1p24f && whole && ((int) y & 1) != 0;
    float size;
    if (a == 0 || a == Float.POSITIVE_INFINITY) {
      size = growing ? Float.POSITIVE_INFINITY : 0;
    } else if (negative && !whole) {
      return Float.NaN;
    } else {
      size = powerOfPositive(a, y);
    }
    return negative && odd ? -size : size;
  }

  /** As in {@link DevicePow}, with the pairs truncated earlier. */
  private static float powerOfPositive(float x, float y) {
    boolean subnormal = x < Float.MIN_NORMAL;
    int bits = Float.floatToRawIntBits(subnormal ? x * 0x1p24f : x);
    int n = (bits - SQRT_HALF_BITS) >> 23;
    float f = Float.intBitsToFloat(bits - (n << 23)) - 1;

    float d = 2 + f;
    float dLost = (2 - d) + f;
    float inverse = 1 / d;
    float s = f * inverse;
    float sLost = Math.fma(-s, dLost, Math.fma(-s, d, f)) * inverse;

    float z = s * s;
    float zLost = Math.fma(2 * s, sLost, Math.fma(s, s, -z));

    float p = Math.fma(Math.fma(0.23419635f, z, 0.2854709f), z, 0.40000153f);
    float u = z * p;
    float w = 0x1.555556p-1f + u;
    float wLost = ((0x1.555556p-1f - w) + u) - 0x1.555556p-26f;
    float k = z * w;
    float kLost = Math.fma(z, w, -k) + Math.fma(z, wLost, zLost * w);
    float g = s * k;
    float gLost = Math.fma(s, k, -g) + Math.fma(s, kLost, sLost * k);

    float whole = (subnormal ? n - 24 : n) * LN2_SHORT;
    float wholeRest = (subnormal ? n - 24 : n) * LN2_SHORT_REST;
    float sum = whole + 2 * s;
    float sumLost = (whole - sum) + 2 * s;
    float more = sum + g;
    float moreLost = (sum - more) + g;
    float low = moreLost + (sumLost + (2 * sLost + (gLost + wholeRest)));
    float log = more + low;
    float logLost = (more - log) + low;

    float exponent = Math.max(-0x1p40f, Math.min(0x1p40f, y));
    float product = exponent * log;
    float productLost = Math.fma(exponent, logLost, Math.fma(exponent, log, -product));
    return DeviceFloatExp.expf(product, productLost, 0);
  }
}
