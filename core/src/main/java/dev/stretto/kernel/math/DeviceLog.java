package dev.stretto.kernel.math;

/**
 * Logarithms. An argument is split into 2 to the n times 1 + f, with 1 + f between the square roots
 * of one half and of two. With s = f / (2 + f), the logarithm of 1 + f is 2s + s³R(s²), where R is
 * a polynomial; s is kept as a double with a correction.
 */
final class DeviceLog {
  /** The square root of one half, rounded down. */
  static final long SQRT_HALF_BITS = 0x3fe6a09e667f3bccL;

  /** ln 2 in 42 bits, so that it can be multiplied by any exponent without rounding. */
  static final double LN2_SHORT = 0x1.62e42fefa38p-1;

  /** The difference between ln 2 and {@link #LN2_SHORT}. */
  static final double LN2_SHORT_REST = 0x1.ef35793c7673p-45;

  private static final double LOG10_E = 0x1.bcb7b1526e50ep-2;
  private static final double LOG10_E_REST = 0x1.95355baaafad3p-57;

  private DeviceLog() {}

  static double log(double x, boolean decimal) {
    if (!(x > 0)) {
      return x == 0 ? Double.NEGATIVE_INFINITY : Double.NaN;
    }
    if (x == Double.POSITIVE_INFINITY) {
      return x;
    }
    boolean subnormal = x < Double.MIN_NORMAL;
    long bits = Double.doubleToRawLongBits(subnormal ? x * 0x1p54 : x);
    int n = (int) ((bits - SQRT_HALF_BITS) >> 52);
    double m = Double.longBitsToDouble(bits - ((long) n << 52));
    return log(subnormal ? n - 54 : n, m - 1, 0, decimal);
  }

  static double log1p(double x) {
    if (!(x > -1)) {
      return x == -1 ? Double.NEGATIVE_INFINITY : Double.NaN;
    }
    if (x == Double.POSITIVE_INFINITY || Math.abs(x) < 0x1p-54) {
      return x;
    }
    double sum = 1 + x;
    double lost = x < 1 ? (1 - sum) + x : (x - sum) + 1;
    long bits = Double.doubleToRawLongBits(sum);
    int n = (int) ((bits - SQRT_HALF_BITS) >> 52);
    double m = Double.longBitsToDouble(bits - ((long) n << 52));
    // From 2 to the 200 on, the rounding error no longer matters.
    double small = lost * DeviceExp.powerOfTwo(-Math.min(n, 200));
    double f = (m - 1) + small;
    return log(n, f, ((m - 1) - f) + small, false);
  }

  /** {@return n ln 2 + ln(1 + f + rest), or that divided by ln 10} */
  private static double log(int n, double f, double rest, boolean decimal) {
    double d = 2 + f;
    double dLost = (2 - d) + f;
    double inverse = 1 / d;
    double s = f * inverse;
    double sLost = (Math.fma(-s, d, f) + Math.fma(-s, dLost + rest, rest)) * inverse;
    double z = s * s;
    double p = 0.14795748008283244;
    p = Math.fma(p, z, 0.15314074544665884);
    p = Math.fma(p, z, 0.18183563202918457);
    p = Math.fma(p, z, 0.22222198599415843);
    p = Math.fma(p, z, 0.28571428742069904);
    p = Math.fma(p, z, 0.3999999999941653);
    p = Math.fma(p, z, 0.6666666666666734);
    double correction = Math.fma(s * z, p, 2 * sLost);
    double whole = n * LN2_SHORT;
    double sum = whole + 2 * s;
    double sumLost = (whole - sum) + 2 * s;
    double low = sumLost + Math.fma(n, LN2_SHORT_REST, correction);
    double natural = sum + low;
    if (!decimal) {
      return natural;
    }
    double naturalLost = (sum - natural) + low;
    double decimalRest = Math.fma(natural, LOG10_E_REST, naturalLost * LOG10_E);
    return Math.fma(natural, LOG10_E, decimalRest);
  }
}
