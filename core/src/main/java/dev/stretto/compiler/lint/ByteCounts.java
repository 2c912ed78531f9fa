package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Op;
import dev.stretto.fault.CopyRule;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds barriers that expect a different number of bytes than bulk copies bring, where both numbers
 * are constants.
 */
final class ByteCounts implements Paths.Rule<ByteCounts.State> {
  /**
   * What has happened on a path since the last wait.
   *
   * @param expected bytes expected so far
   * @param copied bytes copied so far
   * @param known whether both are known
   * @param begun whether there was anything to count
   * @param expectation the last operation that expected bytes
   */
  record State(long expected, long copied, boolean known, boolean begun, @Nullable Op expectation) {
    boolean isEven() {
      return expected == copied;
    }
  }

  static final State BEGIN = new State(0, 0, true, false, null);
  private static final State UNKNOWN = new State(0, 0, false, true, null);

  private final Access.Place barrier;
  private final Set<Block> loops;
  private final LintedKernel kernel;
  private final CopyLints lints;

  /**
   * The rule for one barrier.
   *
   * @param loops the headers of loops that bring or expect bytes for it
   */
  ByteCounts(Access.Place barrier, Set<Block> loops, LintedKernel kernel, CopyLints lints) {
    this.barrier = barrier;
    this.loops = loops;
    this.kernel = kernel;
    this.lints = lints;
  }

  @Override
  public boolean isOfOneThread() {
    return true;
  }

  @Override
  public State after(Op op, Access access, State before) {
    return switch (access.kind()) {
      case BULK_LOAD ->
          access.places().getLast().is(barrier) ? sum(before, 0, access.number(), null) : before;
      case BARRIER_COMPLETE ->
          access.first().is(barrier) ? sum(before, 0, access.number(), null) : before;
      case BARRIER_EXPECT, BARRIER_ARRIVE_EXPECT ->
          access.first().is(barrier) ? sum(before, access.number(), 0, op) : before;
      case BARRIER_WAIT ->
          access.first().is(barrier) ? (kernel.endsPhase(op) ? BEGIN : UNKNOWN) : before;
      // The kernel tests whether the phase has ended.
      case BARRIER_TEST -> access.first().is(barrier) ? UNKNOWN : before;
      default -> before;
    };
  }

  private static State sum(State before, long expected, long copied, @Nullable Op expectation) {
    if (!before.known || expected < 0 || copied < 0) {
      return UNKNOWN;
    }
    long nowExpected = before.expected + expected;
    long nowCopied = before.copied + copied;
    // Equal counts stay equal, however often a loop runs.
    return nowExpected == nowCopied
        ? new State(0, 0, true, true, null)
        : new State(
            nowExpected,
            nowCopied,
            true,
            true,
            expectation == null ? before.expectation : expectation);
  }

  /** A loop may bring the remaining bytes, and how often it runs is not known here. */
  @Override
  public State enter(Block block, State state) {
    return !state.isEven() && loops.contains(block) ? UNKNOWN : state;
  }

  @Override
  public void look(Op op, Access access, Set<State> before) {
    if (!access.is(Access.Kind.BARRIER_WAIT)
        || !access.first().is(barrier)
        || !kernel.endsPhase(op)
        || before.stream().anyMatch(state -> state.begun && (!state.known || state.isEven()))) {
      return;
    }
    before.stream().filter(state -> !state.isEven()).findFirst().ifPresent(it -> report(op, it));
  }

  private void report(Op wait, State state) {
    lints.report(
        state.expectation == null ? wait : state.expectation,
        CopyRule.BYTE_COUNT,
        "the barrier expects "
            + state.expected
            + " bytes, and copies bring "
            + state.copied
            + ": "
            + (state.expected > state.copied
                ? "a thread that waits for it waits forever"
                : "its phase may end before the bytes have arrived"));
  }
}
