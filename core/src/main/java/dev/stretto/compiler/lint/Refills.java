package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Op;
import dev.stretto.fault.CopyRule;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Copies into an array that were begun after a load from it, with no barrier on the way. Only where
 * the load is of what other threads have had copied: one that does not depend on the thread, or of
 * what one thread has had copied in bulk.
 */
final class Refills implements Paths.Rule<Refills.State> {
  /**
   * What was read last.
   *
   * @param load where, if nothing was in between
   * @param everybodys whether it was the same for all threads
   */
  record State(@Nullable Line load, boolean everybodys) {}

  static final State BEGIN = new State(null, false);

  private final Object array;
  private final Divergence divergence;
  private final CopyLints lints;

  Refills(Object array, Divergence divergence, CopyLints lints) {
    this.array = array;
    this.divergence = divergence;
    this.lints = lints;
  }

  @Override
  public State after(Op op, Access access, State before) {
    return switch (access.kind()) {
      case LOAD ->
          access.first().base().equals(array)
              ? new State(
                  op.line(),
                  access.first().index() == null
                      || !divergence.dependsOnThread(access.first().index()))
              : before;
      case SYNC, BARRIER_WAIT -> BEGIN;
      default -> before;
    };
  }

  @Override
  public void look(Op op, Access access, Set<State> before) {
    before.forEach(state -> look(op, access, state));
  }

  private void look(Op op, Access access, State before) {
    if (before.load == null
        || !access.is(Access.Kind.COPY, Access.Kind.BULK_LOAD, Access.Kind.BULK_LOAD_ALL)
        || !access.first().base().equals(array)) {
      return;
    }
    if (before.everybodys || !access.is(Access.Kind.COPY)) {
      lints.report(
          op,
          CopyRule.EARLY_REFILL,
          "this copy fills what "
              + before.load
              + " reads, and threads that are behind may still be reading: put a barrier between");
    }
  }
}
