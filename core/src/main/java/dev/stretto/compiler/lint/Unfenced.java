package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Op;
import dev.stretto.fault.CopyRule;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds bulk copies that read memory to which threads have stored, without a proxy fence and a
 * barrier in between.
 */
final class Unfenced implements Paths.Rule<Unfenced.State> {
  /**
   * The last store.
   *
   * @param store its operation
   * @param region the region that it writes
   * @param fenced whether a fence came after it
   * @param met whether the block has met after the fence
   */
  record State(@Nullable Op store, @Nullable Region region, boolean fenced, boolean met) {}

  static final State BEGIN = new State(null, null, false, false);

  private final Object array;
  private final LintedKernel kernel;
  private final Regions regions;
  private final CopyLints lints;
  private final List<Region> read;

  /**
   * The rule for one array.
   *
   * @param read the regions of it that bulk copies read
   */
  Unfenced(Object array, LintedKernel kernel, Regions regions, List<Region> read, CopyLints lints) {
    this.array = array;
    this.kernel = kernel;
    this.regions = regions;
    this.read = read;
    this.lints = lints;
  }

  @Override
  public State after(Op op, Access access, State before) {
    return switch (access.kind()) {
      case STORE -> {
        if (!access.first().base().equals(array)) {
          yield before;
        }
        Region region = regions.of(op, access, 0);
        yield read.stream().allMatch(region::isSurelyApartFrom)
            ? before
            : new State(op, region, false, false);
      }
      // From then on, loads read what the copy has brought.
      case BULK_LOAD, BULK_LOAD_ALL -> access.first().base().equals(array) ? BEGIN : before;
      // A thread's fence covers only that thread's own stores.
      case PROXY_FENCE ->
          before.store == null || (isAlone(op) && !isAlone(before.store))
              ? before
              : new State(before.store, before.region, true, before.met);
      case SYNC, BARRIER_WAIT, BARRIER_TEST, HANDSHAKE ->
          before.fenced ? new State(before.store, before.region, true, true) : before;
      default -> before;
    };
  }

  /** Whether a single thread of a larger block performs the operation. */
  private boolean isAlone(Op op) {
    return !kernel.hasOneThread() && kernel.divergence().isElected(op);
  }

  @Override
  public State renewed(State state, Set<Integer> values) {
    if (state.region == null) {
      return state;
    }
    Region region = state.region.renewed(term -> kernel.dependsOn(term, values));
    return region.equals(state.region)
        ? state
        : new State(state.store, region, state.fenced, state.met);
  }

  @Override
  public void look(Op op, Access access, Set<State> before) {
    if (!access.is(Access.Kind.BULK_STORE) || !access.places().getLast().base().equals(array)) {
      return;
    }
    Region stored = regions.of(op, access, access.places().size() - 1);
    for (State state : before) {
      if (state.store != null
          && state.region != null
          && !state.met
          && state.region.surelyMeets(stored)
          && before.stream().noneMatch(other -> other.met && other.store == state.store)) {
        report(op, state.store, state.fenced);
      }
    }
  }

  private void report(Op op, Op store, boolean fenced) {
    if (!fenced) {
      lints.report(
          op,
          CopyRule.MISSING_PROXY_FENCE,
          "this bulk copy reads memory to which "
              + store.line()
              + " stores: each thread that stores must call fenceProxyAsyncShared() "
              + "before the barrier");
    } else if (isAlone(op) && !isAlone(store)) {
      lints.report(
          op,
          CopyRule.MISSING_BARRIER,
          "this bulk copy reads memory to which other threads store in "
              + store.line()
              + ": put a barrier after their fence");
    }
  }
}
