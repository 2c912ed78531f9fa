package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Op;
import dev.stretto.fault.CopyRule;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds loads from an array to which copies were begun, if no wait has completed any of those
 * copies on the way.
 */
final class Unwaited implements Paths.Rule<Unwaited.State> {
  private static final int MOST_GROUPS = 12;

  /**
   * What has become of the first copy.
   *
   * @param copy the copy; null if none was begun, or one is complete
   * @param complete whether one is complete
   * @param groups how many groups were committed since, its own included
   * @param waited whether a wait has left its group pending
   */
  record State(@Nullable Op copy, boolean complete, int groups, boolean waited) {}

  static final State BEGIN = new State(null, false, 0, false);
  private static final State COMPLETE = new State(null, true, 0, false);

  private final Object array;
  private final Regions regions;
  private final List<Region> stored;
  private final CopyLints lints;
  private final boolean ofOneThread;

  /** Loads before which no thread waits, whatever its rank is. */
  private final Set<Op> suspects;

  private Unwaited(
      Object array,
      Regions regions,
      List<Region> stored,
      CopyLints lints,
      @Nullable Set<Op> suspects) {
    this.array = array;
    this.regions = regions;
    this.stored = stored;
    this.lints = lints;
    this.ofOneThread = suspects != null;
    this.suspects = suspects == null ? new HashSet<>() : suspects;
  }

  /**
   * The rule for one array, which collects the loads before which no thread waits.
   *
   * @param stored the regions of it that threads store themselves
   */
  Unwaited(Object array, Regions regions, List<Region> stored, CopyLints lints) {
    this(array, regions, stored, lints, null);
  }

  /**
   * The rule that reports those of the collected loads that a thread reaches which has begun a copy
   * itself: how threads with other roles tell each other of their waits, no path shows.
   */
  Unwaited ofOneThread() {
    return new Unwaited(array, regions, stored, lints, suspects);
  }

  @Override
  public boolean isOfOneThread() {
    return ofOneThread;
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
   * A copy that is complete on one path may be complete on all: the paths include the one on which
   * a loop of copies does not run at all.
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
          .ifPresent(state -> tell(op, state));
    }
  }

  private void tell(Op op, State state) {
    if (!ofOneThread) {
      suspects.add(op);
    } else if (suspects.contains(op)) {
      report(op, state);
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
          "this reads memory that the copy of "
              + copy
              + " fills, and the wait in between leaves the copy's group pending: "
              + "leave "
              + (before.groups - 1)
              + " or fewer groups pending");
    } else {
      lints.report(
          op,
          CopyRule.MISSING_WAIT,
          "this reads memory that the copy of "
              + copy
              + " fills, and "
              + (before.waited
                  ? "the copy was not committed before the wait in between"
                  : "nothing waits for that copy on the way: wait for it, then call "
                      + "block.sync()"));
    }
  }
}
