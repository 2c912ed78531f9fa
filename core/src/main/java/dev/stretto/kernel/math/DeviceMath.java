package dev.stretto.kernel.math;

/**
 * Mathematics in plain Java, which the compiler inlines into kernels: the methods of {@link Math}
 * that a kernel may use and a GPU has no instruction for.
 *
 * <p>Names, parameters and results are those of {@link Math}, including NaN, infinities and signed
 * zeros. "Off by at most" is the largest error found, in units in the last place of the result:
 * among ten million arguments, or among all arguments if there is a single {@code float}.
 *
 * <p>Methods that {@link Math} has only for {@code double} also exist for {@code float} here,
 * computed in single precision. Java chooses these methods for integer arguments: cast the argument
 * to {@code double} for a more accurate result.
 *
 * <p>Nothing here allocates, recurses, reads a table, or throws, unless an integer is divided by
 * zero. Of {@link Math} itself it needs only fma, abs, sqrt, rint, floor, copySign, min and max. A
 * compiler must not contract a product and a sum in this code into an fma: fma is written out where
 * it is meant, and elsewhere contraction would destroy rounding errors that the code computes.
 */
public final class DeviceMath {
  private DeviceMath() {}

  /**
   * {@return <i>e</i> to the {@code x}, off by at most 0.76 ulp} Special cases are those of {@link
   * Math#exp(double)}.
   *
   * @param x the argument
   */
  public static double exp(double x) {
    return DeviceExp.exp(x, 0);
  }

  /**
   * {@return <i>e</i> to the {@code x}, off by at most 0.92 ulp} Special cases are those of {@link
   * Math#exp(double)}.
   *
   * @param x the argument
   */
  public static float exp(float x) {
    return DeviceFloatExp.expf(x);
  }

  /**
   * {@return <i>e</i> to the {@code x}, minus 1, off by at most 0.71 ulp} Special cases are those
   * of {@link Math#expm1(double)}.
   *
   * @param x the argument
   */
  public static double expm1(double x) {
    return DeviceExp.expm1(x);
  }

  /**
   * {@return <i>e</i> to the {@code x}, minus 1, off by at most 0.89 ulp} Special cases are those
   * of {@link Math#expm1(double)}.
   *
   * @param x the argument
   */
  public static float expm1(float x) {
    return DeviceFloatExp.expm1f(x);
  }

  /**
   * {@return the natural logarithm of {@code x}, off by at most 0.56 ulp} Special cases are those
   * of {@link Math#log(double)}.
   *
   * @param x the argument
   */
  public static double log(double x) {
    return DeviceLog.log(x, false);
  }

  /**
   * {@return the natural logarithm of {@code x}, off by at most 0.96 ulp} Special cases are those
   * of {@link Math#log(double)}.
   *
   * @param x the argument
   */
  public static float log(float x) {
    return DeviceFloatLog.logf(x, false);
  }

  /**
   * {@return the decimal logarithm of {@code x}, off by at most 0.55 ulp} Special cases are those
   * of {@link Math#log10(double)}.
   *
   * @param x the argument
   */
  public static double log10(double x) {
    return DeviceLog.log(x, true);
  }

  /**
   * {@return the decimal logarithm of {@code x}, off by at most 0.85 ulp} Special cases are those
   * of {@link Math#log10(double)}.
   *
   * @param x the argument
   */
  public static float log10(float x) {
    return DeviceFloatLog.logf(x, true);
  }

  /**
   * {@return the natural logarithm of 1 + {@code x}, off by at most 0.57 ulp} Special cases are
   * those of {@link Math#log1p(double)}.
   *
   * @param x the argument
   */
  public static double log1p(double x) {
    return DeviceLog.log1p(x);
  }

  /**
   * {@return the natural logarithm of 1 + {@code x}, off by at most 0.93 ulp} Special cases are
   * those of {@link Math#log1p(double)}.
   *
   * @param x the argument
   */
  public static float log1p(float x) {
    return DeviceFloatLog.log1pf(x);
  }

  /**
   * {@return {@code x} to the {@code y}, off by at most 0.76 ulp} Special cases are those of {@link
   * Math#pow(double, double)}.
   *
   * @param x the first argument
   * @param y the second argument
   */
  public static double pow(double x, double y) {
    return DevicePow.pow(x, y);
  }

  /**
   * {@return {@code x} to the {@code y}, off by at most 0.78 ulp} Special cases are those of {@link
   * Math#pow(double, double)}.
   *
   * @param x the first argument
   * @param y the second argument
   */
  public static float pow(float x, float y) {
    return DeviceFloatLog.powf(x, y);
  }

  /**
   * {@return the sine of {@code x} radians, off by at most 0.72 ulp} Special cases are those of
   * {@link Math#sin(double)}.
   *
   * @param x the argument
   */
  public static double sin(double x) {
    return DeviceTrig.of(x, DeviceTrig.SINE);
  }

  /**
   * {@return the sine of {@code x} radians, off by at most 0.88 ulp} Special cases are those of
   * {@link Math#sin(double)}.
   *
   * @param x the argument
   */
  public static float sin(float x) {
    return DeviceFloatTrig.of(x, DeviceTrig.SINE);
  }

  /**
   * {@return the cosine of {@code x} radians, off by at most 0.73 ulp} Special cases are those of
   * {@link Math#cos(double)}.
   *
   * @param x the argument
   */
  public static double cos(double x) {
    return DeviceTrig.of(x, DeviceTrig.COSINE);
  }

  /**
   * {@return the cosine of {@code x} radians, off by at most 0.89 ulp} Special cases are those of
   * {@link Math#cos(double)}.
   *
   * @param x the argument
   */
  public static float cos(float x) {
    return DeviceFloatTrig.of(x, DeviceTrig.COSINE);
  }

  /**
   * {@return the tangent of {@code x} radians, off by at most 0.82 ulp} Special cases are those of
   * {@link Math#tan(double)}.
   *
   * @param x the argument
   */
  public static double tan(double x) {
    return DeviceTrig.of(x, DeviceTrig.TANGENT);
  }

  /**
   * {@return the tangent of {@code x} radians, off by at most 1.20 ulp} Special cases are those of
   * {@link Math#tan(double)}.
   *
   * @param x the argument
   */
  public static float tan(float x) {
    return DeviceFloatTrig.of(x, DeviceTrig.TANGENT);
  }

  /**
   * {@return the angle from -π/2 to π/2 radians whose sine is {@code x}, off by at most 0.64 ulp}
   * Special cases are those of {@link Math#asin(double)}.
   *
   * @param x the argument
   */
  public static double asin(double x) {
    return DeviceArc.asin(x);
  }

  /**
   * {@return the angle from -π/2 to π/2 radians whose sine is {@code x}, off by at most 1.67 ulp}
   * Special cases are those of {@link Math#asin(double)}.
   *
   * @param x the argument
   */
  public static float asin(float x) {
    return DeviceFloatArc.asinf(x);
  }

  /**
   * {@return the angle from 0 to π radians whose cosine is {@code x}, off by at most 0.61 ulp}
   * Special cases are those of {@link Math#acos(double)}.
   *
   * @param x the argument
   */
  public static double acos(double x) {
    return DeviceArc.acos(x);
  }

  /**
   * {@return the angle from 0 to π radians whose cosine is {@code x}, off by at most 1.14 ulp}
   * Special cases are those of {@link Math#acos(double)}.
   *
   * @param x the argument
   */
  public static float acos(float x) {
    return DeviceFloatArc.acosf(x);
  }

  /**
   * {@return the angle from -π/2 to π/2 radians whose tangent is {@code x}, off by at most 0.66
   * ulp} Special cases are those of {@link Math#atan(double)}.
   *
   * @param x the argument
   */
  public static double atan(double x) {
    return DeviceArc.atan(x);
  }

  /**
   * {@return the angle from -π/2 to π/2 radians whose tangent is {@code x}, off by at most 0.91
   * ulp} Special cases are those of {@link Math#atan(double)}.
   *
   * @param x the argument
   */
  public static float atan(float x) {
    return DeviceFloatArc.atanf(x);
  }

  /**
   * {@return the angle from -π to π radians of the point ({@code x}, {@code y}), off by at most
   * 0.60 ulp} Special cases are those of {@link Math#atan2(double, double)}.
   *
   * @param y the second argument
   * @param x the first argument
   */
  public static double atan2(double y, double x) {
    return DeviceArc.atan2(y, x);
  }

  /**
   * {@return the angle from -π to π radians of the point ({@code x}, {@code y}), off by at most
   * 0.82 ulp} Special cases are those of {@link Math#atan2(double, double)}.
   *
   * @param y the second argument
   * @param x the first argument
   */
  public static float atan2(float y, float x) {
    return DeviceFloatArc.atan2f(y, x);
  }

  /**
   * {@return the hyperbolic sine of {@code x}, off by at most 0.73 ulp} Special cases are those of
   * {@link Math#sinh(double)}.
   *
   * @param x the argument
   */
  public static double sinh(double x) {
    return DeviceHyperbolic.sinh(x);
  }

  /**
   * {@return the hyperbolic sine of {@code x}, off by at most 1.59 ulp} Special cases are those of
   * {@link Math#sinh(double)}.
   *
   * @param x the argument
   */
  public static float sinh(float x) {
    return DeviceFloatExp.sinhf(x);
  }

  /**
   * {@return the hyperbolic cosine of {@code x}, off by at most 0.66 ulp} Special cases are those
   * of {@link Math#cosh(double)}.
   *
   * @param x the argument
   */
  public static double cosh(double x) {
    return DeviceHyperbolic.cosh(x);
  }

  /**
   * {@return the hyperbolic cosine of {@code x}, off by at most 1.14 ulp} Special cases are those
   * of {@link Math#cosh(double)}.
   *
   * @param x the argument
   */
  public static float cosh(float x) {
    return DeviceFloatExp.coshf(x);
  }

  /**
   * {@return the hyperbolic tangent of {@code x}, off by at most 0.84 ulp} Special cases are those
   * of {@link Math#tanh(double)}.
   *
   * @param x the argument
   */
  public static double tanh(double x) {
    return DeviceHyperbolic.tanh(x);
  }

  /**
   * {@return the hyperbolic tangent of {@code x}, off by at most 1.48 ulp} Special cases are those
   * of {@link Math#tanh(double)}.
   *
   * @param x the argument
   */
  public static float tanh(float x) {
    return DeviceFloatExp.tanhf(x);
  }

  /**
   * {@return the cube root of {@code x}, off by at most 0.51 ulp} Special cases are those of {@link
   * Math#cbrt(double)}.
   *
   * @param x the argument
   */
  public static double cbrt(double x) {
    return DeviceRoot.cbrt(x);
  }

  /**
   * {@return the cube root of {@code x}, off by at most 0.51 ulp} Special cases are those of {@link
   * Math#cbrt(double)}.
   *
   * @param x the argument
   */
  public static float cbrt(float x) {
    return DeviceFloatRoot.cbrtf(x);
  }

  /**
   * {@return the square root of {@code x}² + {@code y}², without overflow on the way, off by at
   * most 0.73 ulp} Special cases are those of {@link Math#hypot(double, double)}.
   *
   * @param x the first argument
   * @param y the second argument
   */
  public static double hypot(double x, double y) {
    return DeviceRoot.hypot(x, y);
  }

  /**
   * {@return the square root of {@code x}² + {@code y}², without overflow on the way, off by at
   * most 1.01 ulp} Special cases are those of {@link Math#hypot(double, double)}.
   *
   * @param x the first argument
   * @param y the second argument
   */
  public static float hypot(float x, float y) {
    return DeviceFloatRoot.hypotf(x, y);
  }

  /**
   * {@return the exact result of {@code x % y} in Java: with the sign of {@code x}, and smaller in
   * magnitude than {@code y}}
   *
   * @param x the first argument
   * @param y the second argument
   */
  public static double remainder(double x, double y) {
    return DeviceRemainder.remainder(x, y);
  }

  /**
   * {@return the exact result of {@code x % y} in Java: with the sign of {@code x}, and smaller in
   * magnitude than {@code y}}
   *
   * @param x the first argument
   * @param y the second argument
   */
  public static float remainder(float x, float y) {
    return DeviceRemainder.remainder(x, y);
  }

  /**
   * {@return {@code x} minus the nearest multiple of {@code y}, exactly} If two are equally near,
   * the even one. Special cases are those of {@link Math#IEEEremainder(double, double)}.
   *
   * @param x the first argument
   * @param y the second argument
   */
  public static double IEEEremainder(double x, double y) {
    return DeviceRemainder.nearest(x, y);
  }

  /**
   * {@return the nearest long, with halves rounded up} NaN becomes 0, and numbers beyond the range
   * of long become the nearest long.
   *
   * @param x the argument
   */
  public static long round(double x) {
    return DeviceBits.round(x);
  }

  /**
   * {@return the nearest int, with halves rounded up} NaN becomes 0, and numbers beyond the range
   * of int become the nearest int.
   *
   * @param x the argument
   */
  public static int round(float x) {
    return DeviceBits.round(x);
  }

  /**
   * {@return {@code x} times 2 to the {@code n}, rounded once}
   *
   * @param x the argument
   * @param n the power of two
   */
  public static double scalb(double x, int n) {
    return DeviceBits.scalb(x, n);
  }

  /**
   * {@return {@code x} times 2 to the {@code n}, rounded once}
   *
   * @param x the argument
   * @param n the power of two
   */
  public static float scalb(float x, int n) {
    return DeviceBits.scalb(x, n);
  }

  /**
   * {@return the unbiased exponent of {@code x}} For zeros and subnormal numbers, {@link
   * Double#MIN_EXPONENT} - 1; for NaN and infinities, {@link Double#MAX_EXPONENT} + 1.
   *
   * @param x the argument
   */
  public static int getExponent(double x) {
    return DeviceBits.getExponent(x);
  }

  /**
   * {@return the unbiased exponent of {@code x}} For zeros and subnormal numbers, {@link
   * Float#MIN_EXPONENT} - 1; for NaN and infinities, {@link Float#MAX_EXPONENT} + 1.
   *
   * @param x the argument
   */
  public static int getExponent(float x) {
    return DeviceBits.getExponent(x);
  }

  /**
   * {@return the unit in the last place of {@code x}: the distance to its neighbour of greater
   * magnitude}
   *
   * @param x the argument
   */
  public static double ulp(double x) {
    return DeviceBits.ulp(x);
  }

  /**
   * {@return the unit in the last place of {@code x}: the distance to its neighbour of greater
   * magnitude}
   *
   * @param x the argument
   */
  public static float ulp(float x) {
    return DeviceBits.ulp(x);
  }

  /**
   * {@return the smallest number greater than {@code x}, or {@code x} if it is infinity or NaN}
   *
   * @param x the argument
   */
  public static double nextUp(double x) {
    return DeviceBits.nextUp(x);
  }

  /**
   * {@return the smallest number greater than {@code x}, or {@code x} if it is infinity or NaN}
   *
   * @param x the argument
   */
  public static float nextUp(float x) {
    return DeviceBits.nextUp(x);
  }

  /**
   * {@return the largest number less than {@code x}, or {@code x} if it is negative infinity or
   * NaN}
   *
   * @param x the argument
   */
  public static double nextDown(double x) {
    return -DeviceBits.nextUp(-x);
  }

  /**
   * {@return the largest number less than {@code x}, or {@code x} if it is negative infinity or
   * NaN}
   *
   * @param x the argument
   */
  public static float nextDown(float x) {
    return -DeviceBits.nextUp(-x);
  }

  /**
   * {@return the number next to another in the direction of a third; the third if both are equal}
   * Exact.
   *
   * @param start where to begin
   * @param direction where to go
   */
  public static double nextAfter(double start, double direction) {
    if (start > direction) {
      return nextDown(start);
    }
    return start < direction ? nextUp(start) : start == direction ? direction : start + direction;
  }

  /**
   * {@return the number next to another in the direction of a third; the third if both are equal}
   * Exact.
   *
   * @param start where to begin
   * @param direction where to go
   */
  public static float nextAfter(float start, double direction) {
    if (start > direction) {
      return nextDown(start);
    }
    return start < direction
        ? nextUp(start)
        : start == direction ? (float) direction : start + (float) direction;
  }

  /**
   * {@return an angle in radians}
   *
   * @param degrees an angle in degrees
   */
  public static double toRadians(double degrees) {
    return degrees * 0.017453292519943295;
  }

  /**
   * {@return an angle in degrees}
   *
   * @param radians an angle in radians
   */
  public static double toDegrees(double radians) {
    return radians * 57.29577951308232;
  }

  /**
   * {@return {@code value}, or the bound that it exceeds} If the bounds are in the wrong order or
   * NaN, which {@link Math} refuses, the result is {@code max} or NaN.
   *
   * @param value the number
   * @param min the smallest result
   * @param max the largest result
   */
  public static double clamp(double value, double min, double max) {
    return Math.min(max, Math.max(value, min));
  }

  /**
   * {@return {@code value}, or the bound that it exceeds} If the bounds are in the wrong order or
   * NaN, which {@link Math} refuses, the result is {@code max} or NaN.
   *
   * @param value the number
   * @param min the smallest result
   * @param max the largest result
   */
  public static float clamp(float value, float min, float max) {
    return Math.min(max, Math.max(value, min));
  }

  /**
   * {@return {@code value}, or the bound that it exceeds} If the bounds are in the wrong order,
   * which {@link Math} refuses, the result is {@code max}.
   *
   * @param value the number
   * @param min the smallest result
   * @param max the largest result
   */
  public static long clamp(long value, long min, long max) {
    return Math.min(max, Math.max(value, min));
  }

  /**
   * {@return {@code value}, or the bound that it exceeds} If the bounds are in the wrong order,
   * which {@link Math} refuses, the result is {@code max}.
   *
   * @param value the number
   * @param min the smallest result
   * @param max the largest result
   */
  public static int clamp(long value, int min, int max) {
    return (int) Math.min(max, Math.max(value, min));
  }

  /**
   * {@return the largest integer that is at most the quotient} The smallest integer divided by -1
   * is itself.
   *
   * @throws ArithmeticException if {@code y} is 0; on a GPU the result is undefined instead
   * @param x the first argument
   * @param y the second argument
   */
  public static int floorDiv(int x, int y) {
    int quotient = x / y;
    return (x ^ y) < 0 && quotient * y != x ? quotient - 1 : quotient;
  }

  /**
   * {@return the largest integer that is at most the quotient} The smallest integer divided by -1
   * is itself.
   *
   * @throws ArithmeticException if {@code y} is 0; on a GPU the result is undefined instead
   * @param x the first argument
   * @param y the second argument
   */
  public static long floorDiv(long x, long y) {
    long quotient = x / y;
    return (x ^ y) < 0 && quotient * y != x ? quotient - 1 : quotient;
  }

  /**
   * {@return the largest integer that is at most the quotient} The smallest integer divided by -1
   * is itself.
   *
   * @throws ArithmeticException if {@code y} is 0; on a GPU the result is undefined instead
   * @param x the first argument
   * @param y the second argument
   */
  public static long floorDiv(long x, int y) {
    long quotient = x / y;
    return (x ^ y) < 0 && quotient * y != x ? quotient - 1 : quotient;
  }

  /**
   * {@return {@code x} minus {@code floorDiv(x, y) * y}: with the sign of {@code y}}
   *
   * @throws ArithmeticException if {@code y} is 0; on a GPU the result is undefined instead
   * @param x the first argument
   * @param y the second argument
   */
  public static int floorMod(int x, int y) {
    int rest = x % y;
    return (rest ^ y) < 0 && rest != 0 ? rest + y : rest;
  }

  /**
   * {@return {@code x} minus {@code floorDiv(x, y) * y}: with the sign of {@code y}}
   *
   * @throws ArithmeticException if {@code y} is 0; on a GPU the result is undefined instead
   * @param x the first argument
   * @param y the second argument
   */
  public static long floorMod(long x, long y) {
    long rest = x % y;
    return (rest ^ y) < 0 && rest != 0 ? rest + y : rest;
  }

  /**
   * {@return {@code x} minus {@code floorDiv(x, y) * y}: with the sign of {@code y}}
   *
   * @throws ArithmeticException if {@code y} is 0; on a GPU the result is undefined instead
   * @param x the first argument
   * @param y the second argument
   */
  public static int floorMod(long x, int y) {
    int rest = (int) (x % y);
    return (rest ^ y) < 0 && rest != 0 ? rest + y : rest;
  }

  /**
   * {@return the smallest integer that is at least the quotient} The smallest integer divided by -1
   * is itself.
   *
   * @throws ArithmeticException if {@code y} is 0; on a GPU the result is undefined instead
   * @param x the first argument
   * @param y the second argument
   */
  public static int ceilDiv(int x, int y) {
    int quotient = x / y;
    return (x ^ y) >= 0 && quotient * y != x ? quotient + 1 : quotient;
  }

  /**
   * {@return the smallest integer that is at least the quotient} The smallest integer divided by -1
   * is itself.
   *
   * @throws ArithmeticException if {@code y} is 0; on a GPU the result is undefined instead
   * @param x the first argument
   * @param y the second argument
   */
  public static long ceilDiv(long x, long y) {
    long quotient = x / y;
    return (x ^ y) >= 0 && quotient * y != x ? quotient + 1 : quotient;
  }

  /**
   * {@return the smallest integer that is at least the quotient} The smallest integer divided by -1
   * is itself.
   *
   * @throws ArithmeticException if {@code y} is 0; on a GPU the result is undefined instead
   * @param x the first argument
   * @param y the second argument
   */
  public static long ceilDiv(long x, int y) {
    long quotient = x / y;
    return (x ^ y) >= 0 && quotient * y != x ? quotient + 1 : quotient;
  }

  /**
   * {@return {@code x} minus {@code ceilDiv(x, y) * y}: with the sign opposite to that of {@code
   * y}}
   *
   * @throws ArithmeticException if {@code y} is 0; on a GPU the result is undefined instead
   * @param x the first argument
   * @param y the second argument
   */
  public static int ceilMod(int x, int y) {
    int rest = x % y;
    return (rest ^ y) >= 0 && rest != 0 ? rest - y : rest;
  }

  /**
   * {@return {@code x} minus {@code ceilDiv(x, y) * y}: with the sign opposite to that of {@code
   * y}}
   *
   * @throws ArithmeticException if {@code y} is 0; on a GPU the result is undefined instead
   * @param x the first argument
   * @param y the second argument
   */
  public static long ceilMod(long x, long y) {
    long rest = x % y;
    return (rest ^ y) >= 0 && rest != 0 ? rest - y : rest;
  }

  /**
   * {@return {@code x} minus {@code ceilDiv(x, y) * y}: with the sign opposite to that of {@code
   * y}}
   *
   * @throws ArithmeticException if {@code y} is 0; on a GPU the result is undefined instead
   * @param x the first argument
   * @param y the second argument
   */
  public static int ceilMod(long x, int y) {
    int rest = (int) (x % y);
    return (rest ^ y) >= 0 && rest != 0 ? rest - y : rest;
  }
}
