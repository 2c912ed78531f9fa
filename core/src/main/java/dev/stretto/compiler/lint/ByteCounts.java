package dev.stretto.compiler.lint;

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
   */
  record State(long expected, long copied, boolean known) {}

  static final State BEGIN = new State(0, 0, true);
  private static final State UNKNOWN = new State(0, 0, false);

  private final Object array;
  private final CopyLints lints;
  private @Nullable Op lastExpectation;

  ByteCounts(Object array, CopyLints lints) {
    this.array = array;
    this.lints = lints;
  }

  @Override
  public State after(Op op, Access access, State before) {
    return switch (access.kind()) {
      case BULK_LOAD ->
          access.places().getLast().base().equals(array) ? sum(before, 0, access.number()) : before;
      case BARRIER_EXPECT, BARRIER_ARRIVE_EXPECT -> {
        if (!access.first().base().equals(array)) {
          yield before;
        }
        lastExpectation = op;
        yield sum(before, access.number(), 0);
      }
      case BARRIER_WAIT -> access.first().base().equals(array) ? BEGIN : before;
      default -> before;
    };
  }

  private static State sum(State before, long expected, long copied) {
    if (!before.known || expected < 0 || copied < 0) {
      return UNKNOWN;
    }
    long nowExpected = before.expected + expected;
    long nowCopied = before.copied + copied;
    // What is even stays so, however often a loop goes round.
    return nowExpected == nowCopied ? BEGIN : new State(nowExpected, nowCopied, true);
  }

  @Override
  public void look(Op op, Access access, Set<State> before) {
    before.forEach(state -> look(op, access, state));
  }

  private void look(Op op, Access access, State before) {
    if (!before.known
        || before.expected == before.copied
        || !access.is(Access.Kind.BARRIER_WAIT)
        || !access.first().base().equals(array)) {
      return;
    }
    Op where = lastExpectation == null ? op : lastExpectation;
    lints.report(
        where,
        CopyRule.BYTE_COUNT,
        "the barrier expects "
            + before.expected
            + " bytes, and copies bring "
            + before.copied
            + ": "
            + (before.expected > before.copied
                ? "who waits for it waits for ever"
                : "its phase may end before they are there"));
  }
}
