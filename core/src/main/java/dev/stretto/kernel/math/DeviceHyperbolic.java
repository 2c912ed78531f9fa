package dev.stretto.kernel.math;

/**
 * Hyperbolic functions. If e to the x and e to the -x cancel, a polynomial is used; otherwise both
 * are computed, each as a double with a correction, so that only the single rounding at the end
 * counts.
 */
final class DeviceHyperbolic {
  private DeviceHyperbolic() {}

  static double sinh(double x) {
    return Math.abs(x) < 1 ? polynomial(x) : Math.copySign(half(Math.abs(x), -1), x);
  }

  static double cosh(double x) {
    return half(Math.abs(x), 1);
  }

  /** {@return half of e to the x plus sign times e to the -x, for x from 0} */
  private static double half(double x, double sign) {
    if (x > 712) {
      return Double.POSITIVE_INFINITY;
    }
    double n = Math.rint(x * DeviceExp.LOG2_E);
    double high = Math.fma(-n, DeviceExp.LN2, x);
    double low = -n * DeviceExp.LN2_REST;
    double r = high + low;
    double sum = 1 + r;
    double rest = ((1 - sum) + r) + (DeviceExp.tail(r) + ((high - r) + low));
    double grown = sum + rest;
    double grownLost = (sum - grown) + rest;
    double inverse = 1 / grown;
    double inverseLost = Math.fma(-grownLost, inverse, Math.fma(-grown, inverse, 1)) * inverse;
    // Both are divided by 2 to the n, which makes the second one smaller by a factor of 2 to the
    // 2n.
    double factor = sign * DeviceExp.powerOfTwo(-2 * Math.min((int) n, 500));
    double small = inverse * factor;
    double total = grown + small;
    double totalLost = (grown - total) + small;
    double correction = totalLost + Math.fma(inverseLost, factor, grownLost);
    return DeviceExp.scale(total + correction, (int) n - 1);
  }

  private static double polynomial(double x) {
    double z = x * x;
    double p = 7.775690209628183e-13;
    p = Math.fma(p, z, 1.6056687102151888e-10);
    p = Math.fma(p, z, 2.5052130675881298e-08);
    p = Math.fma(p, z, 2.7557319108482705e-06);
    p = Math.fma(p, z, 0.0001984126984158925);
    p = Math.fma(p, z, 0.008333333333332915);
    p = Math.fma(p, z, 0.16666666666666669);
    return Math.fma(x * z, p, x);
  }

  static double tanh(double x) {
    double a = Math.abs(x);
    if (a < 0x1p-28) {
      return x;
    }
    if (a > 22) {
      return Math.copySign(1, x);
    }
    double twice = 2 * a;
    double n = Math.rint(twice * DeviceExp.LOG2_E);
    double high = Math.fma(-n, DeviceExp.LN2, twice);
    double low = -n * DeviceExp.LN2_REST;
    double r = high + low;
    double rest = DeviceExp.tail(r) + ((high - r) + low);
    // (e to the 2x - 1) / (e to the 2x + 1), both divided by 2 to the n.
    double one = DeviceExp.powerOfTwo(-(int) n);
    double above = 1 - one;
    double aboveLost = (1 - above) - one;
    double below = 1 + one;
    double belowLost = (1 - below) + one;
    return Math.copySign(
        DeviceRatio.divide(
            above + r,
            ((above - (above + r)) + r) + (rest + aboveLost),
            below + r,
            ((below - (below + r)) + r) + (rest + belowLost)),
        x);
  }
}
