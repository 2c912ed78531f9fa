package dev.stretto.compiler.ir;

/**
 * The numbers that an instruction accepts.
 *
 * @param what the parameter, such as "parameter 2 of mbarrierInit"
 * @param from the smallest
 * @param to the largest, or {@link #ENDLESS}
 * @param multipleOf a power of two that the number must be a multiple of
 */
public record NumberRange(String what, long from, long to, int multipleOf) implements Attribute {
  /** No largest number. */
  public static final long ENDLESS = Long.MAX_VALUE;

  /** {@return whether it accepts a number} */
  public boolean has(long number) {
    return number >= from && number <= to && number % multipleOf == 0;
  }

  @Override
  public String toString() {
    String range = to == ENDLESS ? from + " or more" : from == to ? "" + from : from + " to " + to;
    return what + " has to be " + (multipleOf == 1 ? range : "a multiple of " + multipleOf);
  }
}
