package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Op;
import dev.stretto.fault.CopyRule;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Barriers that expect other numbers of bytes than bulk copies bring, where both are constants. */
final class ByteCounts implements Paths.Rule<ByteCounts.State> {
  /**
   * What a path has come to since the last wait.
   *
   * @param expected bytes
   * @param copied bytes
   * @param known whether both are known
   * @param begun whether there was anything to count
   * @param expectation where bytes were expected last
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
  private final CopyLints lints;

  /**
   * The rule for one barrier.
   *
   * @param loops where loops begin that bring bytes to it, or expect some
   */
  ByteCounts(Access.Place barrier, Set<Block> loops, CopyLints lints) {
    this.barrier = barrier;
    this.loops = loops;
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
      case BARRIER_WAIT -> access.first().is(barrier) ? BEGIN : before;
      // Whether the phase has ended is what the kernel asks.
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
    // What is even stays so, however often a loop goes round.
    return nowExpected == nowCopied
        ? new State(0, 0, true, true, null)
        : new State(
            nowExpected,
            nowCopied,
            true,
            true,
            expectation == null ? before.expectation : expectation);
  }

  /** How often a loop goes round that brings the rest is not known here. */
  @Override
  public State enter(Block block, State state) {
    return !state.isEven() && loops.contains(block) ? UNKNOWN : state;
  }

  @Override
  public void look(Op op, Access access, Set<State> before) {
    if (!access.is(Access.Kind.BARRIER_WAIT)
        || !access.first().is(barrier)
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
                ? "who waits for it waits for ever"
                : "its phase may end before they are there"));
  }
}
