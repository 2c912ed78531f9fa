package dev.stretto.kernel.math;

/** Division of numbers that are known more accurately than one double can express. */
final class DeviceRatio {
  private DeviceRatio() {}

  /**
   * {@return (a + aRest) / (b + bRest), with little more than the error of one rounding} The rests
   * must be smaller than the numbers that they belong to.
   */
  static double divide(double a, double aRest, double b, double bRest) {
    double above = a + aRest;
    double aboveLost = (a - above) + aRest;
    double below = b + bRest;
    double belowLost = (b - below) + bRest;
    double inverse = 1 / below;
    double quotient = above * inverse;
    double left = Math.fma(-quotient, below, above) + Math.fma(-quotient, belowLost, aboveLost);
    return Math.fma(left, inverse, quotient);
  }

  /** Like {@link #divide(double, double, double, double)}, in single precision. */
  static float divide(float a, float aRest, float b, float bRest) {
    float above = a + aRest;
    float aboveLost = (a - above) + aRest;
    float below = b + bRest;
    float belowLost = (b - below) + bRest;
    float inverse = 1 / below;
    float quotient = above * inverse;
    float left = Math.fma(-quotient, below, above) + Math.fma(-quotient, belowLost, aboveLost);
    return Math.fma(left, inverse, quotient);
  }
}
