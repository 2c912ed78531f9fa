package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/**
 * Tells waits that a thread repeats until a phase has ended from those that it asks once: the
 * latter may return before the phase has ended.
 */
final class RepeatedWaits {
  private RepeatedWaits() {}

  /**
   * Whether an operation on a barrier is followed only once its phase has ended: it has no outcome,
   * or its outcome decides whether the thread does the same again at once.
   */
  static boolean endsPhase(Op op, Block home, LintedKernel kernel) {
    return op.type() == Type.VOID
        || (decides(op, home.end().operands()) && comesBack(op, home, kernel));
  }

  private static boolean decides(Op op, Iterable<? extends Value> operands) {
    for (Value operand : operands) {
      if (operand == op
          || (operand instanceof Op other && other.isPure() && decides(op, other.operands()))) {
        return true;
      }
    }
    return false;
  }

  /** Whether a path leads back to an operation, and nothing else counts bytes on it. */
  private static boolean comesBack(Op op, Block home, LintedKernel kernel) {
    Set<Block> seen = new HashSet<>();
    ArrayDeque<Block> open = new ArrayDeque<>();
    home.targets().forEach(target -> open.add(target.block()));
    while (!open.isEmpty()) {
      Block next = open.remove();
      if (!seen.add(next)) {
        continue;
      }
      boolean quiet = true;
      for (LintedKernel.Touch touch : kernel.touches(next)) {
        if (touch.op() == op) {
          return true;
        }
        quiet &= !counts(touch.access());
      }
      if (quiet) {
        next.targets().forEach(target -> open.add(target.block()));
      }
    }
    return false;
  }

  private static boolean counts(Access access) {
    return access.is(
        Access.Kind.BULK_LOAD,
        Access.Kind.BULK_LOAD_ALL,
        Access.Kind.BARRIER_EXPECT,
        Access.Kind.BARRIER_ARRIVE_EXPECT,
        Access.Kind.BARRIER_EXPECT_AT,
        Access.Kind.BARRIER_COMPLETE);
  }
}
