package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Op;
import dev.stretto.fault.CopyRule;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds barrier objects that are used before all threads can see them, or that are initialized
 * twice.
 */
final class Initialization implements Paths.Rule<Initialization.State> {
  /**
   * The last initialization.
   *
   * @param init its operation; null if there was none
   * @param known whether the block has met since
   * @param ended whether the barrier was invalidated
   */
  record State(@Nullable Op init, boolean known, boolean ended) {}

  static final State BEGIN = new State(null, false, false);

  private final Object array;
  private final boolean never;
  private final LintedKernel kernel;
  private final CopyLints lints;

  /**
   * The rule for the barriers of one array.
   *
   * @param never whether nothing in the kernel initializes one
   */
  Initialization(Object array, boolean never, LintedKernel kernel, CopyLints lints) {
    this.array = array;
    this.never = never;
    this.kernel = kernel;
    this.lints = lints;
  }

  @Override
  public State after(Op op, Access access, State before) {
    return switch (access.kind()) {
      case BARRIER_INIT, BARRIER_MAKE ->
          access.first().base().equals(array) ? new State(op, false, false) : before;
      case BARRIER_INVAL ->
          before.init != null && access.first().base().equals(array)
              ? new State(before.init, true, true)
              : before;
      // Who has waited for another barrier may have been told of this one there.
      case SYNC, HANDSHAKE, BARRIER_WAIT, BARRIER_TEST ->
          before.init == null ? before : new State(before.init, true, before.ended);
      default -> before;
    };
  }

  @Override
  public void look(Op op, Access access, Set<State> before) {
    if (access.places().isEmpty()) {
      return;
    }
    Access.Place barrier =
        access.is(Access.Kind.BULK_LOAD, Access.Kind.BULK_LOAD_ALL)
            ? access.places().getLast()
            : access.first();
    if (!barrier.base().equals(array)) {
      return;
    }
    switch (access.kind()) {
      case BARRIER_INIT -> twice(op, barrier, before);
      case BARRIER_EXPECT,
          BARRIER_ARRIVE_EXPECT,
          BARRIER_ARRIVE,
          BARRIER_COMPLETE,
          BARRIER_WAIT,
          BARRIER_TEST,
          COPY_ARRIVE,
          BULK_LOAD,
          BULK_LOAD_ALL ->
          use(op, before);
      default -> {}
    }
  }

  private void twice(Op op, Access.Place barrier, Set<State> before) {
    // Another thread may have invalidated it on a path that this one did not take.
    if (before.stream().anyMatch(State::ended)) {
      return;
    }
    for (State state : before) {
      if (state.init != null && Access.of(state.init).first().is(barrier)) {
        lints.report(
            op,
            CopyRule.BARRIER_INITIALIZED_TWICE,
            "this barrier is initialized again after "
                + state.init.line()
                + ": call mbarrierInval once no thread uses it any more");
      }
    }
  }

  private void use(Op op, Set<State> before) {
    if (never) {
      lints.report(
          op,
          CopyRule.BARRIER_NOT_INITIALIZED,
          "no thread has initialized this barrier: call mbarrierInit and block.sync() first");
      return;
    }
    if (kernel.hasOneThread() || kernel.divergence().isElected(op)) {
      return;
    }
    for (State state : before) {
      if (state.init != null
          && !state.known
          && kernel.divergence().isElected(state.init)
          && before.stream().noneMatch(other -> other.known && other.init == state.init)) {
        lints.report(
            op,
            CopyRule.BARRIER_NOT_INITIALIZED,
            "threads use this barrier before its initialization in "
                + state.init.line()
                + " is visible to them: call block.sync() in between");
      }
    }
  }
}
