package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Op;
import dev.stretto.fault.CopyRule;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds copies into memory that begin after a load of the same memory, with no barrier in between.
 * Only loads of data that other threads have copied count: loads that do not depend on the thread,
 * and loads of data that one thread has copied in bulk.
 */
final class Refills implements Paths.Rule<Refills.State> {
  /**
   * The last load.
   *
   * @param load its operation
   * @param region the region that it reads
   * @param met whether the block has met since
   */
  record State(@Nullable Op load, @Nullable Region region, boolean met) {}

  static final State BEGIN = new State(null, null, false);

  private final Object array;
  private final LintedKernel kernel;
  private final Regions regions;
  private final CopyLints lints;

  Refills(Object array, LintedKernel kernel, Regions regions, CopyLints lints) {
    this.array = array;
    this.kernel = kernel;
    this.regions = regions;
    this.lints = lints;
  }

  @Override
  public State after(Op op, Access access, State before) {
    return switch (access.kind()) {
      case LOAD ->
          // A thread that reads alone may have made the copy itself.
          access.first().base().equals(array) && !kernel.divergence().isElected(op)
              ? new State(op, regions.of(op, access, 0), false)
              : before;
      case SYNC, BARRIER_WAIT, BARRIER_TEST, HANDSHAKE ->
          before.load == null ? before : new State(before.load, before.region, true);
      default -> before;
    };
  }

  @Override
  public State renewed(State state, Set<Integer> values) {
    if (state.region == null) {
      return state;
    }
    Region region = state.region.renewed(term -> kernel.dependsOn(term, values));
    return region.equals(state.region) ? state : new State(state.load, region, state.met);
  }

  @Override
  public void look(Op op, Access access, Set<State> before) {
    if (!access.is(Access.Kind.COPY, Access.Kind.BULK_LOAD, Access.Kind.BULK_LOAD_ALL)
        || !access.first().base().equals(array)) {
      return;
    }
    Region filled = regions.of(op, access, 0);
    for (State state : before) {
      if (state.load != null
          && state.region != null
          && !state.met
          && (!access.is(Access.Kind.COPY) || isEverybodys(state.load))
          && state.region.surelyMeets(filled)
          && before.stream().noneMatch(other -> other.met && other.load == state.load)) {
        lints.report(
            op,
            CopyRule.EARLY_REFILL,
            "this copy overwrites memory that "
                + state.load.line()
                + " reads, and slower threads may still be reading it: put a barrier "
                + "in between");
      }
    }
  }

  private boolean isEverybodys(Op load) {
    return !kernel.divergence().dependsOnRank(load.operand(0));
  }
}
