package dev.stretto.kernel.math;

/** The cube root, and the length of a hypotenuse. */
final class DeviceRoot {
  /** Chosen to minimize the greatest error of the estimate below. */
  private static final long INVERSE_BITS = 0x553ef0ff289dd796L;

  private DeviceRoot() {}

  static double cbrt(double x) {
    double a = Math.abs(x);
    if (a == 0 || !(a < Double.POSITIVE_INFINITY)) {
      return x;
    }
    boolean small = a < 0x1p-800; // where the residue below would be smaller than any double
    double scaled = small ? a * 0x1p600 : a;
    // A third of the exponent, negated, is an estimate of the inverse root; each round raises the
    // relative error to its fourth power.
    double y = Double.longBitsToDouble(INVERSE_BITS - Double.doubleToRawLongBits(scaled) / 3);
    for (int round = 0; round < 2; round++) {
      double error = Math.fma(-scaled * y, y * y, 1);
      double p = Math.fma(14.0 / 81, error, 2.0 / 9);
      y = Math.fma(y * error, Math.fma(p, error, 1.0 / 3), y);
    }
    double square = y * y;
    double root = scaled * square;
    double rootSquare = root * root;
    double lost = Math.fma(root, root, -rootSquare);
    double residue = Math.fma(-lost, root, Math.fma(-rootSquare, root, scaled));
    root = Math.fma(residue, square * (1.0 / 3), root);
    return Math.copySign(small ? root * 0x1p-200 : root, x);
  }

  static double hypot(double x, double y) {
    double a = Math.max(Math.abs(x), Math.abs(y));
    double b = Math.min(Math.abs(x), Math.abs(y));
    if (Math.abs(x) == Double.POSITIVE_INFINITY || Math.abs(y) == Double.POSITIVE_INFINITY) {
      return Double.POSITIVE_INFINITY;
    }
    if (b == 0 || Double.isNaN(a)) {
      return a;
    }
    double factor = a > 0x1p500 ? 0x1p-600 : a < 0x1p-400 ? 0x1p600 : 1;
    double back = a > 0x1p500 ? 0x1p600 : a < 0x1p-400 ? 0x1p-600 : 1;
    double p = a * factor;
    double q = b * factor;
    double square = p * p;
    double root = Math.sqrt(Math.fma(q, q, square));
    // The amount by which the square of the root exceeds p² + q².
    double rootSquare = root * root;
    double lost = Math.fma(root, root, -rootSquare) - Math.fma(p, p, -square);
    double excess = Math.fma(-q, q, rootSquare - square) + lost;
    return (root - excess / (2 * root)) * back;
  }
}
