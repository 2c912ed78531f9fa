package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import org.jspecify.annotations.Nullable;

/** Thrown when a kernel has broken a rule of asynchronous copies. */
public final class CopyMisuse extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final boolean lacksLine;

  /**
   * Creates the exception.
   *
   * @param rule the rule that was broken
   * @param what what happened, with the other line
   * @param lacksLine whether the other line is unknown, because the lines of plain accesses were
   *     not kept
   */
  public CopyMisuse(CopyRule rule, String what, boolean lacksLine) {
    super(rule.title() + ": " + what);
    this.lacksLine = lacksLine;
  }

  public CopyMisuse(CopyRule rule, String what) {
    this(rule, what, false);
  }

  /** Whether a failure is one, or comes from one, whose other line is unknown. */
  static boolean isOneThatLacksLine(@Nullable Throwable thrown) {
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (at instanceof CopyMisuse misuse) {
        return misuse.lacksLine;
      }
    }
    return false;
  }
}
