package dev.stretto.compiler.ir;

/**
 * A set of a kernel's operations and parameters, stored as a number in each of them: passes would
 * otherwise spend most of their time on tables of all values. If a kernel has several sets, only
 * the newest may be queried.
 */
public final class MarkSet {
  private final Function function;
  private final int number;

  /** Creates an empty set. */
  public MarkSet(Function function) {
    this.function = function;
    this.number = function.nextMark();
  }

  /**
   * Adds an operation or a parameter; constants, which kernels share, are in no set.
   *
   * @return whether it is new
   */
  public boolean add(Value value) {
    requireNewest();
    if (value.mark == number || value instanceof Constant) {
      return false;
    }
    value.mark = number;
    return true;
  }

  /** {@return whether the set contains a value} */
  public boolean has(Value value) {
    requireNewest();
    return value.mark == number;
  }

  private void requireNewest() {
    if (!function.isNewestMark(number)) {
      throw new IllegalStateException("a newer set has overwritten this one's marks");
    }
  }
}
