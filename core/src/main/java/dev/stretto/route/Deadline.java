package dev.stretto.route;

import java.time.Duration;
import java.util.Objects;

/** Until when something is waited for: a time of {@link System#nanoTime()}. */
public final class Deadline {
  /** No deadline. */
  public static final long NEVER = Long.MAX_VALUE;

  private Deadline() {}

  /**
   * {@return the deadline that lies this far ahead: now if it is not ahead, {@link #NEVER} if it is
   * centuries away}
   *
   * @param time any, however long or negative
   */
  public static long in(Duration time) {
    Objects.requireNonNull(time, "atMost");
    try {
      return in(time.toNanos());
    } catch (ArithmeticException e) {
      return time.isNegative() ? System.nanoTime() : NEVER; // some three centuries
    }
  }

  /**
   * {@return the same of nanoseconds}
   *
   * @param nanos any number
   */
  public static long in(long nanos) {
    long now = System.nanoTime();
    if (nanos <= 0) {
      return now;
    }
    long then = now + nanos;
    return then < now ? NEVER : then;
  }
}
