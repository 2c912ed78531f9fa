package dev.stretto.kernel.math;

/**
 * The exact remainder of a division. A quotient of any size is processed from its top, in each
 * round as many bits as a mantissa has: the corresponding multiple of the divisor can be subtracted
 * without rounding, since the difference is a multiple of the divisor's last bit, and smaller than
 * the divisor.
 */
final class DeviceRemainder {
  private DeviceRemainder() {}

  static double remainder(double x, double y) {
    double divisor = Math.abs(y);
    double left = Math.abs(x);
    if (!(left < Double.POSITIVE_INFINITY) || !(divisor > 0)) {
      return Double.NaN;
    }
    while (left >= divisor) {
      int digits = DeviceBits.exponent(left) - DeviceBits.exponent(divisor);
      double step = DeviceBits.scalb(divisor, Math.max(digits - 52, 0));
      left = Math.fma(-Math.floor(left / step), step, left);
      // The division was rounded, perhaps up to the next integer.
      left = left < 0 ? left + step : left;
    }
    return Math.copySign(left, x);
  }

  static float remainder(float x, float y) {
    float divisor = Math.abs(y);
    float left = Math.abs(x);
    if (!(left < Float.POSITIVE_INFINITY) || !(divisor > 0)) {
      return Float.NaN;
    }
    while (left >= divisor) {
      int digits = DeviceBits.exponent(left) - DeviceBits.exponent(divisor);
      float step = DeviceBits.scalb(divisor, Math.max(digits - 23, 0));
      left = Math.fma(-(int) (left / step), step, left);
      left = left < 0 ? left + step : left;
    }
    return Math.copySign(left, x);
  }

  /** {@return x minus its nearest multiple of y; if two are equally near, the even one} */
  static double nearest(double x, double y) {
    double divisor = Math.abs(y);
    double twice = 2 * divisor;
    // Up to twice the divisor, to find out whether the quotient is even.
    double left = twice < Double.POSITIVE_INFINITY ? remainder(x, twice) : x;
    double above = Math.abs(left);
    if (!(above < Double.POSITIVE_INFINITY) || Double.isNaN(y)) {
      return Double.NaN;
    }
    // Avoids twice the remainder and half of the divisor, since neither need be a double.
    if (above > divisor - above) {
      above -= divisor;
      if (above >= divisor - above) {
        above -= divisor;
      }
    }
    return Double.doubleToRawLongBits(x) < 0 ? -above : above;
  }
}
