package dev.stretto.kernel.math;

/**
 * A number of some 104 bits: the sum of two doubles, of which the second is at most half of the
 * first one's last place.
 */
record DoubleDouble(double high, double low) {
  static final DoubleDouble ZERO = new DoubleDouble(0, 0);
  static final DoubleDouble ONE = new DoubleDouble(1, 0);

  static DoubleDouble of(double x) {
    return new DoubleDouble(x, 0);
  }

  /** {@return the exact sum} */
  static DoubleDouble sum(double a, double b) {
    double sum = a + b;
    double taken = sum - a;
    return new DoubleDouble(sum, (a - (sum - taken)) + (b - taken));
  }

  /** {@return the exact product, unless it underflows} */
  static DoubleDouble product(double a, double b) {
    double product = a * b;
    return new DoubleDouble(product, Math.fma(a, b, -product));
  }

  DoubleDouble plus(DoubleDouble that) {
    DoubleDouble highs = sum(high, that.high);
    DoubleDouble lows = sum(low, that.low);
    DoubleDouble upper = sum(highs.high, highs.low + lows.high);
    return sum(upper.high, upper.low + lows.low);
  }

  DoubleDouble plus(double that) {
    return plus(of(that));
  }

  DoubleDouble negated() {
    return new DoubleDouble(-high, -low);
  }

  DoubleDouble minus(DoubleDouble that) {
    return plus(that.negated());
  }

  DoubleDouble times(DoubleDouble that) {
    DoubleDouble highs = product(high, that.high);
    double cross = Math.fma(high, that.low, low * that.high);
    return sum(highs.high, highs.low + cross);
  }

  DoubleDouble times(double that) {
    return times(of(that));
  }

  DoubleDouble over(DoubleDouble that) {
    double first = high / that.high;
    DoubleDouble left = minus(that.times(first));
    double second = left.high / that.high;
    left = left.minus(that.times(second));
    return sum(first, second).plus(left.high / that.high);
  }

  DoubleDouble over(double that) {
    return over(of(that));
  }

  DoubleDouble squareRoot() {
    if (high == 0) {
      return this;
    }
    double root = Math.sqrt(high);
    DoubleDouble residue = minus(product(root, root));
    DoubleDouble better = sum(root, residue.high / (2 * root));
    residue = minus(better.times(better));
    return better.plus(residue.high / (2 * root));
  }

  /** {@return this number times 2 to the n, which must not underflow} */
  DoubleDouble scaled(int n) {
    return new DoubleDouble(Math.scalb(high, n), Math.scalb(low, n));
  }
}
