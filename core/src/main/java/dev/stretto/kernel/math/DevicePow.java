package dev.stretto.kernel.math;

/**
 * x to the y, computed as e to the y ln x. The exponent magnifies the error of the logarithm up to
 * a thousand times, so the logarithm is computed to some seventy bits, in pairs of doubles: a
 * double and its correction.
 */
final class DevicePow {
  private DevicePow() {}

  static double pow(double x, double y) {
    if (y == 0) {
      return 1;
    }
    if (Double.isNaN(x) || Double.isNaN(y)) {
      return Double.NaN;
    }
    double a = Math.abs(x);
    boolean growing = a > 1 == y > 0;
    if (Math.abs(y) == Double.POSITIVE_INFINITY) {
      return a == 1 ? Double.NaN : growing ? Double.POSITIVE_INFINITY : 0;
    }
    boolean negative = Double.doubleToRawLongBits(x) < 0;
    double size;
    if (a == 0 || a == Double.POSITIVE_INFINITY) {
      size = growing ? Double.POSITIVE_INFINITY : 0;
    } else if (negative && Math.rint(y) != y) {
      return Double.NaN;
    } else {
      size = powerOfPositive(a, y);
    }
    return negative && isOdd(y) ? -size : size;
  }

  private static boolean isOdd(double y) {
    return Math.abs(y) < 0x1p53 && Math.rint(y) == y && ((long) y & 1) != 0;
  }

  private static double powerOfPositive(double x, double y) {
    boolean subnormal = x < Double.MIN_NORMAL;
    long bits = Double.doubleToRawLongBits(subnormal ? x * 0x1p54 : x);
    int n = (int) ((bits - DeviceLog.SQRT_HALF_BITS) >> 52);
    double f = Double.longBitsToDouble(bits - ((long) n << 52)) - 1;

    // s = f / (2 + f)
    double d = 2 + f;
    double dLost = (2 - d) + f;
    double inverse = 1 / d;
    double s = f * inverse;
    double sLost = Math.fma(-s, dLost, Math.fma(-s, d, f)) * inverse;

    // z = s²
    double z = s * s;
    double zLost = Math.fma(2 * s, sLost, Math.fma(s, s, -z));

    // t = 2/5 + z P(z)
    double u = z * polynomial(z);
    double t = 0x1.999999999999ap-2 + u;
    double tLost = ((0x1.999999999999ap-2 - t) + u) - 0x1.999999999999ap-56;

    // w = 2/3 + z t
    double v = z * t;
    double vLost = Math.fma(z, t, -v) + Math.fma(z, tLost, zLost * t);
    double w = 0x1.5555555555555p-1 + v;
    double wLost = ((0x1.5555555555555p-1 - w) + v) + (vLost + 0x1.5555555555555p-55);

    // g = s z w, so that ln(1 + f) = 2s + g
    double k = z * w;
    double kLost = Math.fma(z, w, -k) + Math.fma(z, wLost, zLost * w);
    double g = s * k;
    double gLost = Math.fma(s, k, -g) + Math.fma(s, kLost, sLost * k);

    double whole = (subnormal ? n - 54 : n) * DeviceLog.LN2_SHORT;
    double wholeRest = (subnormal ? n - 54 : n) * DeviceLog.LN2_SHORT_REST;
    double sum = whole + 2 * s;
    double sumLost = (whole - sum) + 2 * s;
    double more = sum + g;
    double moreLost = (sum - more) + g;
    double low = moreLost + (sumLost + (2 * sLost + (gLost + wholeRest)));
    double log = more + low;
    double logLost = (more - log) + low;

    // Larger exponents make no difference, and this one cannot overflow below.
    double exponent = Math.max(-0x1p70, Math.min(0x1p70, y));
    double product = exponent * log;
    double productLost = Math.fma(exponent, logLost, Math.fma(exponent, log, -product));
    return DeviceExp.exp(product, productLost);
  }

  private static double polynomial(double z) {
    double p = 0.1191095267185961;
    p = Math.fma(p, z, 0.11685044180979237);
    p = Math.fma(p, z, 0.13335763010493412);
    p = Math.fma(p, z, 0.1538457290135046);
    p = Math.fma(p, z, 0.1818181860541335);
    p = Math.fma(p, z, 0.22222222220012577);
    return Math.fma(p, z, 0.2857142857143316);
  }
}
