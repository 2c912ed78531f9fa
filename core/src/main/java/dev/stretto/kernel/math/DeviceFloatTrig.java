package dev.stretto.kernel.math;

/** {@link DeviceTrig} in single precision. */
final class DeviceFloatTrig {
  private static final float RIGHT_ANGLE = 0x1.921fb6p0f;
  private static final float RIGHT_ANGLE_REST = -0x1.777a5cp-25f;
  private static final float RIGHT_ANGLE_REST_2 = -0x1.ee59dap-50f;
  private static final float PER_RIGHT_ANGLE = 0x1.45f306p-1f;
  private static final float ROUNDING = 0x1.8p23f;

  private DeviceFloatTrig() {}

  /** {@return the sine, cosine or tangent of x; which of them must be a constant} */
  static float of(float x, int function) {
    float a = Math.abs(x);
    if (!(a < Float.POSITIVE_INFINITY)) {
      return Float.NaN;
    }
    if (a < 0x1p-13f) {
      return function == DeviceTrig.COSINE ? 1 : x;
    }
    int quarter;
    float r;
    float rest;
    if (a < 0x1p17f) {
      float n = Math.fma(a, PER_RIGHT_ANGLE, ROUNDING) - ROUNDING;
      quarter = (int) n;
      float left = Math.fma(-n, RIGHT_ANGLE, a); // exact
      float product = n * RIGHT_ANGLE_REST;
      float high = left - product;
      float taken = high - left;
      float lost = (left - (high - taken)) - (product + taken);
      lost -= Math.fma(n, RIGHT_ANGLE_REST, -product);
      float low = Math.fma(-n, RIGHT_ANGLE_REST_2, lost);
      r = high + low;
      rest = (high - r) + low;
    } else {
      int exponent = (Float.floatToRawIntBits(a) >>> 23) - 127;
      long mantissa = (Float.floatToRawIntBits(a) & 0x7fffff) | 0x800000;
      int at = exponent + 39;
      long word0 = 0;
      long word1 = 0;
      long word2 = 0;
      for (int i = 0; i < 3; i++) {
        word0 = word1;
        word1 = word2;
        word2 = DevicePi.wordOfInverse((at >> 6) + i);
      }
      long first = DevicePi.join(word0, word1, at & 63);
      long second = DevicePi.join(word1, word2, at & 63);
      long top = mantissa * first + DevicePi.multiplyHigh(mantissa, second);
      quarter = (int) (((top >>> 61) + 1) >>> 1);
      // Such arguments are rare enough for one multiplication in double precision.
      double angle = (double) (top << 2) * 0x1.921fb54442d18p-64;
      r = (float) angle;
      rest = (float) (angle - r);
    }
    if (function == DeviceTrig.TANGENT) {
      float size = tangent(r, rest, (quarter & 1) != 0);
      return x < 0 ? -size : size;
    }
    int turned = function == DeviceTrig.COSINE ? quarter + 1 : quarter;
    float z = r * r;
    float one = Math.fma(-0.5f, z, 1);
    float value = (turned & 1) == 0 ? r + sineTail(r, z, rest) : one + cosineTail(r, z, rest, one);
    boolean negative = ((turned & 2) != 0) != (function == DeviceTrig.SINE && x < 0);
    return negative ? -value : value;
  }

  private static float tangent(float r, float rest, boolean odd) {
    float z = r * r;
    float one = Math.fma(-0.5f, z, 1);
    float sineTail = sineTail(r, z, rest);
    float cosineTail = cosineTail(r, z, rest, one);
    return DeviceRatio.divide(
        odd ? one : r, odd ? cosineTail : sineTail, odd ? -r : one, odd ? -sineTail : cosineTail);
  }

  private static float sineTail(float r, float z, float rest) {
    float p = Math.fma(-0.00019505627f, z, 0.008332096f);
    p = Math.fma(p, z, -0.16666654f);
    return Math.fma(z * r, p, rest);
  }

  private static float cosineTail(float r, float z, float rest, float one) {
    float p = Math.fma(2.4428207e-05f, z, -0.0013887289f);
    p = Math.fma(p, z, 0.041666646f);
    float lost = Math.fma(-0.5f, z, 1 - one);
    return lost + Math.fma(z * z, p, -r * rest);
  }
}
