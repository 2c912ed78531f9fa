package dev.stretto.kernel.math;

/**
 * The inverses of sine, cosine and tangent. Each angle is the sum of a constant (a multiple of π/4)
 * and a small angle computed by a polynomial; each of the two is a double with a correction.
 */
final class DeviceArc {
  private static final double PI = 0x1.921fb54442d18p1;
  private static final double PI_REST = 0x1.1a62633145c07p-53;
  private static final double HALF_PI = 0x1.921fb54442d18p0;
  private static final double HALF_PI_REST = 0x1.1a62633145c07p-54;
  private static final double QUARTER_PI = 0x1.921fb54442d18p-1;
  private static final double QUARTER_PI_REST = 0x1.1a62633145c07p-55;
  private static final double THREE_QUARTERS_PI = 0x1.2d97c7f3321d2p1;
  private static final double THREE_QUARTERS_PI_REST = 0x1.a79394c9e8a0ap-54;

  private DeviceArc() {}

  static double asin(double x) {
    double a = Math.abs(x);
    if (a > 1) {
      return Double.NaN;
    }
    if (a <= 0.5) {
      return x + sineTail(x, x * x);
    }
    // With z = (1 - a) / 2, the angle is a right angle minus twice the arcsine of the square root
    // of z.
    double z = Math.fma(-0.5, a, 0.5);
    double root = Math.sqrt(z);
    double angle = HALF_PI - 2 * root;
    double angleLost = (HALF_PI - angle) - 2 * root;
    double rest = sineTail(root, z) + rootLost(root, z);
    return Math.copySign(angle + (angleLost + Math.fma(-2, rest, HALF_PI_REST)), x);
  }

  static double acos(double x) {
    double a = Math.abs(x);
    if (a > 1) {
      return Double.NaN;
    }
    if (a <= 0.5) {
      double angle = HALF_PI - x;
      double angleLost = (HALF_PI - angle) - x;
      return angle + (angleLost + (HALF_PI_REST - sineTail(x, x * x)));
    }
    double z = Math.fma(-0.5, a, 0.5);
    double root = Math.sqrt(z);
    double rest = sineTail(root, z) + rootLost(root, z);
    if (x > 0) {
      return 2 * (root + rest);
    }
    double angle = PI - 2 * root;
    double angleLost = (PI - angle) - 2 * root;
    return angle + (angleLost + Math.fma(-2, rest, PI_REST));
  }

  /** {@return the rounding error of the square root of z} */
  private static double rootLost(double root, double z) {
    return root == 0 ? 0 : Math.fma(-root, root, z) / (2 * root);
  }

  /** {@return the angle whose sine is s, minus s, for |s| up to 1/2 and z = s²} */
  private static double sineTail(double s, double z) {
    double p = 0.03269593878773404;
    p = Math.fma(p, z, -0.02110705178034932);
    p = Math.fma(p, z, 0.02178402402063071);
    p = Math.fma(p, z, 0.0036748177873904657);
    p = Math.fma(p, z, 0.010788649034571513);
    p = Math.fma(p, z, 0.011397408264914232);
    p = Math.fma(p, z, 0.013981005066549698);
    p = Math.fma(p, z, 0.017351596568704587);
    p = Math.fma(p, z, 0.02237221584973633);
    p = Math.fma(p, z, 0.03038194267714276);
    p = Math.fma(p, z, 0.04464285717525035);
    p = Math.fma(p, z, 0.07499999999970132);
    p = Math.fma(p, z, 0.16666666666666763);
    return s * z * p;
  }

  static double atan(double x) {
    double a = Math.abs(x);
    return Math.copySign(a < 0x1p60 ? angle(a, 1, false) : a > 0 ? HALF_PI : a, x);
  }

  static double atan2(double y, double x) {
    double up = Math.abs(y);
    double along = Math.abs(x);
    if (!(up <= Double.POSITIVE_INFINITY && along <= Double.POSITIVE_INFINITY)) {
      return Double.NaN;
    }
    if (up == Double.POSITIVE_INFINITY) {
      along = along == up ? 1 : 0;
      up = 1;
    } else if (along == Double.POSITIVE_INFINITY) {
      along = 1;
      up = 0;
    } else if (up == 0 && along == 0) {
      along = 1;
    }
    boolean left = Double.doubleToRawLongBits(x) < 0;
    if (!left && up < along * 0x1p-60) {
      return Math.copySign(up / along, y); // which may be subnormal
    }
    // Sums must not overflow, and residues must not vanish; if the residue of the smaller one does,
    // it does not matter.
    double larger = Math.max(up, along);
    double factor = larger > 0x1p1000 ? 0x1p-100 : larger < 0x1p-800 ? 0x1p200 : 1;
    return Math.copySign(angle(up * factor, along * factor, left), y);
  }

  /**
   * {@return the angle of the point with these distances up and along, or to the left} u / v is the
   * tangent of the distance of the angle from a multiple of π/4.
   */
  private static double angle(double up, double along, boolean left) {
    boolean flat = up <= along * 0.4142135623730951;
    boolean steep = up > along * 2.414213562373095;
    double u = flat ? up : steep ? -along : up - along;
    double v = flat ? along : steep ? up : up + along;
    // The rounding errors of the difference and the sum.
    boolean taller = up > along;
    double smaller = flat || steep ? 0 : taller ? along : up;
    double greater = taller ? up : along;
    double uLost = flat || steep ? 0 : taller ? (greater - u) - smaller : smaller - (u + greater);
    double vLost = flat || steep ? 0 : (greater - v) + smaller;

    double inverse = 1 / v;
    double q = u * inverse;
    double qLost = (Math.fma(-q, v, u) + Math.fma(-q, vLost, uLost)) * inverse;
    double z = q * q;
    double p = -0.017853210561845134;
    p = Math.fma(p, z, 0.03801638992391142);
    p = Math.fma(p, z, -0.050374560437240354);
    p = Math.fma(p, z, 0.05847490116911559);
    p = Math.fma(p, z, -0.06663050798398482);
    p = Math.fma(p, z, 0.07692055680233037);
    p = Math.fma(p, z, -0.09090897511775306);
    p = Math.fma(p, z, 0.11111110775242333);
    p = Math.fma(p, z, -0.14285714280039508);
    p = Math.fma(p, z, 0.1999999999995211);
    p = Math.fma(p, z, -0.3333333333333319);
    double rest = Math.fma(q * z, p, Math.fma(-z, qLost, qLost));

    double base = flat ? 0 : steep ? HALF_PI : QUARTER_PI;
    double baseRest = flat ? 0 : steep ? HALF_PI_REST : QUARTER_PI_REST;
    if (left) {
      base = flat ? PI : steep ? HALF_PI : THREE_QUARTERS_PI;
      baseRest = flat ? PI_REST : steep ? HALF_PI_REST : THREE_QUARTERS_PI_REST;
      q = -q;
      rest = -rest;
    }
    double angle = base + q;
    double angleLost = (base - angle) + q;
    return angle + (angleLost + (rest + baseRest));
  }
}
