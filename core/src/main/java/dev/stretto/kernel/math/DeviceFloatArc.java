package dev.stretto.kernel.math;

/** {@link DeviceArc} in single precision. */
final class DeviceFloatArc {
  private static final float PI = 0x1.921fb6p1f;
  private static final float PI_REST = -0x1.777a5cp-24f;
  private static final float HALF_PI = 0x1.921fb6p0f;
  private static final float HALF_PI_REST = -0x1.777a5cp-25f;
  private static final float QUARTER_PI = 0x1.921fb6p-1f;
  private static final float QUARTER_PI_REST = -0x1.777a5cp-26f;
  private static final float THREE_QUARTERS_PI = 0x1.2d97c8p1f;
  private static final float THREE_QUARTERS_PI_REST = -0x1.99bc5cp-28f;

  private DeviceFloatArc() {}

  static float asinf(float x) {
    float a = Math.abs(x);
    if (a <= 0.5f) {
      return x + sineTail(x, x * x);
    }
    float z = Math.fma(-0.5f, a, 0.5f);
    float root = sqrtf(z); // NaN if the argument is NaN or out of range
    float rest = Math.fma(-2, sineTail(root, z), HALF_PI_REST);
    return Math.copySign(HALF_PI - Math.fma(2, root, -rest), x);
  }

  static float acosf(float x) {
    float a = Math.abs(x);
    if (a <= 0.5f) {
      return HALF_PI - (x + (sineTail(x, x * x) - HALF_PI_REST));
    }
    float z = Math.fma(-0.5f, a, 0.5f);
    float root = sqrtf(z);
    float angle = 2 * (root + sineTail(root, z));
    return x > 0 ? angle : PI - (angle - PI_REST);
  }

  private static float sqrtf(float x) {
    return (float) Math.sqrt(x);
  }

  private static float sineTail(float s, float z) {
    float p = Math.fma(0.042211805f, z, 0.02415209f);
    p = Math.fma(p, z, 0.04547604f);
    p = Math.fma(p, z, 0.07495252f);
    p = Math.fma(p, z, 0.16666754f);
    return s * z * p;
  }

  static float atanf(float x) {
    float a = Math.abs(x);
    return Math.copySign(a < 0x1p40f ? angle(a, 1, false) : a > 0 ? HALF_PI : a, x);
  }

  static float atan2f(float y, float x) {
    float up = Math.abs(y);
    float along = Math.abs(x);
    if (!(up <= Float.POSITIVE_INFINITY && along <= Float.POSITIVE_INFINITY)) {
      return Float.NaN;
    }
    if (up == Float.POSITIVE_INFINITY) {
      along = along == up ? 1 : 0;
      up = 1;
    } else if (along == Float.POSITIVE_INFINITY) {
      along = 1;
      up = 0;
    } else if (up == 0 && along == 0) {
      along = 1;
    }
    boolean left = Float.floatToRawIntBits(x) < 0;
    if (!left && up < along * 0x1p-30f) {
      return Math.copySign(up / along, y); // which may be subnormal
    }
    float larger = Math.max(up, along);
    float factor = larger > 0x1p120f ? 0x1p-20f : larger < 0x1p-90f ? 0x1p60f : 1;
    return Math.copySign(angle(up * factor, along * factor, left), y);
  }

  private static float angle(float up, float along, boolean left) {
    boolean flat = up <= along * 0.4142f;
    boolean steep = up > along * 2.414f;
    float u = flat ? up : steep ? -along : up - along;
    float v = flat ? along : steep ? up : up + along;
    // The rounding errors of the difference and the sum.
    boolean taller = up > along;
    float smaller = flat || steep ? 0 : taller ? along : up;
    float greater = taller ? up : along;
    float uLost = flat || steep ? 0 : taller ? (greater - u) - smaller : smaller - (u + greater);
    float vLost = flat || steep ? 0 : (greater - v) + smaller;

    float inverse = 1 / v;
    float q = u * inverse;
    float qLost = (Math.fma(-q, v, u) + Math.fma(-q, vLost, uLost)) * inverse;
    float z = q * q;
    float p = Math.fma(-0.060878284f, z, 0.10598502f);
    p = Math.fma(p, z, -0.14244331f);
    p = Math.fma(p, z, 0.19998527f);
    p = Math.fma(p, z, -0.33333316f);
    float rest = Math.fma(q * z, p, qLost);

    float base = flat ? 0 : steep ? HALF_PI : QUARTER_PI;
    float baseRest = flat ? 0 : steep ? HALF_PI_REST : QUARTER_PI_REST;
    if (left) {
      base = flat ? PI : steep ? HALF_PI : THREE_QUARTERS_PI;
      baseRest = flat ? PI_REST : steep ? HALF_PI_REST : THREE_QUARTERS_PI_REST;
      q = -q;
      rest = -rest;
    }
    float angle = base + q;
    float angleLost = (base - angle) + q;
    return angle + (angleLost + (rest + baseRest));
  }
}
