package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds threads that read a stage of shared memory again which nothing has filled anew since they
 * gave it back. No two accesses race there, and the data is that of an earlier turn.
 *
 * <p>A thread gives a stage back by arriving at the barrier object for which the thread that fills
 * the stage waits. A read behind that is stale, unless the thread has learned of a later phase of
 * the barrier that counts the stage's copies: it may have been told that the content stays.
 */
final class StaleStages {
  private final HappensBefore order;
  private final StageTurns turns;
  private final @Nullable Doubtful[] doubtful;

  /**
   * A read that is wrong if no more than it is known of the stage.
   *
   * @param first the thread's first read of the same; null if nothing has ever filled it
   */
  private record Doubtful(
      int clock,
      @Nullable CallPath line,
      SharedReads.@Nullable First first,
      @Nullable PendingCopy copy) {}

  StaleStages(HappensBefore order, int threads) {
    this.order = order;
    this.doubtful = new Doubtful[threads];
    this.turns = new StageTurns(order, threads);
  }

  /** Called when a cluster begins. */
  void begin() {
    turns.begin();
    Arrays.fill(doubtful, null);
  }

  StageTurns turns() {
    return turns;
  }

  /** A thread's first read of what a copy has brought, if it is not the one that it makes now. */
  SharedReads.@Nullable First first(@Nullable SharedReads reads, Coroutine thread) {
    SharedReads before = SharedReads.newestOf(reads, thread.rank());
    return before != null && turns.hasGoneOn(thread.rank(), before.clock)
        ? before.first()
        : before == null ? null : before.first;
  }

  /**
   * Called when a thread reads what a copy has brought, and not for the first time.
   *
   * @throws CopyMisuse if it has given that back
   */
  void readsAgain(PendingCopy copy, SharedReads.First first, Coroutine thread, String does) {
    for (StageBarrier counter : copy.counters()) {
      if (turns.waitedAgain(thread.rank(), counter) >= first.clock()) {
        throw order.misuse(
            CopyRule.STALE_STAGE,
            thread
                + " "
                + does
                + " again what it has read"
                + CallPath.inBrackets(first.line())
                + " of the stage that "
                + copy
                + " has filled: it has waited for the same stage twice and not released it"
                + " between, so that no copy fills it anew; call consumerRelease before the"
                + " next consumerWait");
      }
    }
    PendingCopy.Guard guard = copy.guard();
    if (guard != null
        && turns.arrived(thread.rank(), guard.barrier(), first.clock(), order.now(thread))
            >= guard.turns()
        && copy.isNewestTo(order, thread)) {
      throw stale(thread.toString(), does, null, first, copy, guard.barrier());
    }
    if (doubtful[thread.rank()] == null && copy.isNewestTo(order, thread)) {
      doubts(thread, first, copy);
    }
  }

  /** Called when a thread reads what nothing has ever filled. */
  void readsUndefined(Coroutine thread) {
    if (doubtful[thread.rank()] == null) {
      doubts(thread, null, null);
    }
  }

  private void doubts(
      Coroutine thread, SharedReads.@Nullable First first, @Nullable PendingCopy copy) {
    doubtful[thread.rank()] = new Doubtful(order.now(thread), order.lineOf(thread), first, copy);
  }

  /**
   * The mistake from which it follows that no thread can go on: some have given a stage back more
   * often than the thread that fills it, which waits for that, has come there. Null if there is
   * none.
   */
  @Nullable CopyMisuse whyNoneGoesOn() {
    for (StageBarrier barrier : turns.barriers()) {
      if (barrier.countsCopies()) {
        continue;
      }
      for (int filler : barrier.waiting()) {
        int waited = turns.waited(filler, barrier, -1);
        for (int rank = 0; rank < doubtful.length; rank++) {
          Doubtful read = doubtful[rank];
          if (read != null && turns.arrived(rank, barrier, 0, Integer.MAX_VALUE) > waited + 1) {
            return why(rank, read, barrier);
          }
        }
      }
    }
    return null;
  }

  private CopyMisuse why(int rank, Doubtful read, StageBarrier barrier) {
    SharedReads.First first = read.first;
    PendingCopy copy = read.copy;
    return first == null || copy == null
        ? order.misuse(
            CopyRule.MISSING_WAIT,
            "thread "
                + rank
                + " reads"
                + CallPath.inBrackets(read.line)
                + " shared memory that nothing has filled, and gives it back at "
                + barrier
                + ": wait for the stage before")
        : stale("thread " + rank, "reads", read.line, first, copy, barrier);
  }

  /**
   * Called when a thread fills bytes anew.
   *
   * @param before the copy that has filled them
   * @param reads what threads have read since
   * @return a read by a thread that had given the bytes back and then read them once more; null if
   *     there is none
   */
  @Nullable SharedReads fills(
      PendingCopy copy, @Nullable PendingCopy before, @Nullable SharedReads reads, Coroutine by) {
    StageBarrier barrier = turns.guard(by);
    if (before == null || before.thread() != by.rank() || barrier == null) {
      return null;
    }
    int waited = turns.waited(by.rank(), barrier, before.moment());
    if (waited == 0) {
      return null;
    }
    boolean guards = reads != null;
    SharedReads stale = null;
    for (SharedReads at = reads; at != null; at = at.before) {
      guards &= at.thread == by.rank() || turns.isKnownThrough(barrier, at.thread, by);
      SharedReads.First first = at.first;
      if (stale == null
          && first != null
          && (!order.knows(by, at.thread, at.clock) // a race, which only needs its name
              || turns.isKnownThrough(barrier, at.thread, by))
          && turns.arrived(at.thread, barrier, first.clock(), at.clock) >= waited) {
        stale = at;
      }
    }
    if (guards || stale != null) { // a report names the barrier
      copy.guardedBy(new PendingCopy.Guard(barrier, waited));
    }
    return stale;
  }

  /** The report of a read of bytes that a thread had given back to the one that fills them now. */
  CopyMisuse stale(SharedReads read, PendingCopy before, PendingCopy copy) {
    PendingCopy.Guard guard = Objects.requireNonNull(copy.guard(), "the barrier of a stage");
    return stale(
        "thread " + read.thread, "reads", read.line, read.first(), before, guard.barrier());
  }

  /** Whether a thread waits itself, at other times, for a barrier that counts a copy. */
  boolean waitsItself(PendingCopy copy, Coroutine thread) {
    return copy.counters().stream().anyMatch(counter -> turns.hasWaited(thread.rank(), counter));
  }

  private CopyMisuse stale(
      String who,
      String does,
      @Nullable CallPath line,
      SharedReads.First first,
      PendingCopy copy,
      StageBarrier barrier) {
    return order.misuse(
        CopyRule.STALE_STAGE,
        who
            + " "
            + does
            + CallPath.inBrackets(line)
            + " once more what it has read"
            + CallPath.inBrackets(first.line())
            + " of the stage that "
            + copy
            + " has filled: it has given the stage back at "
            + barrier
            + " since, and not waited for a copy that fills it anew; wait for the stage before"
            + " each turn, and give it back once");
  }
}
