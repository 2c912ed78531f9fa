package dev.stretto.compiler.bank;

import dev.stretto.compiler.ir.Type;
import org.jspecify.annotations.Nullable;

/**
 * Values for what is not known: always the same for the same number, so that a report is the same
 * each time.
 *
 * @param number of the sample
 * @param other the only unknown whose value is not that of the sample; null if there is none
 * @param variant which other value it has
 */
record Sample(int number, @Nullable Unknown other, int variant) {
  /** Above, an index soon leaves shared memory. */
  private static final int MOST_BITS = 12;

  /** A number of elements that keeps the largest accesses aligned. */
  private static final int ALIGNED = 16;

  private static final int GLOBAL_ALIGNMENT = 256;

  static Sample of(int number) {
    return new Sample(number, null, 0);
  }

  /** {@return one of several choices} */
  int choice(Unknown unknown, int choices) {
    return (int) Long.remainderUnsigned(bits(unknown), choices);
  }

  /** {@return a value that a launch could have; a number is never 0, as a divisor cannot be} */
  Object value(Unknown unknown, Type type) {
    long bits = bits(unknown);
    int magnitude = 1 + (int) Long.remainderUnsigned(bits, MOST_BITS);
    int number = (int) (bits >>> 32) & ((1 << magnitude) - 1);
    if ((bits >>> 16 & 1) == 0) {
      number &= -ALIGNED;
    }
    number = number == 0 ? ALIGNED : number;
    return switch (type) {
      case BOOL -> (bits >>> 20 & 1) == 0;
      case LONG -> (Object) (long) number;
      case FLOAT -> (Object) (float) number;
      case DOUBLE -> (Object) (double) number;
      case GLOBAL -> (Object) ((long) number * GLOBAL_ALIGNMENT);
      default -> (Object) number;
    };
  }

  /** Mixes as SplittableRandom does. */
  private long bits(Unknown unknown) {
    int its = unknown.equals(other) ? ~variant : 0;
    long z =
        0x9e3779b97f4a7c15L * (number + 1L)
            + 0xd1342543de82ef95L * unknown.kind().ordinal()
            + 0xaf251af3b0f025b5L * unknown.number()
            + 0xb564ef22ec7aece5L * unknown.place().hashCode()
            + 0xf7c2ebc08f67f2b5L * its;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
