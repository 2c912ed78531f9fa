package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Type;
import org.jspecify.annotations.Nullable;

/**
 * The interval in which a value lies. A predicate is 0 or 1. Sums and products that would overflow
 * their type are clamped to its limits: lints do not consider kernels whose indices overflow.
 *
 * @param least the smallest possible value
 * @param most the largest possible value
 */
record Interval(long least, long most) {
  /** All numbers of a type. */
  static Interval of(Type type) {
    return switch (type) {
      case BOOL -> new Interval(0, 1);
      case INT -> new Interval(Integer.MIN_VALUE, Integer.MAX_VALUE);
      default -> new Interval(Long.MIN_VALUE, Long.MAX_VALUE);
    };
  }

  static Interval exactly(long number) {
    return new Interval(number, number);
  }

  boolean isOne() {
    return least == most;
  }

  /** The intersection of both; null if it is empty. */
  @Nullable Interval and(Interval other) {
    long from = Math.max(least, other.least);
    long to = Math.min(most, other.most);
    return from > to ? null : new Interval(from, to);
  }

  Interval or(Interval other) {
    return new Interval(Math.min(least, other.least), Math.max(most, other.most));
  }

  Interval plus(Interval other) {
    return new Interval(sum(least, other.least), sum(most, other.most));
  }

  Interval minus(Interval other) {
    return plus(new Interval(negated(other.most), negated(other.least)));
  }

  Interval times(long factor) {
    return factor >= 0
        ? new Interval(product(least, factor), product(most, factor))
        : new Interval(product(most, factor), product(least, factor));
  }

  private static long sum(long a, long b) {
    long sum = a + b;
    if (((a ^ sum) & (b ^ sum)) < 0) {
      return a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return sum;
  }

  private static long negated(long a) {
    return a == Long.MIN_VALUE ? Long.MAX_VALUE : -a;
  }

  private static long product(long a, long b) {
    long high = Math.multiplyHigh(a, b);
    long low = a * b;
    if (high != low >> 63) {
      return (a < 0) == (b < 0) ? Long.MAX_VALUE : Long.MIN_VALUE;
    }
    return low;
  }

  /** Whether a comparison with another number holds; null if that depends on the actual numbers. */
  @Nullable Boolean is(Cond cond, Interval other) {
    return switch (cond) {
      case EQ -> known(isOne() && equals(other), and(other) == null);
      case NE -> known(and(other) == null, isOne() && equals(other));
      case LT -> known(most < other.least, least >= other.most);
      case LE -> known(most <= other.least, least > other.most);
      case GT -> other.is(Cond.LT, this);
      case GE -> other.is(Cond.LE, this);
      case ULT, ULE, UGT, UGE -> Math.min(least, other.least) >= 0 ? is(signed(cond), other) : null;
    };
  }

  private static @Nullable Boolean known(boolean always, boolean never) {
    if (always) {
      return true;
    }
    return never ? false : null;
  }

  /**
   * The part of the interval for which a comparison with another number holds; null if it is empty.
   */
  @Nullable Interval where(Cond cond, Interval other) {
    return switch (cond) {
      case EQ -> and(other);
      case NE -> {
        if (!other.isOne() || other.least < least || other.least > most) {
          yield this;
        }
        long from = least == other.least ? least + 1 : least;
        long to = most == other.least ? most - 1 : most;
        yield from > to ? null : new Interval(from, to);
      }
      case LT ->
          other.most == Long.MIN_VALUE ? null : and(new Interval(Long.MIN_VALUE, other.most - 1));
      case LE -> and(new Interval(Long.MIN_VALUE, other.most));
      case GT ->
          other.least == Long.MAX_VALUE ? null : and(new Interval(other.least + 1, Long.MAX_VALUE));
      case GE -> and(new Interval(other.least, Long.MAX_VALUE));
      case ULT, ULE ->
          // A number that is less, as an unsigned one, than a non-negative number is not negative
          // either.
          other.least >= 0 && other.most < Long.MAX_VALUE
              ? and(new Interval(0, cond == Cond.ULT ? other.most - 1 : other.most))
              : this;
      case UGT, UGE -> least >= 0 && other.least >= 0 ? where(signed(cond), other) : this;
    };
  }

  private static Cond signed(Cond cond) {
    return switch (cond) {
      case ULT -> Cond.LT;
      case ULE -> Cond.LE;
      case UGT -> Cond.GT;
      case UGE -> Cond.GE;
      default -> cond;
    };
  }

  /** The interval assumed for a loop counter: only a few iterations are distinguished. */
  Interval widened(long limit, Type type) {
    Interval all = of(type);
    return new Interval(
        least < -limit ? all.least : Math.min(least, limit),
        most > limit ? all.most : Math.max(most, -limit));
  }
}
