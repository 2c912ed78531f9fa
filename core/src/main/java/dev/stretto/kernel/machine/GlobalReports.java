package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;

/** The reports of two accesses to global memory that nothing orders. */
final class GlobalReports {
  private final HappensBefore order;

  GlobalReports(HappensBefore order) {
    this.order = order;
  }

  /**
   * {@return the report}
   *
   * @param isCarried whether the second thread cannot say its line by itself
   * @param cluster names the first thread's cluster, if it is another one
   */
  CopyMisuse race(GlobalAccess before, GlobalAccess now, boolean isCarried, String cluster) {
    boolean same = before.cluster() == now.cluster();
    if (same && before.isAsynchronous()) {
      return unfinished(before, now);
    }
    boolean plain = !before.kind().isAtomic() && !now.kind().isAtomic();
    String what =
        now.who()
            + " "
            + now.kind().does()
            + (isCarried ? CallPath.inBrackets(now.line()) : "")
            + " global memory that thread "
            + before.rank()
            + (same ? " " : " of " + cluster + " ")
            + before.kind().does()
            + CallPath.inBrackets(before.line())
            + ": a race, as nothing orders the two; ";
    if (!same) {
      return order.race(
          CopyRule.RACE,
          what
              + "blocks of a launch are ordered only by atomic operations of Scope.DEVICE with"
              + " fences, by Atomics.storeRelease and loadAcquire, or by block.grid().sync()",
          before.line());
    }
    boolean writes = before.kind() == ThreadAccess.WRITE && now.kind() == ThreadAccess.WRITE;
    return order.race(
        writes ? CopyRule.UNORDERED_WRITES : CopyRule.MISSING_BARRIER,
        what
            + "put a barrier such as block.sync() between"
            + (plain ? ", or use Atomics" : ", or use Atomics for both"),
        before.line());
  }

  private static CopyMisuse unfinished(GlobalAccess before, GlobalAccess now) {
    Object what = before.copy() == null ? before.store() : before.copy();
    PendingStore store = before.store();
    boolean done =
        before.copy() != null
            ? before.copy().isDone() && !before.copy().isCounted()
            : store != null && store.isAwaited();
    CopyRule rule =
        done
            ? CopyRule.MISSING_BARRIER
            : store != null && store.isReadByWait()
                ? CopyRule.READ_WAIT_ONLY
                : CopyRule.MISSING_WAIT;
    return new CopyMisuse(
        rule,
        now.who()
            + " "
            + now.kind().does()
            + " global memory that "
            + what
            + (what != null && what.toString().endsWith(")")
                ? ""
                : CallPath.inBrackets(before.line()))
            + (before.copy() == null ? " writes" : " reads")
            + (done
                ? ", which has been waited for: put a barrier between that wait and this"
                : rule == CopyRule.READ_WAIT_ONLY
                    ? ": its wait was only for the reads; wait with cpAsyncBulkWaitGroup before"
                    : ": wait for it before"));
  }
}
