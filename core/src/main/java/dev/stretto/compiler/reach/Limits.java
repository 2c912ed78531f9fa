package dev.stretto.compiler.reach;

/**
 * The smallest and the largest value of a number. A smallest value of at most -{@link #INFINITE},
 * and a largest one of at least {@link #INFINITE}, is no limit.
 *
 * @param least the smallest value
 * @param most the largest value
 */
record Limits(long least, long most) {
  static final long INFINITE = 1L << 60;
  static final Limits ANY = new Limits(-INFINITE, INFINITE);
  static final Limits INT = new Limits(Integer.MIN_VALUE, Integer.MAX_VALUE);

  static Limits exactly(long number) {
    return new Limits(clamped(number), clamped(number));
  }

  boolean isEmpty() {
    return least > most;
  }

  boolean isFinite() {
    return least > -INFINITE && most < INFINITE;
  }

  boolean isWithin(Limits other) {
    return least >= other.least && most <= other.most;
  }

  Limits and(Limits other) {
    return new Limits(Math.max(least, other.least), Math.min(most, other.most));
  }

  Limits or(Limits other) {
    return new Limits(Math.min(least, other.least), Math.max(most, other.most));
  }

  Limits plus(Limits other) {
    return new Limits(
        least <= -INFINITE || other.least <= -INFINITE ? -INFINITE : clamped(least + other.least),
        most >= INFINITE || other.most >= INFINITE ? INFINITE : clamped(most + other.most));
  }

  Limits times(long factor) {
    return factor >= 0
        ? new Limits(product(least, factor), product(most, factor))
        : new Limits(product(most, factor), product(least, factor));
  }

  Limits times(Limits other) {
    return times(other.least).or(times(other.most));
  }

  private static long product(long a, long b) {
    long high = Math.multiplyHigh(a, b);
    long low = a * b;
    if (high != low >> 63) {
      return (a < 0) == (b < 0) ? INFINITE : -INFINITE;
    }
    return clamped(low);
  }

  private static long clamped(long number) {
    return Math.clamp(number, -INFINITE, INFINITE);
  }
}
