package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Op;
import dev.stretto.fault.CopyRule;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Barrier objects that are used before all threads know of them, or made twice. */
final class Initialization implements Paths.Rule<Initialization.State> {
  /**
   * The last initialization.
   *
   * @param init where; null if there was none
   * @param place which barrier of the array
   * @param known whether the block has met since
   * @param elected whether one thread did it
   */
  record State(@Nullable Line init, Access.@Nullable Place place, boolean known, boolean elected) {}

  static final State BEGIN = new State(null, null, false, false);

  /** There is no initialization in the kernel. */
  static final State NEVER = new State(null, null, true, false);

  private final Object array;
  private final Divergence divergence;
  private final CopyLints lints;

  Initialization(Object array, Divergence divergence, CopyLints lints) {
    this.array = array;
    this.divergence = divergence;
    this.lints = lints;
  }

  @Override
  public State after(Op op, Access access, State before) {
    return switch (access.kind()) {
      case BARRIER_INIT ->
          access.first().base().equals(array)
              ? new State(op.line(), access.first(), false, divergence.isElected(op))
              : before;
      case BARRIER_INVAL ->
          before.init != null && access.first().base().equals(array) ? BEGIN : before;
      case SYNC ->
          before.init == null ? before : new State(before.init, before.place, true, before.elected);
      default -> before;
    };
  }

  @Override
  public void look(Op op, Access access, Set<State> before) {
    before.forEach(state -> look(op, access, state));
  }

  private void look(Op op, Access access, State before) {
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
      case BARRIER_INIT -> {
        if (before.place != null && before.place.is(access.first())) {
          lints.report(
              op,
              CopyRule.BARRIER_INITIALIZED_TWICE,
              "this barrier is initialized again after "
                  + before.init
                  + ": call mbarrierInval when nobody uses it any more");
        }
      }
      case BARRIER_EXPECT,
          BARRIER_ARRIVE_EXPECT,
          BARRIER_ARRIVE,
          BARRIER_WAIT,
          COPY_ARRIVE,
          BULK_LOAD,
          BULK_LOAD_ALL -> {
        if (before.equals(NEVER)) {
          lints.report(
              op,
              CopyRule.BARRIER_NOT_INITIALIZED,
              "no thread has initialized this barrier: call mbarrierInit and block.sync() before");
        } else if (before.init != null
            && before.elected
            && !before.known
            && !divergence.isElected(op)) {
          lints.report(
              op,
              CopyRule.BARRIER_NOT_INITIALIZED,
              "threads use this barrier that do not know yet of its initialization in "
                  + before.init
                  + ": call block.sync() between");
        }
      }
      default -> {}
    }
  }
}
