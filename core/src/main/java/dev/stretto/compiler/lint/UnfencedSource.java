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
 * Bulk copies out of a global array to which threads have stored before, without a proxy fence.
 * Where the copy comes before the store too, as in a loop over an array that is changed in place,
 * they are mostly of other elements, and nothing is said: a virtual device knows.
 */
final class UnfencedSource implements Paths.Rule<UnfencedSource.State> {
  /**
   * The last store.
   *
   * @param store where, if no fence has come since
   * @param fenced whether one has come behind a store
   * @param copied whether a bulk copy has read the array before
   */
  record State(@Nullable Line store, boolean fenced, boolean copied) {}

  static final State BEGIN = new State(null, false, false);

  private final Value array;
  private final CopyLints lints;

  UnfencedSource(Value array, CopyLints lints) {
    this.array = array;
    this.lints = lints;
  }

  /** The global array that an operation has a bulk copy read; null for any other operation. */
  static @Nullable Value source(Access access) {
    return access.is(Access.Kind.BULK_LOAD, Access.Kind.BULK_LOAD_ALL)
            && access.places().size() > 1
            && access.places().get(1).base() instanceof Value base
            && base.type() == Type.GLOBAL
        ? base
        : null;
  }

  @Override
  public State after(Op op, Access access, State before) {
    if (access.is(Access.Kind.STORE) && access.first().base().equals(array)) {
      return before.copied ? before : new State(op.line(), before.fenced, false);
    }
    if (isFence(op)) {
      return new State(null, before.fenced || before.store != null, before.copied);
    }
    return reads(access) ? new State(before.store, before.fenced, true) : before;
  }

  /** One for shared memory alone is not enough. */
  private static boolean isFence(Op op) {
    return op.code() == OpCode.ASM
        && op.attribute(Asm.class).name().endsWith("PtxBulkCopies.fenceProxyAsync");
  }

  @Override
  public void look(Op op, Access access, Set<State> before) {
    // Fenced on some way means that the others may be none: who stores may be who fences.
    if (!reads(access) || before.stream().anyMatch(state -> state.fenced || state.copied)) {
      return;
    }
    for (State state : before) {
      if (state.store != null) {
        lints.report(
            op,
            CopyRule.MISSING_PROXY_FENCE,
            "this bulk copy reads the array to which "
                + state.store
                + " stores: each thread that stores has to call block.fenceProxyAsync() before the"
                + " barrier");
        return;
      }
    }
  }

  private boolean reads(Access access) {
    Value source = source(access);
    return source != null && source.equals(array);
  }
}
