package dev.stretto.compiler.ir;

/**
 * A set of a kernel's operations and parameters, kept as a number in each of them, since tables of
 * all values are most of what a pass would otherwise spend its time on. Of several sets of one
 * kernel only the newest may be asked.
 */
public final class MarkSet {
  private final Function function;
  private final int number;

  /** Creates a set of nothing. */
  public MarkSet(Function function) {
    this.function = function;
    this.number = function.nextMark();
  }

  /**
   * Puts an operation or a parameter in; constants, which kernels share, are in no set.
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

  /** {@return whether a value is in it} */
  public boolean has(Value value) {
    requireNewest();
    return value.mark == number;
  }

  private void requireNewest() {
    if (!function.isNewestMark(number)) {
      throw new IllegalStateException("a newer set has taken this one's marks");
    }
  }
}
