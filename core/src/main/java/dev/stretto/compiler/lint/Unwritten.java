package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Op;
import dev.stretto.fault.CopyRule;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Loads from a global array to which a bulk copy has been begun that nobody has waited for. */
final class Unwritten implements Paths.Rule<Unwritten.State> {
  /**
   * The last copy.
   *
   * @param copy where
   * @param read whether there was a wait for its reads
   */
  record State(@Nullable Line copy, boolean read) {}

  static final State BEGIN = new State(null, false);

  private final Object array;
  private final CopyLints lints;

  Unwritten(Object array, CopyLints lints) {
    this.array = array;
    this.lints = lints;
  }

  @Override
  public State after(Op op, Access access, State before) {
    return switch (access.kind()) {
      case BULK_STORE -> access.first().base().equals(array) ? new State(op.line(), false) : before;
      case BULK_WAIT -> BEGIN;
      case BULK_WAIT_READ -> before.copy == null ? before : new State(before.copy, true);
      default -> before;
    };
  }

  @Override
  public void look(Op op, Access access, Set<State> before) {
    before.forEach(state -> look(op, access, state));
  }

  private void look(Op op, Access access, State before) {
    if (before.copy != null && access.is(Access.Kind.LOAD) && access.first().base().equals(array)) {
      lints.report(
          op,
          before.read ? CopyRule.READ_WAIT_ONLY : CopyRule.MISSING_WAIT,
          "this reads what the bulk copy of "
              + before.copy
              + " writes, "
              + (before.read
                  ? "and the wait between is for its reads only: use cpAsyncBulkWaitGroup"
                  : "and nothing waits for it on the way"));
    }
  }
}
