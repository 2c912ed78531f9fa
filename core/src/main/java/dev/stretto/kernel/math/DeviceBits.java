package dev.stretto.kernel.math;

/** Functions of the bits of a floating-point number. */
final class DeviceBits {
  private DeviceBits() {}

  static int getExponent(double x) {
    return ((int) (Double.doubleToRawLongBits(x) >>> 52) & 0x7ff) - 1023;
  }

  static int getExponent(float x) {
    return ((Float.floatToRawIntBits(x) >>> 23) & 0xff) - 127;
  }

  /**
   * {@return the exponent of x, which is positive and finite, as if the range of exponents were
   * unlimited}
   */
  static int exponent(double x) {
    return x < Double.MIN_NORMAL ? getExponent(x * 0x1p54) - 54 : getExponent(x);
  }

  /**
   * {@return the exponent of x, which is positive and finite, as if the range of exponents were
   * unlimited}
   */
  static int exponent(float x) {
    return x < Float.MIN_NORMAL ? getExponent(x * 0x1p24f) - 24 : getExponent(x);
  }

  static double scalb(double x, int n) {
    int left = Math.max(-2200, Math.min(n, 2200));
    double scaled = x;
    while (left > 1023) {
      scaled *= 0x1p1023;
      left -= 1023;
    }
    // Not by 2 to the -1022 at once: the last step would round a result that was already rounded
    // here, unless nothing is left of it anyway.
    while (left < -1022) {
      scaled *= 0x1p-969;
      left += 969;
    }
    return scaled * DeviceExp.powerOfTwo(left);
  }

  static float scalb(float x, int n) {
    int left = Math.max(-300, Math.min(n, 300));
    float scaled = x;
    while (left > 127) {
      scaled *= 0x1p127f;
      left -= 127;
    }
    while (left < -126) {
      scaled *= 0x1p-102f;
      left += 102;
    }
    return scaled * DeviceFloatExp.powerOfTwo(left);
  }

  static double ulp(double x) {
    double a = Math.abs(x);
    if (!(a < Double.POSITIVE_INFINITY)) {
      return a;
    }
    // For two neighbours in the same binade.
    long bits = Double.doubleToRawLongBits(a);
    return Double.longBitsToDouble(bits | 1) - Double.longBitsToDouble(bits & ~1L);
  }

  static float ulp(float x) {
    float a = Math.abs(x);
    if (!(a < Float.POSITIVE_INFINITY)) {
      return a;
    }
    int bits = Float.floatToRawIntBits(a);
    return Float.intBitsToFloat(bits | 1) - Float.intBitsToFloat(bits & ~1);
  }

  static double nextUp(double x) {
    if (!(x < Double.POSITIVE_INFINITY)) {
      return x;
    }
    long bits = Double.doubleToRawLongBits(x + 0.0); // no negative zero
    return Double.longBitsToDouble(bits >= 0 ? bits + 1 : bits - 1);
  }

  static float nextUp(float x) {
    if (!(x < Float.POSITIVE_INFINITY)) {
      return x;
    }
    int bits = Float.floatToRawIntBits(x + 0.0f);
    return Float.intBitsToFloat(bits >= 0 ? bits + 1 : bits - 1);
  }

  static long round(double x) {
    long whole = (long) x;
    double rest = x - whole;
    if (!(Math.abs(x) < 0x1p52)) {
      return whole; // there is nothing after the point, or x is NaN
    }
    return rest >= 0.5 ? whole + 1 : rest < -0.5 ? whole - 1 : whole;
  }

  static int round(float x) {
    int whole = (int) x;
    float rest = x - whole;
    if (!(Math.abs(x) < 0x1p23f)) {
      return whole;
    }
    return rest >= 0.5f ? whole + 1 : rest < -0.5f ? whole - 1 : whole;
  }
}
