package dev.stretto.kernel.math;

/**
 * Sine, cosine and tangent. An argument is reduced to a multiple of a right angle and a remainder,
 * kept as a double with a correction: by three parts of π/2 if the multiple is an int, and beyond
 * that by as many bits of 2/π as matter.
 */
final class DeviceTrig {
  static final int SINE = 0;
  static final int COSINE = 1;
  static final int TANGENT = 2;

  private static final double RIGHT_ANGLE = 0x1.921fb54442d18p0;
  private static final double RIGHT_ANGLE_REST = 0x1.1a62633145c07p-54;
  private static final double RIGHT_ANGLE_REST_2 = -0x1.f1976b7ed8fbcp-110;
  private static final double PER_RIGHT_ANGLE = 0x1.45f306dc9c883p-1;

  private DeviceTrig() {}

  /** {@return the sine, cosine or tangent of x; which of them must be a constant} */
  static double of(double x, int function) {
    double a = Math.abs(x);
    if (!(a < Double.POSITIVE_INFINITY)) {
      return Double.NaN;
    }
    if (a < 0x1p-27) {
      return function == COSINE ? 1 : x; // also keeps the sign of a zero
    }
    int quarter;
    double high;
    double low;
    if (a < 0x1p30) {
      double n = Math.rint(a * PER_RIGHT_ANGLE);
      quarter = (int) n;
      double r = Math.fma(-n, RIGHT_ANGLE, a); // exact
      double product = n * RIGHT_ANGLE_REST;
      high = r - product;
      double taken = high - r;
      double lost = (r - (high - taken)) - (product + taken);
      low = Math.fma(-n, RIGHT_ANGLE_REST_2, lost - Math.fma(n, RIGHT_ANGLE_REST, -product));
    } else {
      // Bits of 2/π that weigh 4 or more only add full circles: the product begins below them.
      int exponent = (int) (Double.doubleToRawLongBits(a) >>> 52) - 1023;
      long mantissa = (Double.doubleToRawLongBits(a) & 0xfffffffffffffL) | 0x10000000000000L;
      int at = exponent + 10;
      long word0 = 0;
      long word1 = 0;
      long word2 = 0;
      long word3 = 0;
      for (int i = 0; i < 4; i++) {
        word0 = word1;
        word1 = word2;
        word2 = word3;
        word3 = DevicePi.wordOfInverse((at >> 6) + i);
      }
      int shift = at & 63;
      long first = DevicePi.join(word0, word1, shift);
      long second = DevicePi.join(word1, word2, shift);
      long third = DevicePi.join(word2, word3, shift);
      long carried = DevicePi.multiplyHigh(mantissa, third);
      long bottom = mantissa * second + carried;
      long carry = Long.compareUnsigned(bottom, carried) < 0 ? 1 : 0;
      long top = mantissa * first + DevicePi.multiplyHigh(mantissa, second) + carry;
      quarter = (int) (((top >>> 61) + 1) >>> 1);
      // A fraction of a right angle from -1/2 to 1/2, with the point before its first bit.
      long fraction = (top << 2) | (bottom >>> 62);
      double rounded = (double) fraction;
      double more = (double) (fraction - (long) rounded) + (double) ((bottom << 2) >>> 1) * 0x1p-63;
      double turn = rounded + more;
      double turnLost = (rounded - turn) + more;
      high = turn * (RIGHT_ANGLE * 0x1p-64);
      low = Math.fma(turn, RIGHT_ANGLE * 0x1p-64, -high);
      low = Math.fma(turn, RIGHT_ANGLE_REST * 0x1p-64, low);
      low = Math.fma(turnLost, RIGHT_ANGLE * 0x1p-64, low);
    }
    double r = high + low;
    double rest = (high - r) + low;
    if (function == TANGENT) {
      double size = tangent(r, rest, (quarter & 1) != 0);
      return x < 0 ? -size : size;
    }
    int turned = function == COSINE ? quarter + 1 : quarter;
    double value = (turned & 1) == 0 ? sine(r, rest) : cosine(r, rest);
    boolean negative = ((turned & 2) != 0) != (function == SINE && x < 0);
    return negative ? -value : value;
  }

  private static double sine(double r, double rest) {
    double z = r * r;
    return r + sineTail(r, z, rest);
  }

  private static double cosine(double r, double rest) {
    double z = r * r;
    double one = Math.fma(-0.5, z, 1);
    return one + cosineTail(r, z, rest, one);
  }

  private static double tangent(double r, double rest, boolean odd) {
    double z = r * r;
    double one = Math.fma(-0.5, z, 1);
    double sineTail = sineTail(r, z, rest);
    double cosineTail = cosineTail(r, z, rest, one);
    return DeviceRatio.divide(
        odd ? one : r, odd ? cosineTail : sineTail, odd ? -r : one, odd ? -sineTail : cosineTail);
  }

  /** {@return the sine of r + rest, minus r} */
  private static double sineTail(double r, double z, double rest) {
    double p = 1.5896681806101507e-10;
    p = Math.fma(p, z, -2.5050756713878834e-08);
    p = Math.fma(p, z, 2.755731368757174e-06);
    p = Math.fma(p, z, -0.00019841269829813416);
    p = Math.fma(p, z, 0.008333333333322455);
    p = Math.fma(p, z, -0.16666666666666632);
    return Math.fma(z * r, p, Math.fma(-0.5 * z, rest, rest));
  }

  /** {@return the cosine of r + rest, minus {@code one}, which is 1 - z/2 rounded} */
  private static double cosineTail(double r, double z, double rest, double one) {
    double p = -1.1359802429023988e-11;
    p = Math.fma(p, z, 2.087572705840148e-09);
    p = Math.fma(p, z, -2.7557314387467385e-07);
    p = Math.fma(p, z, 2.480158728963631e-05);
    p = Math.fma(p, z, -0.0013888888888874441);
    p = Math.fma(p, z, 0.0416666666666666);
    double lost = Math.fma(-0.5, z, 1 - one);
    double square = Math.fma(-0.5, Math.fma(r, r, -z), -r * rest);
    return lost + Math.fma(z * z, p, square);
  }
}
