package dev.stretto.compiler.ir;

/**
 * Which numbers an instruction takes.
 *
 * @param what the parameter, as "parameter 2 of mbarrierInit"
 * @param from the least
 * @param to the greatest, or {@link #ENDLESS}
 * @param multipleOf of what it has to be a multiple: a power of two
 */
public record NumberRange(String what, long from, long to, int multipleOf) implements Attribute {
  /** No greatest number. */
  public static final long ENDLESS = Long.MAX_VALUE;

  /** {@return whether it takes a number} */
  public boolean has(long number) {
    return number >= from && number <= to && number % multipleOf == 0;
  }

  @Override
  public String toString() {
    String range = to == ENDLESS ? from + " or more" : from == to ? "" + from : from + " to " + to;
    return what + " has to be " + (multipleOf == 1 ? range : "a multiple of " + multipleOf);
  }
}
