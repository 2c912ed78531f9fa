package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.fault.CopyRule;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds bulk copies that read a global array to which threads have stored before, without a proxy
 * fence. If the copy also comes before the store, as in a loop over an array that is changed in
 * place, the two usually touch different elements. Then nothing is reported here; a virtual device
 * detects the actual race.
 */
final class UnfencedSource implements Paths.Rule<UnfencedSource.State> {
  /**
   * The last store.
   *
   * @param store its line, if no fence has come since
   * @param region the region that it writes
   * @param fenced whether a fence has come after a store
   * @param copied whether a bulk copy has read the array before
   */
  record State(@Nullable Line store, @Nullable Region region, boolean fenced, boolean copied) {}

  static final State BEGIN = new State(null, null, false, false);

  /** The position of a bulk copy's source among its places. */
  private static final int SOURCE = 1;

  private final Value array;
  private final LintedKernel kernel;
  private final Regions regions;
  private final CopyLints lints;

  UnfencedSource(Value array, LintedKernel kernel, Regions regions, CopyLints lints) {
    this.array = array;
    this.kernel = kernel;
    this.regions = regions;
    this.lints = lints;
  }

  /** The global array that a bulk copy reads; null for any other operation. */
  static @Nullable Value source(Access access) {
    return access.is(Access.Kind.BULK_LOAD, Access.Kind.BULK_LOAD_ALL)
            && access.places().size() > SOURCE
            && access.places().get(SOURCE).base() instanceof Value base
            && base.type() == Type.GLOBAL
        ? base
        : null;
  }

  @Override
  public State after(Op op, Access access, State before) {
    if (access.is(Access.Kind.STORE) && access.first().base().equals(array)) {
      return before.copied
          ? before
          : new State(op.line(), regions.of(op, access, 0), before.fenced, false);
    }
    if (isFence(op)) {
      return new State(null, null, before.fenced || before.store != null, before.copied);
    }
    return reads(access) ? new State(before.store, before.region, before.fenced, true) : before;
  }

  @Override
  public State renewed(State state, Set<Integer> values) {
    if (state.region == null) {
      return state;
    }
    Region region = state.region.renewed(term -> kernel.dependsOn(term, values));
    return region.equals(state.region)
        ? state
        : new State(state.store, region, state.fenced, state.copied);
  }

  /** A fence for shared memory alone is not enough. */
  private static boolean isFence(Op op) {
    return op.code() == OpCode.ASM
        && op.attribute(Asm.class).name().endsWith("PtxBulkCopies.fenceProxyAsync");
  }

  @Override
  public void look(Op op, Access access, Set<State> before) {
    // If some path has a fence, a path without one may be harmless: the threads that store may be
    // the ones that fence.
    if (!reads(access) || before.stream().anyMatch(state -> state.fenced || state.copied)) {
      return;
    }
    Region read = regions.of(op, access, SOURCE);
    for (State state : before) {
      if (state.store != null && state.region != null && state.region.surelyMeets(read)) {
        lints.report(
            op,
            CopyRule.MISSING_PROXY_FENCE,
            "this bulk copy reads the array to which "
                + state.store
                + " stores: each thread that stores must call block.fenceProxyAsync() "
                + "before the barrier");
        return;
      }
    }
  }

  private boolean reads(Access access) {
    Value source = source(access);
    return source != null && source.equals(array);
  }
}
