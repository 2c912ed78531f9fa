package dev.stretto.kernel.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/**
 * The search for the argument at which a function is worst. Where the JDK's own function is NaN,
 * infinite or zero, the result must be the same; elsewhere it is compared with a better value.
 *
 * <p>{@code -Dstretto.math.arguments=10000000} searches for longer, and {@code
 * -Dstretto.math.print=true} prints what it found.
 */
final class Accuracy {
  private static final int ARGUMENTS = Integer.getInteger("stretto.math.arguments", 100_000);
  private static final boolean PRINT = Boolean.getBoolean("stretto.math.print");
  private static final long SEED = Long.getLong("stretto.math.seed", 20260101);

  private static final double[] SPECIAL = {
    0,
    Double.MIN_VALUE,
    Double.MIN_VALUE * 3,
    Math.nextDown(Double.MIN_NORMAL),
    Double.MIN_NORMAL,
    Float.MIN_VALUE,
    Float.MIN_NORMAL,
    0x1p-60,
    0x1p-28,
    0x1p-27,
    0x1p-13,
    Math.nextDown(0.5),
    0.5,
    Math.nextUp(0.5),
    Math.nextDown(1.0),
    Math.nextDown(1.0f),
    1,
    Math.nextUp(1.0),
    Math.nextUp(1.0f),
    1.5,
    2,
    3,
    10,
    100,
    0x1p17,
    0x1p23,
    0x1p24,
    0x1p24 - 1,
    0x1p30,
    0x1p31,
    0x1p52,
    0x1p53 - 1,
    0x1p53,
    Float.MAX_VALUE,
    0x1p1000,
    Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NaN,
  };

  /** A function in single precision; the JDK has no type for one. */
  @FunctionalInterface
  interface FloatUnaryOperator {
    float applyAsFloat(float x);
  }

  /** A function of two arguments in single precision. */
  @FunctionalInterface
  interface FloatBinaryOperator {
    float applyAsFloat(float x, float y);
  }

  /** The exact value of a function. */
  @FunctionalInterface
  interface Reference {
    ReferenceMath.Value of(double x);
  }

  /** The exact value of a function of two arguments. */
  @FunctionalInterface
  interface BinaryReference {
    ReferenceMath.Value of(double x, double y);
  }

  private final String name;
  private final SplittableRandom random = new SplittableRandom(SEED);
  private double worst;
  private String where = "nowhere";

  Accuracy(String name) {
    this.name = name;
  }

  /**
   * Asserts the bound for special arguments, for any, for those up to the range, and for those near
   * one of the centers.
   */
  void within(
      double ulps,
      DoubleUnaryOperator device,
      Reference reference,
      DoubleUnaryOperator strict,
      double range,
      double... centers) {
    for (double x : SPECIAL) {
      measure(x, device, reference, strict);
      measure(-x, device, reference, strict);
    }
    for (int i = 0; i < ARGUMENTS; i++) {
      measure(argument(i, range, centers), device, reference, strict);
    }
    conclude(ulps);
  }

  private void measure(
      double x, DoubleUnaryOperator device, Reference reference, DoubleUnaryOperator strict) {
    double expected = strict.applyAsDouble(x);
    double actual = device.applyAsDouble(x);
    boolean known = isSpecial(expected) || isSpecial(x);
    note(known ? same(expected, actual) : reference.of(x).ulpsTo(actual), actual, expected, x);
  }

  /** Asserts the bound for pairs of special, of any and of ordinary arguments. */
  void within(
      double ulps,
      DoubleBinaryOperator device,
      BinaryReference reference,
      DoubleBinaryOperator strict,
      double range) {
    forSpecialPairs((x, y) -> measure(x, y, device, reference, strict));
    for (int i = 0; i < ARGUMENTS; i++) {
      double x = argument(i, range);
      double y = i % 5 == 4 ? x * (1 + random.nextDouble(-0.1, 0.1)) : argument(i / 3, range);
      measure(x, y, device, reference, strict);
    }
    conclude(ulps);
  }

  /** Asserts the bound of a power, also for exponents that just leave the result a double. */
  void powerWithin(
      double ulps,
      DoubleBinaryOperator device,
      BinaryReference reference,
      DoubleBinaryOperator strict) {
    for (int i = 0; i < ARGUMENTS; i++) {
      double x = powerBase(i);
      measure(x, powerExponent(x, 745), device, reference, strict);
    }
    within(ulps, device, reference, strict, 20);
  }

  private void measure(
      double x,
      double y,
      DoubleBinaryOperator device,
      BinaryReference reference,
      DoubleBinaryOperator strict) {
    double expected = strict.applyAsDouble(x, y);
    double actual = device.applyAsDouble(x, y);
    boolean known = isSpecial(expected) || isSpecial(x) || isSpecial(y);
    double off = known ? same(expected, actual) : reference.of(x, y).ulpsTo(actual);
    note(off, actual, expected, x, y);
  }

  /** As for doubles; the JDK's function in double precision is the better value. */
  void within(
      double ulps,
      FloatUnaryOperator device,
      DoubleUnaryOperator strict,
      double range,
      double... centers) {
    for (double x : SPECIAL) {
      measure((float) x, device, strict);
      measure((float) -x, device, strict);
    }
    for (int i = 0; i < ARGUMENTS; i++) {
      measure(floatArgument(i, range, centers), device, strict);
    }
    conclude(ulps);
  }

  private void measure(float x, FloatUnaryOperator device, DoubleUnaryOperator strict) {
    double expected = strict.applyAsDouble(x);
    float actual = device.applyAsFloat(x);
    note(floatUlps(expected, actual), actual, expected, x);
  }

  /** As for doubles; the JDK's function in double precision is the better value. */
  void within(double ulps, FloatBinaryOperator device, DoubleBinaryOperator strict, double range) {
    forSpecialPairs((x, y) -> measure((float) x, (float) y, device, strict));
    for (int i = 0; i < ARGUMENTS; i++) {
      float x = floatArgument(i, range);
      double near = x * (1 + random.nextDouble(-0.1, 0.1));
      float y = i % 5 == 4 ? (float) near : floatArgument(i / 3, range);
      measure(x, y, device, strict);
    }
    conclude(ulps);
  }

  /** Asserts the bound of a power, also for exponents that just leave the result a float. */
  void powerWithin(double ulps, FloatBinaryOperator device, DoubleBinaryOperator strict) {
    for (int i = 0; i < ARGUMENTS; i++) {
      float x = i % 8 == 1 ? Math.abs(floatArgument(1, 1)) : (float) powerBase(i);
      measure(x, (float) powerExponent(x, 104), device, strict);
    }
    within(ulps, device, strict, 20);
  }

  private void measure(float x, float y, FloatBinaryOperator device, DoubleBinaryOperator strict) {
    double expected = strict.applyAsDouble(x, y);
    float actual = device.applyAsFloat(x, y);
    note(floatUlps(expected, actual), actual, expected, x, y);
  }

  private static double floatUlps(double expected, float actual) {
    if (isSpecial(expected)) {
      return same(expected, actual);
    }
    if (Math.abs(expected) >= 0x1p128 && Float.isInfinite(actual)) {
      return (actual > 0) == (expected > 0) ? 0 : Double.POSITIVE_INFINITY;
    }
    double value = Float.isInfinite(actual) ? Math.copySign(0x1p128, actual) : actual;
    int place = Math.clamp(Math.getExponent(expected), -126, 127) - 23;
    double off = Math.scalb(Math.abs(value - expected), -place);
    boolean negative = Float.floatToRawIntBits(actual) < 0;
    return Double.isNaN(off) || negative != expected < 0 ? Double.POSITIVE_INFINITY : off;
  }

  private static boolean isSpecial(double number) {
    return Double.isNaN(number) || Double.isInfinite(number) || number == 0;
  }

  private static double same(double expected, double actual) {
    boolean same = Double.doubleToLongBits(expected) == Double.doubleToLongBits(actual);
    return same ? 0 : Double.POSITIVE_INFINITY;
  }

  private static void forSpecialPairs(Pair body) {
    for (double x : SPECIAL) {
      for (double y : SPECIAL) {
        body.accept(x, y);
        body.accept(-x, y);
        body.accept(x, -y);
        body.accept(-x, -y);
      }
    }
  }

  private interface Pair {
    void accept(double x, double y);
  }

  private double argument(int i, double range, double... centers) {
    return switch (i % 4) {
      case 0 -> random.nextDouble(-range, range);
      case 1 -> Double.longBitsToDouble(random.nextLong());
      case 2 -> Math.scalb(random.nextDouble(-2, 2), random.nextInt(-60, 12));
      default -> {
        double center = centers.length == 0 ? 1 : centers[random.nextInt(centers.length)];
        double distance = Math.scalb(random.nextDouble(-1, 1), -random.nextInt(54));
        yield (random.nextBoolean() ? center : -center) * (1 + distance);
      }
    };
  }

  private float floatArgument(int i, double range, double... centers) {
    return i % 4 == 1
        ? Float.intBitsToFloat(random.nextInt())
        : (float) argument(i, range, centers);
  }

  private double powerBase(int i) {
    return i % 2 == 0 ? 1 + random.nextDouble(-0.4, 0.5) : Math.abs(argument(i / 2, 3));
  }

  private double powerExponent(double base, double greatestLogarithm) {
    double limit = greatestLogarithm / Math.abs(StrictMath.log(base));
    return random.nextDouble(-1, 1) * (limit < 0x1p60 ? limit : 1);
  }

  private void note(double off, double actual, double expected, double... arguments) {
    if (off > worst) {
      worst = off;
      StringBuilder text = new StringBuilder(name);
      for (double argument : arguments) {
        text.append(' ').append(argument).append(" = ").append(Double.toHexString(argument));
      }
      text.append(" gives ").append(actual).append(", the JDK ").append(expected);
      where = text.toString();
    }
  }

  private void conclude(double ulps) {
    if (PRINT) {
      System.out.printf("%-8s %.4f ulp: %s%n", name, worst, where);
    }
    assertThat(worst).as("ulp, seed %d: %s", SEED, where).isLessThanOrEqualTo(ulps);
  }
}
