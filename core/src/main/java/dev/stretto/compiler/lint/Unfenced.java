package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Op;
import dev.stretto.fault.CopyRule;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Bulk copies out of an array that threads have stored to, without a proxy fence and a barrier. */
final class Unfenced implements Paths.Rule<Unfenced.State> {
  /**
   * The last store.
   *
   * @param store where, if it was not followed by what it needs
   * @param elected whether one thread did it alone
   * @param fenced whether a fence came
   */
  record State(@Nullable Line store, boolean elected, boolean fenced) {}

  static final State BEGIN = new State(null, false, false);

  private final Object array;
  private final Divergence divergence;
  private final CopyLints lints;

  Unfenced(Object array, Divergence divergence, CopyLints lints) {
    this.array = array;
    this.divergence = divergence;
    this.lints = lints;
  }

  @Override
  public State after(Op op, Access access, State before) {
    return switch (access.kind()) {
      case STORE ->
          access.first().base().equals(array)
              ? new State(op.line(), divergence.isElected(op), false)
              : before;
      // One thread's fence is about what that thread has stored.
      case PROXY_FENCE ->
          before.store == null || (divergence.isElected(op) && !before.elected)
              ? before
              : new State(before.store, before.elected, true);
      case SYNC, BARRIER_WAIT -> before.fenced ? BEGIN : before;
      default -> before;
    };
  }

  @Override
  public void look(Op op, Access access, Set<State> before) {
    before.forEach(state -> look(op, access, state));
  }

  private void look(Op op, Access access, State before) {
    if (before.store == null
        || !access.is(Access.Kind.BULK_STORE)
        || !access.places().getLast().base().equals(array)) {
      return;
    }
    if (!before.fenced) {
      lints.report(
          op,
          CopyRule.MISSING_PROXY_FENCE,
          "this bulk copy reads what "
              + before.store
              + " stores: each thread that stores has to call fenceProxyAsyncShared() before the"
              + " barrier");
    } else if (divergence.isElected(op) && !before.elected) {
      lints.report(
          op,
          CopyRule.MISSING_BARRIER,
          "this bulk copy reads what other threads store in "
              + before.store
              + ": put a barrier behind their fence");
    }
  }
}
