package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;

/** A kernel has broken a rule of asynchronous copies. */
public final class CopyMisuse extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final boolean lacksLine;

  /**
   * A misuse.
   *
   * @param rule which
   * @param what happened, with the other line
   * @param lacksLine whether the other line is not known, because lines of plain accesses were not
   *     kept
   */
  public CopyMisuse(CopyRule rule, String what, boolean lacksLine) {
    super(rule.title() + ": " + what);
    this.lacksLine = lacksLine;
  }

  public CopyMisuse(CopyRule rule, String what) {
    this(rule, what, false);
  }

  boolean lacksLine() {
    return lacksLine;
  }
}
