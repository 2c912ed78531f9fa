package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Op;
import dev.stretto.fault.CopyRule;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Loads from an array to which copies were begun, none of which any wait has completed on the way.
 */
final class Unwaited implements Paths.Rule<Unwaited.State> {
  private static final int MOST_GROUPS = 12;

  /**
   * What has become of the first copy.
   *
   * @param copy where it was begun; null if none was, or one is complete
   * @param complete whether one is
   * @param groups how many were committed since, its own included
   * @param waited whether there was a wait that left its group
   * @param plain whether threads have stored there themselves
   */
  record State(@Nullable Line copy, boolean complete, int groups, boolean waited, boolean plain) {}

  static final State BEGIN = new State(null, false, 0, false, false);
  private static final State COMPLETE = new State(null, true, 0, false, false);

  private final Object array;
  private final CopyLints lints;

  Unwaited(Object array, CopyLints lints) {
    this.array = array;
    this.lints = lints;
  }

  @Override
  public State after(Op op, Access access, State before) {
    if (before.complete) {
      return before;
    }
    return switch (access.kind()) {
      case COPY, BULK_LOAD, BULK_LOAD_ALL ->
          before.copy == null && access.first().base().equals(array)
              ? new State(op.line(), false, 0, false, before.plain)
              : before;
      case STORE ->
          access.first().base().equals(array)
              ? new State(before.copy, false, before.groups, before.waited, true)
              : before;
      case COMMIT ->
          before.copy == null
              ? before
              : new State(
                  before.copy,
                  false,
                  Math.min(before.groups + 1, MOST_GROUPS),
                  before.waited,
                  before.plain);
      case WAIT -> {
        if (before.copy == null) {
          yield before;
        }
        yield access.number() < 0 || before.groups > access.number()
            ? COMPLETE
            : new State(before.copy, false, before.groups, true, before.plain);
      }
      case WAIT_ALL, BARRIER_WAIT -> before.copy == null ? before : COMPLETE;
      default -> before;
    };
  }

  /**
   * A copy that is complete on one of the ways may be on all: that a loop of copies has no round at
   * all is a way too.
   */
  @Override
  public void look(Op op, Access access, Set<State> before) {
    if (access.is(Access.Kind.LOAD)
        && access.first().base().equals(array)
        && before.stream().noneMatch(State::complete)) {
      before.stream()
          .filter(state -> state.copy != null && !state.plain)
          .findFirst()
          .ifPresent(state -> report(op, state));
    }
  }

  private void report(Op op, State before) {
    if (before.waited && before.groups > 0) {
      lints.report(
          op,
          CopyRule.WAIT_LEAVES_GROUP,
          "this reads what the copy of "
              + before.copy
              + " fills, and the wait between leaves its group pending: leave "
              + (before.groups - 1)
              + " or fewer");
    } else {
      lints.report(
          op,
          CopyRule.MISSING_WAIT,
          "this reads what the copy of "
              + before.copy
              + " fills, and "
              + (before.waited
                  ? "it was not committed before the wait between"
                  : "nothing waits for it on the way: wait, and let the block meet"));
    }
  }
}
