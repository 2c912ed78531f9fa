package dev.stretto.route;

import java.time.Duration;
import java.util.Objects;

/** The time at which a wait ends, in terms of {@link System#nanoTime()}. */
public final class Deadline {
  /** No deadline. */
  public static final long NEVER = Long.MAX_VALUE;

  private Deadline() {}

  /**
   * {@return the deadline after a duration: now if the duration is not positive, {@link #NEVER} if
   * it is centuries}
   *
   * @param time any duration
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
   * {@return the deadline after some nanoseconds}
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
