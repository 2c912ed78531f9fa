package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.fault.CopyRule;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Kernels that end while a bulk copy may still read their shared memory. */
final class Unread implements Paths.Rule<Unread.State> {
  private static final int MOST_GROUPS = 12;

  /**
   * The oldest copy that may still read.
   *
   * @param copy where it was begun
   * @param groups how many were committed since, its own included
   */
  record State(@Nullable Line copy, int groups) {}

  static final State BEGIN = new State(null, 0);

  private final CopyLints lints;

  Unread(CopyLints lints) {
    this.lints = lints;
  }

  @Override
  public State after(Op op, Access access, State before) {
    return switch (access.kind()) {
      case BULK_STORE -> before.copy == null ? new State(op.line(), 0) : before;
      case BULK_COMMIT ->
          before.copy == null
              ? before
              : new State(before.copy, Math.min(before.groups + 1, MOST_GROUPS));
      case BULK_WAIT, BULK_WAIT_READ ->
          before.groups > access.number() || access.number() < 0 ? BEGIN : before;
      default -> before;
    };
  }

  @Override
  public void look(Op op, Access access, Set<State> before) {
    before.forEach(state -> look(op, state));
  }

  private void look(Op op, State before) {
    if (before.copy != null && op.code() == OpCode.RETURN) {
      Line line = before.copy;
      lints.reportAt(
          line,
          CopyRule.EXIT_BEFORE_READ,
          "the kernel may end while this bulk copy still reads its shared memory: "
              + (before.groups == 0 ? "cpAsyncBulkCommitGroup() and " : "")
              + "cpAsyncBulkWaitGroupRead(0) have to come before");
    }
  }
}
