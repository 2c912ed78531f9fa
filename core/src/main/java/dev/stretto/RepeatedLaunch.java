package dev.stretto;

import dev.stretto.kernel.KernelReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A launch that the library keeps for one kernel, and enqueues again and again with other
 * arguments. One thread at a time has it.
 */
final class RepeatedLaunch {
  private final Launch launch;
  private final IdleLaunches home;
  private final boolean lent;

  /** The method, if the kernel was compiled from one. */
  private final @Nullable KernelReference method;

  /** The values that the kernel was compiled for. */
  private final Object[] constants;

  private boolean other;

  /**
   * Creates one.
   *
   * @param lent whether it is dropped after one enqueuing, since there are many of the kernel
   */
  RepeatedLaunch(
      Launch launch,
      IdleLaunches home,
      boolean lent,
      @Nullable KernelReference method,
      List<Object> constants) {
    this.launch = launch;
    this.home = home;
    this.lent = lent;
    this.method = method;
    this.constants = constants.toArray();
  }

  Launch launch() {
    return launch;
  }

  /**
   * Checks the number of arguments. If it is wrong, the launch is put back.
   *
   * @throws IllegalArgumentException if the kernel has more or fewer parameters
   */
  void requireCount(int given) {
    boolean right = false;
    try {
      launch.requireCount(given);
      right = true;
    } finally {
      if (!right) {
        putBack();
      }
    }
  }

  /**
   * Sets an argument. If it is refused, the launch is put back.
   *
   * @param argument its index after the thread block
   * @throws IllegalArgumentException if it is of another type, or memory of another device
   * @throws dev.stretto.fault.ClosedException if it is closed
   */
  void set(int argument, @Nullable Object value) {
    boolean taken = false;
    try {
      put(argument, value);
      taken = true;
    } finally {
      if (!taken) {
        putBack();
      }
    }
  }

  private void put(int argument, @Nullable Object value) {
    int place = method == null ? argument : method.place(argument);
    if (place >= 0) {
      launch.put(place, value);
    } else if (!isSame(constants[~place], value)) {
      other = true;
    }
  }

  /** Whether an argument was another constant than the one that the kernel was compiled for. */
  boolean isForOthers() {
    return other;
  }

  /** Whether the kernel was compiled for the constants among these arguments. */
  static boolean isFor(KernelReference method, List<Object> constants, Object[] arguments) {
    if (arguments.length != method.arity()) {
      return false;
    }
    for (int i = 0; i < arguments.length; i++) {
      int place = method.place(i);
      if (place < 0 && !isSame(constants.get(~place), arguments[i])) {
        return false;
      }
    }
    return true;
  }

  /** Ends the use of the launch after it was enqueued or refused. */
  void putBack() {
    other = false;
    launch.forget();
    if (lent) {
      launch.release();
    } else {
      home.putBack(this);
    }
  }

  /**
   * Whether two values are the same to the compiler. Unboxes by hand, so that where this is inlined
   * a number that is boxed for the call is never really made.
   */
  private static boolean isSame(Object known, @Nullable Object given) {
    if (given instanceof Integer number) {
      return known instanceof Integer same && same.intValue() == number.intValue();
    }
    if (given instanceof Long number) {
      return known instanceof Long same && same.longValue() == number.longValue();
    }
    if (given instanceof Float number) {
      return known instanceof Float same
          && Float.floatToRawIntBits(same) == Float.floatToRawIntBits(number);
    }
    if (given instanceof Double number) {
      return known instanceof Double same
          && Double.doubleToRawLongBits(same) == Double.doubleToRawLongBits(number);
    }
    return known.equals(given);
  }
}
