package dev.stretto.kernel.math;

/**
 * The exponential function. An argument is split into n ln 2 + r with |r| at most half of ln 2; a
 * polynomial computes e to the r, and 2 to the n goes into the exponent.
 */
final class DeviceExp {
  static final double LOG2_E = 0x1.71547652b82fep0;
  static final double LN2 = 0x1.62e42fefa39efp-1;

  /** The difference between ln 2 and {@link #LN2}. */
  static final double LN2_REST = 0x1.abc9e3b39803fp-56;

  private DeviceExp() {}

  /**
   * {@return e to the sum of the arguments, of which the second is a rounding error of the first}
   */
  static double exp(double x, double rest) {
    if (x > 710) {
      return Double.POSITIVE_INFINITY;
    }
    if (x < -746) {
      return 0;
    }
    double n = Math.rint(x * LOG2_E);
    double high = Math.fma(-n, LN2, x); // exact: both terms are multiples of the same small unit
    double low = Math.fma(-n, LN2_REST, rest);
    double r = high + low;
    double lost = (high - r) + low;
    double sum = 1 + r;
    double sumLost = (1 - sum) + r;
    return scale(sum + (sumLost + (tail(r) + Math.fma(r, lost, lost))), (int) n);
  }

  static double expm1(double x) {
    if (x > 710) {
      return Double.POSITIVE_INFINITY;
    }
    if (x < -40) {
      return -1;
    }
    if (Math.abs(x) < 0x1p-54) {
      return x; // also keeps the sign of a zero
    }
    double n = Math.rint(x * LOG2_E);
    double high = Math.fma(-n, LN2, x);
    double low = -n * LN2_REST;
    double r = high + low;
    double lost = (high - r) + low;
    // Everything is divided by 2 to the n, which leaves (1 - 2 to the -n) + r + tail.
    double one = powerOfTwo(-Math.min((int) n, 200));
    double base = 1 - one;
    double baseLost = (1 - base) - one;
    double sum = base + r;
    double sumLost = (base - sum) + r;
    // The square can be a third of the remaining sum, so its rounding error matters.
    double half = 0.5 * r * r;
    double halfLost = Math.fma(0.5 * r, r, -half);
    double more = sum + half;
    double moreLost = (sum - more) + half;
    double rest = Math.fma(2 * r * half, polynomial(r), Math.fma(r, lost, lost) + halfLost);
    return scale(more + (moreLost + (sumLost + (rest + baseLost))), (int) n);
  }

  /** {@return e to the r, less 1 + r, for |r| up to half of ln 2} */
  static double tail(double r) {
    return r * r * Math.fma(polynomial(r), r, 0.5);
  }

  /** {@return (e to the r, less 1 + r + r²/2) / r³} */
  private static double polynomial(double r) {
    double p = 2.0926610116424013e-09;
    p = Math.fma(p, r, 2.5111897476400347e-08);
    p = Math.fma(p, r, 2.755723468812469e-07);
    p = Math.fma(p, r, 2.755723537371024e-06);
    p = Math.fma(p, r, 2.480158737173432e-05);
    p = Math.fma(p, r, 0.00019841269895712116);
    p = Math.fma(p, r, 0.0013888888888859852);
    p = Math.fma(p, r, 0.008333333333317403);
    p = Math.fma(p, r, 0.04166666666666672);
    return Math.fma(p, r, 0.16666666666666682);
  }

  /**
   * {@return x times 2 to the n} For x near 1 and |n| up to 2044. In two steps, since 2 to the n
   * need not be a double; only the second step can round.
   */
  static double scale(double x, int n) {
    int half = n >> 1;
    return x * powerOfTwo(half) * powerOfTwo(n - half);
  }

  /** {@return 2 to the n, for n from -1022 to 1023} */
  static double powerOfTwo(int n) {
    return Double.longBitsToDouble((n + 1023L) << 52);
  }
}
