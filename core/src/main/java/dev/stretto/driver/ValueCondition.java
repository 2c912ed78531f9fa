package dev.stretto.driver;

/**
 * What a stream waits for in a number that something else writes. CUDA Driver API, {@code
 * CUstreamWaitValue_flags}; in that order.
 */
public enum ValueCondition {
  /**
   * The number has reached the other one or gone beyond, counted in a circle: their difference, as
   * a signed number of 32 or 64 bits, is not negative. So a counter may wrap around.
   */
  AT_LEAST,

  /** The number is equal to the other one. */
  EQUAL,

  /** The two have a bit in common. */
  COMMON_BIT,

  /** There is a bit that both lack. */
  COMMON_ZERO;

  /**
   * {@return whether the condition holds}
   *
   * @param number the number
   * @param other what it is compared with
   * @param bytes the size of both: 4 or 8
   */
  public boolean holds(long number, long other, int bytes) {
    boolean isInt = bytes == Integer.BYTES;
    return switch (this) {
      case AT_LEAST -> isInt ? (int) number - (int) other >= 0 : number - other >= 0;
      case EQUAL -> isInt ? (int) number == (int) other : number == other;
      case COMMON_BIT -> isInt ? ((int) number & (int) other) != 0 : (number & other) != 0;
      case COMMON_ZERO -> isInt ? ~((int) number | (int) other) != 0 : ~(number | other) != 0;
    };
  }
}
