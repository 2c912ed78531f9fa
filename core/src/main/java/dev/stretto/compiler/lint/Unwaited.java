package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Op;
import dev.stretto.fault.CopyRule;
import java.util.List;
import java.util.Objects;
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
   */
  record State(@Nullable Op copy, boolean complete, int groups, boolean waited) {}

  static final State BEGIN = new State(null, false, 0, false);
  private static final State COMPLETE = new State(null, true, 0, false);

  private final Object array;
  private final Regions regions;
  private final List<Region> stored;
  private final CopyLints lints;

  /**
   * The rule for one array.
   *
   * @param stored what threads store there themselves
   */
  Unwaited(Object array, Regions regions, List<Region> stored, CopyLints lints) {
    this.array = array;
    this.regions = regions;
    this.stored = stored;
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
              ? new State(op, false, 0, false)
              : before;
      case COMMIT ->
          before.copy == null
              ? before
              : new State(
                  before.copy, false, Math.min(before.groups + 1, MOST_GROUPS), before.waited);
      case WAIT -> {
        if (before.copy == null) {
          yield before;
        }
        yield access.number() < 0 || before.groups > access.number()
            ? COMPLETE
            : new State(before.copy, false, before.groups, true);
      }
      case WAIT_ALL, BARRIER_WAIT, BARRIER_TEST -> before.copy == null ? before : COMPLETE;
      default -> before;
    };
  }

  /**
   * A copy that is complete on one of the ways may be on all: that a loop of copies has no round at
   * all is a way too.
   */
  @Override
  public void look(Op op, Access access, Set<State> before) {
    if (!access.is(Access.Kind.LOAD)
        || !access.first().base().equals(array)
        || before.stream().anyMatch(State::complete)) {
      return;
    }
    Region loaded = regions.of(op, access, 0);
    if (stored.stream().allMatch(loaded::isSurelyApartFrom)) {
      before.stream()
          .filter(state -> state.copy != null && !isApart(loaded, state.copy))
          .findFirst()
          .ifPresent(state -> report(op, state));
    }
  }

  private boolean isApart(Region loaded, Op copy) {
    return loaded.isSurelyApartFrom(regions.of(copy, Access.of(copy), 0));
  }

  private void report(Op op, State before) {
    Line copy = Objects.requireNonNull(before.copy).line();
    if (before.waited && before.groups > 0) {
      lints.report(
          op,
          CopyRule.WAIT_LEAVES_GROUP,
          "this reads what the copy of "
              + copy
              + " fills, and the wait between leaves its group pending: leave "
              + (before.groups - 1)
              + " or fewer");
    } else {
      lints.report(
          op,
          CopyRule.MISSING_WAIT,
          "this reads what the copy of "
              + copy
              + " fills, and "
              + (before.waited
                  ? "it was not committed before the wait between"
                  : "nothing waits for it on the way: wait, and let the block meet"));
    }
  }
}
