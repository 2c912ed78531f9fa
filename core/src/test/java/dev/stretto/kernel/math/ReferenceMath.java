package dev.stretto.kernel.math;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * Elementary functions to some hundred bits, slowly and from their definitions: Taylor series in
 * {@link DoubleDouble}s, and constants from series in integers. It shares neither coefficients nor
 * methods with what it measures.
 */
final class ReferenceMath {
  /** A value of {@code number} times 2 to the {@code exponent}: it may be beyond all doubles. */
  record Value(DoubleDouble number, int exponent) {
    static Value of(DoubleDouble number) {
      return new Value(number, 0);
    }

    /** {@return what is too small for its rounding error to be a double} */
    static Value tiny(double x) {
      return new Value(DoubleDouble.of(Math.scalb(x, 200)), -200);
    }

    Value times(double factor) {
      return new Value(number.times(factor), exponent);
    }

    /** {@return this value as a pair of doubles, or zero if it is much too small for that} */
    DoubleDouble unscaled() {
      return exponent < -500 ? DoubleDouble.ZERO : number.scaled(exponent);
    }

    /**
     * {@return how far the result is from this value, in units in the last place of a double at
     * this value} Infinity counts as the power of two that follows the greatest double.
     */
    double ulpsTo(double result) {
      if (number.high() == 0) {
        return result == 0 ? 0 : Double.POSITIVE_INFINITY;
      }
      if (Double.isNaN(result)) {
        return Double.POSITIVE_INFINITY;
      }
      int place = Math.getExponent(number.high()) + exponent;
      boolean power = Math.abs(number.high()) == Math.scalb(1.0, Math.getExponent(number.high()));
      if (power && number.low() * number.high() < 0) {
        place--;
      }
      if (place > 1023 && Double.isInfinite(result)) {
        return (result > 0) == (number.high() > 0) ? 0 : Double.POSITIVE_INFINITY;
      }
      double scaled =
          Double.isInfinite(result)
              ? Math.copySign(Math.scalb(1.0, 1024 - exponent), result)
              : Math.scalb(result, -exponent);
      int unit = Math.max(Math.min(place, 1023), -1022) - 52;
      double difference = number.minus(DoubleDouble.of(scaled)).high();
      return Math.abs(Math.scalb(difference, exponent - unit));
    }

    BigDecimal decimal() {
      BigDecimal sum = new BigDecimal(number.high()).add(new BigDecimal(number.low()));
      BigDecimal power = BigDecimal.TWO.pow(Math.abs(exponent));
      return exponent < 0 ? sum.divide(power, MathContext.DECIMAL128) : sum.multiply(power);
    }
  }

  /** The constants are integers over 2 to this. */
  private static final int BITS = 1400;

  private static final BigInteger PI =
      series(5, -1).shiftLeft(4).subtract(series(239, -1).shiftLeft(2));
  private static final DoubleDouble PI_PAIR = pair(PI, -BITS);
  private static final DoubleDouble HALF_PI = PI_PAIR.scaled(-1);
  private static final BigInteger INVERSE_HALF_PI =
      BigInteger.ONE.shiftLeft(2 * BITS + 1).divide(PI);
  private static final BigInteger LN2_BITS = series(3, 1).shiftLeft(1);
  private static final DoubleDouble LN2 = pair(LN2_BITS, -BITS);
  private static final DoubleDouble LN10 =
      pair(LN2_BITS.multiply(BigInteger.valueOf(3)).add(series(9, 1).shiftLeft(1)), -BITS);

  private static final DoubleDouble[] INVERSE_FACTORIALS = inverseFactorials();
  private static final DoubleDouble[] INVERSE_ODDS = inverseOdds();

  private ReferenceMath() {}

  /** {@return the sum of sign^k / ((2k + 1) n^(2k + 1)): arctan or artanh of 1 / n} */
  private static BigInteger series(int n, int sign) {
    BigInteger sum = BigInteger.ZERO;
    BigInteger power = BigInteger.ONE.shiftLeft(BITS + 64).divide(BigInteger.valueOf(n));
    for (int k = 0; power.signum() != 0; k++) {
      BigInteger term = power.divide(BigInteger.valueOf(2L * k + 1));
      sum = sign < 0 && k % 2 == 1 ? sum.subtract(term) : sum.add(term);
      power = power.divide(BigInteger.valueOf((long) n * n));
    }
    return sum.shiftRight(64);
  }

  private static DoubleDouble pair(BigInteger bits, int exponent) {
    int shift = Math.max(bits.bitLength() - 512, 0);
    BigInteger upper = bits.shiftRight(shift);
    double high = upper.doubleValue();
    double low = upper.subtract(new BigDecimal(high).toBigInteger()).doubleValue();
    return new DoubleDouble(high, low).scaled(exponent + shift);
  }

  private static DoubleDouble[] inverseFactorials() {
    DoubleDouble[] inverses = new DoubleDouble[46];
    inverses[0] = DoubleDouble.ONE;
    for (int n = 1; n < inverses.length; n++) {
      inverses[n] = inverses[n - 1].over(n);
    }
    return inverses;
  }

  private static DoubleDouble[] inverseOdds() {
    DoubleDouble[] inverses = new DoubleDouble[24];
    for (int k = 0; k < inverses.length; k++) {
      inverses[k] = DoubleDouble.ONE.over(2 * k + 1);
    }
    return inverses;
  }

  /** {@return the exponent of x, which is positive; of a subnormal number, as if it were none} */
  private static int exponentOf(double x) {
    return x < Double.MIN_NORMAL ? Math.getExponent(x * 0x1p54) - 54 : Math.getExponent(x);
  }

  static Value exp(double x) {
    return exp(DoubleDouble.of(x));
  }

  private static Value exp(DoubleDouble x) {
    double n = Math.rint(x.high() / LN2.high());
    DoubleDouble r = x.minus(LN2.times(n)).scaled(-8);
    // Squaring (1 + e)² - 1 = 2e + e² keeps what a sum with 1 would lose.
    DoubleDouble e = exponentialLessOne(r, 13);
    for (int i = 0; i < 8; i++) {
      e = e.scaled(1).plus(e.times(e));
    }
    return new Value(e.plus(1), (int) n);
  }

  private static DoubleDouble exponentialLessOne(DoubleDouble r, int terms) {
    DoubleDouble sum = INVERSE_FACTORIALS[terms];
    for (int k = terms - 1; k > 0; k--) {
      sum = sum.times(r).plus(INVERSE_FACTORIALS[k]);
    }
    return sum.times(r);
  }

  static Value expm1(double x) {
    if (Math.abs(x) < 0x1p-60) {
      return Value.tiny(x);
    }
    if (Math.abs(x) < 0.5) {
      return Value.of(exponentialLessOne(DoubleDouble.of(x), 25));
    }
    Value power = exp(x);
    return x > 200 ? power : Value.of(power.unscaled().plus(-1));
  }

  static Value sinh(double x) {
    if (Math.abs(x) < 0x1p-60) {
      return Value.tiny(x);
    }
    return Math.abs(x) < 0.5
        ? Value.of(odd(DoubleDouble.of(x), 1))
        : hyperbolic(Math.abs(x), -1).times(Math.signum(x));
  }

  static Value cosh(double x) {
    return hyperbolic(Math.abs(x), 1);
  }

  private static Value hyperbolic(double x, int sign) {
    Value power = exp(x);
    DoubleDouble number = power.number();
    if (power.exponent() < 200) {
      DoubleDouble other = DoubleDouble.ONE.over(number).scaled(-2 * power.exponent());
      number = number.plus(other.times(sign));
    }
    return new Value(number, power.exponent() - 1);
  }

  static Value tanh(double x) {
    if (Math.abs(x) < 0x1p-60) {
      return Value.tiny(x);
    }
    double a = Math.min(Math.abs(x), 50);
    return Value.of(sinh(a).unscaled().over(cosh(a).unscaled()).times(Math.signum(x)));
  }

  /** {@return the Taylor series of the sine or, with sign 1, of the hyperbolic sine} */
  private static DoubleDouble odd(DoubleDouble x, int sign) {
    DoubleDouble z = x.times(x).times(sign);
    DoubleDouble sum = INVERSE_FACTORIALS[41];
    for (int k = 39; k > 0; k -= 2) {
      sum = sum.times(z).plus(INVERSE_FACTORIALS[k]);
    }
    return sum.times(x);
  }

  private static DoubleDouble cosineSeries(DoubleDouble x) {
    DoubleDouble z = x.times(x).negated();
    DoubleDouble sum = INVERSE_FACTORIALS[42];
    for (int k = 40; k >= 0; k -= 2) {
      sum = sum.times(z).plus(INVERSE_FACTORIALS[k]);
    }
    return sum;
  }

  static Value log(double x) {
    int n = exponentOf(x);
    return log(DoubleDouble.of(Math.scalb(x, -n)), n);
  }

  /** {@return ln m + n ln 2, for m from 1 to 2} */
  private static Value log(DoubleDouble m, int n) {
    if (m.high() > 1.4142) {
      return log(m.scaled(-1), n + 1);
    }
    return Value.of(twiceArtanh(m.plus(-1)).plus(LN2.times(n)));
  }

  /** {@return ln(1 + f), for f from -0.3 to 0.415} */
  private static DoubleDouble twiceArtanh(DoubleDouble f) {
    DoubleDouble s = f.over(f.plus(2));
    DoubleDouble z = s.times(s);
    DoubleDouble sum = INVERSE_ODDS[INVERSE_ODDS.length - 1];
    for (int k = INVERSE_ODDS.length - 2; k >= 0; k--) {
      sum = sum.times(z).plus(INVERSE_ODDS[k]);
    }
    return sum.times(s).scaled(1);
  }

  static Value log10(double x) {
    return Value.of(log(x).number().over(LN10));
  }

  static Value log1p(double x) {
    if (Math.abs(x) < 0x1p-60) {
      return Value.tiny(x);
    }
    if (Math.abs(x) < 0.25) {
      return Value.of(twiceArtanh(DoubleDouble.of(x)));
    }
    DoubleDouble sum = DoubleDouble.sum(1, x);
    int n = Math.getExponent(sum.high());
    return log(sum.scaled(-n), n);
  }

  static Value pow(double x, double y) {
    boolean odd = Math.abs(y) < 0x1p53 && Math.rint(y) == y && (long) y % 2 != 0;
    double bounded = Math.abs(y) > 0x1p64 ? Math.copySign(0x1p64, y) : y;
    DoubleDouble exponent = log(Math.abs(x)).number().times(bounded);
    // Beyond all doubles anyway; the reduction would not do with so large a number.
    if (Math.abs(exponent.high()) > 2000) {
      exponent = DoubleDouble.of(Math.copySign(2000, exponent.high()));
    }
    return exp(exponent).times(x < 0 && odd ? -1 : 1);
  }

  static Value sin(double x) {
    return Math.abs(x) < 0x1p-60 ? Value.tiny(x) : turned(x, 0);
  }

  static Value cos(double x) {
    return Math.abs(x) < 0x1p-60 ? Value.of(DoubleDouble.ONE) : turned(Math.abs(x), 1);
  }

  static Value tan(double x) {
    return Math.abs(x) < 0x1p-60 ? Value.tiny(x) : Value.of(sin(x).number().over(cos(x).number()));
  }

  /** {@return the sine of x and so many right angles} */
  private static Value turned(double x, int rightAngles) {
    int exponent = Math.getExponent(x) - 52;
    BigInteger mantissa = BigInteger.valueOf((long) Math.scalb(Math.abs(x), -exponent));
    // In right angles, times a power of two; bits that cannot matter are dropped.
    BigInteger angles = mantissa.multiply(INVERSE_HALF_PI);
    int dropped = Math.max(BITS - exponent - 320, 0);
    angles = angles.shiftRight(dropped);
    int fractionBits = BITS - exponent - dropped;
    BigInteger half = BigInteger.ONE.shiftLeft(fractionBits - 1);
    BigInteger quarters = angles.add(half).shiftRight(fractionBits);
    BigInteger rest = angles.subtract(quarters.shiftLeft(fractionBits));
    DoubleDouble r = pair(rest, -fractionBits).times(HALF_PI);
    int quarter = (quarters.and(BigInteger.valueOf(3)).intValue() + rightAngles) & 3;
    DoubleDouble value = quarter % 2 == 0 ? odd(r, -1) : cosineSeries(r);
    boolean negative = (quarter >= 2) != (x < 0);
    return Value.of(negative ? value.negated() : value);
  }

  static Value atan(double x) {
    return atan2(x, 1);
  }

  static Value atan2(double y, double x) {
    Value angle = angle(DoubleDouble.of(Math.abs(y)), DoubleDouble.of(Math.abs(x)));
    if (x < 0) {
      angle = Value.of(PI_PAIR.minus(angle.unscaled()));
    }
    return angle.times(Math.signum(y));
  }

  /** {@return the angle of a point in the first quadrant} */
  private static Value angle(DoubleDouble up, DoubleDouble along) {
    if (up.high() > along.high()) {
      return Value.of(HALF_PI.minus(angle(along, up).unscaled()));
    }
    if (up.high() == 0) {
      return Value.of(DoubleDouble.ZERO);
    }
    int above = exponentOf(up.high());
    int below = exponentOf(along.high());
    DoubleDouble ratio = up.scaled(-above).over(along.scaled(-below));
    int exponent = above - below;
    if (exponent < -60) {
      return new Value(ratio, exponent);
    }
    ratio = ratio.scaled(exponent);
    // From a guess: what it lacks is so small that it is its own tangent.
    DoubleDouble guess = DoubleDouble.of(StrictMath.atan(ratio.high()));
    DoubleDouble sine = odd(guess, -1);
    DoubleDouble cosine = cosineSeries(guess);
    DoubleDouble lacks = ratio.times(cosine).minus(sine).over(cosine.plus(ratio.times(sine)));
    return Value.of(guess.plus(lacks));
  }

  static Value asin(double x) {
    if (Math.abs(x) < 0x1p-60) {
      return Value.tiny(x);
    }
    double a = Math.abs(x);
    DoubleDouble along = DoubleDouble.sum(1, -a).times(DoubleDouble.sum(1, a)).squareRoot();
    return angle(DoubleDouble.of(a), along).times(Math.signum(x));
  }

  static Value acos(double x) {
    DoubleDouble up = DoubleDouble.sum(1, -x).squareRoot();
    DoubleDouble along = DoubleDouble.sum(1, x).squareRoot();
    return angle(up, along).times(2);
  }

  static Value cbrt(double x) {
    int exponent = Math.floorDiv(exponentOf(Math.abs(x)), 3);
    double scaled = Math.scalb(x, -3 * exponent);
    double guess = StrictMath.cbrt(scaled);
    DoubleDouble cube = DoubleDouble.product(guess, guess).times(guess);
    DoubleDouble lacks = DoubleDouble.of(scaled).minus(cube).over(3 * guess * guess);
    return new Value(DoubleDouble.of(guess).plus(lacks), exponent);
  }

  static Value hypot(double x, double y) {
    int exponent = exponentOf(Math.max(Math.abs(x), Math.abs(y)));
    double p = Math.scalb(x, -exponent);
    double q = Math.scalb(y, -exponent);
    DoubleDouble square = DoubleDouble.product(p, p).plus(DoubleDouble.product(q, q));
    return new Value(square.squareRoot(), exponent);
  }
}
