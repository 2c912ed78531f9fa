package dev.stretto.driver.virtual;

import java.util.List;

/**
 * Memory that an operation touches.
 *
 * @param begin the first address
 * @param bytes from the first to the last
 * @param written whether it is written
 */
record Touched(long begin, long bytes, boolean written) {
  /** What touches anything. */
  static final List<Touched> ANYTHING = List.of(new Touched(Long.MIN_VALUE, -1, true));

  /** {@return whether two operations may see each other's effects} */
  static boolean meet(List<Touched> some, List<Touched> others) {
    for (Touched one : some) {
      for (Touched other : others) {
        if (one.meets(other)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean meets(Touched other) {
    return (written || other.written)
        && (bytes < 0
            || other.bytes < 0
            || (begin < other.begin + other.bytes && other.begin < begin + bytes));
  }
}
