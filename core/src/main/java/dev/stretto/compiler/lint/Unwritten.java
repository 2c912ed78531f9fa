package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Op;
import dev.stretto.fault.CopyRule;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds loads of global memory that a bulk copy writes, if nothing has waited for that copy. */
final class Unwritten implements Paths.Rule<Unwritten.State> {
  /**
   * The last copy.
   *
   * @param copy its operation
   * @param region the region that it writes
   * @param read whether a wait for its reads came
   * @param written whether a wait for its writes came
   */
  record State(@Nullable Op copy, @Nullable Region region, boolean read, boolean written) {}

  static final State BEGIN = new State(null, null, false, false);

  private final Object array;
  private final LintedKernel kernel;
  private final Regions regions;
  private final CopyLints lints;

  Unwritten(Object array, LintedKernel kernel, Regions regions, CopyLints lints) {
    this.array = array;
    this.kernel = kernel;
    this.regions = regions;
    this.lints = lints;
  }

  @Override
  public boolean isOfOneThread() {
    return true;
  }

  @Override
  public State after(Op op, Access access, State before) {
    return switch (access.kind()) {
      case BULK_STORE ->
          access.first().base().equals(array)
              ? new State(op, regions.of(op, access, 0), false, false)
              : before;
      case BULK_WAIT ->
          before.copy == null ? before : new State(before.copy, before.region, true, true);
      case BULK_WAIT_READ ->
          before.copy == null
              ? before
              : new State(before.copy, before.region, true, before.written);
      default -> before;
    };
  }

  @Override
  public State renewed(State state, Set<Integer> values) {
    if (state.region == null) {
      return state;
    }
    Region region = state.region.renewed(term -> kernel.dependsOn(term, values));
    return region.equals(state.region)
        ? state
        : new State(state.copy, region, state.read, state.written);
  }

  @Override
  public void look(Op op, Access access, Set<State> before) {
    if (!access.is(Access.Kind.LOAD) || !access.first().base().equals(array)) {
      return;
    }
    Region loaded = regions.of(op, access, 0);
    for (State state : before) {
      if (state.copy != null
          && state.region != null
          && !state.written
          && loaded.isSurelyIn(state.region)
          && before.stream().noneMatch(other -> other.written && other.copy == state.copy)) {
        lints.report(
            op,
            state.read ? CopyRule.READ_WAIT_ONLY : CopyRule.MISSING_WAIT,
            "this reads memory that the bulk copy of "
                + state.copy.line()
                + " writes, "
                + (state.read
                    ? "and the wait between is for its reads only: use cpAsyncBulkWaitGroup"
                    : "and nothing waits for it on the way"));
      }
    }
  }
}
