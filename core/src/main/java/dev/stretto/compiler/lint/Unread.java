package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.fault.CopyRule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds kernels that may end while a bulk copy still reads their shared memory. */
final class Unread implements Paths.Rule<Unread.State> {
  private static final int MOST_GROUPS = 8;

  /**
   * What a thread has begun.
   *
   * @param open copies that belong to no group yet
   * @param groups the copies of each group that has not been waited for, the oldest first
   * @param begun all copies begun so far
   */
  record State(Set<Op> open, List<Set<Op>> groups, Set<Op> begun) {
    boolean isPending(Op copy) {
      return open.contains(copy) || groups.stream().anyMatch(group -> group.contains(copy));
    }
  }

  static final State BEGIN = new State(Set.of(), List.of(), Set.of());

  private final CopyLints lints;

  /**
   * The copies that are still pending at the end of some path, and those that some path has waited
   * for.
   */
  private final Set<Op> pending = new HashSet<>();

  private final Set<Op> uncommitted = new HashSet<>();
  private final Set<Op> waitedFor = new HashSet<>();

  Unread(CopyLints lints) {
    this.lints = lints;
  }

  @Override
  public boolean isOfOneThread() {
    return true;
  }

  @Override
  public State after(Op op, Access access, State before) {
    return switch (access.kind()) {
      case BULK_STORE -> new State(with(before.open, op), before.groups, with(before.begun, op));
      case BULK_COMMIT -> {
        List<Set<Op>> groups = new ArrayList<>(before.groups);
        groups.add(before.open);
        if (groups.size() > MOST_GROUPS) {
          Set<Op> oldest = new HashSet<>(groups.removeFirst());
          oldest.addAll(groups.removeFirst());
          groups.addFirst(oldest);
        }
        yield groups.stream().allMatch(Set::isEmpty)
            ? new State(Set.of(), List.of(), before.begun)
            : new State(Set.of(), groups, before.begun);
      }
      case BULK_WAIT, BULK_WAIT_READ -> {
        int left = Math.clamp(access.number(), 0, before.groups.size());
        yield new State(
            before.open,
            List.copyOf(before.groups.subList(before.groups.size() - left, before.groups.size())),
            before.begun);
      }
      default -> before;
    };
  }

  private static Set<Op> with(Set<Op> ops, Op op) {
    Set<Op> more = new HashSet<>(ops);
    more.add(op);
    return more;
  }

  @Override
  public void look(Op op, Access access, Set<State> before) {
    if (op.code() != OpCode.RETURN) {
      return;
    }
    for (State state : before) {
      for (Op copy : state.begun) {
        (state.isPending(copy) ? pending : waitedFor).add(copy);
        if (state.open.contains(copy)) {
          uncommitted.add(copy);
        }
      }
    }
  }

  /** Reports the copies that no path waits for. */
  void report() {
    for (Op copy : pending) {
      if (!waitedFor.contains(copy)) {
        lints.report(
            copy,
            CopyRule.EXIT_BEFORE_READ,
            "the kernel may end while this bulk copy still reads its shared memory: "
                + "call "
                + (uncommitted.contains(copy) ? "cpAsyncBulkCommitGroup() and " : "")
                + "cpAsyncBulkWaitGroupRead(0) before the end");
      }
    }
  }
}
