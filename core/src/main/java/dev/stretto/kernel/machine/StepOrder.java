package dev.stretto.kernel.machine;

import java.util.function.IntPredicate;

/** The order in which threads at the same point go on. */
final class StepOrder {
  private static final int WARP = 32;

  private final TurnOrder turns;
  private final int[] ranks;
  private final int[] some;
  private int all;
  private int count;

  StepOrder(TurnOrder turns, int threads) {
    this.turns = turns;
    this.ranks = new int[threads];
    this.some = new int[threads];
  }

  /** Says that all threads of the block go on. */
  void all() {
    all = ranks.length;
    for (int rank = 0; rank < all; rank++) {
      ranks[rank] = rank;
    }
  }

  /** Says that only some of the threads go on. */
  void only(IntPredicate which) {
    all = 0;
    for (int rank = 0; rank < ranks.length; rank++) {
      if (which.test(rank)) {
        ranks[all++] = rank;
      }
    }
  }

  /** The threads that go on together, in the order of their next step. */
  int[] next() {
    turns.shuffle(ranks, all);
    return ranks;
  }

  /**
   * The threads that take their next step with another one.
   *
   * @param rank the other one
   * @param isAlike which threads are at the same point
   */
  int[] alike(int rank, IntPredicate isAlike) {
    int from = turns.isSeeded() ? rank / WARP * WARP : 0;
    int to = turns.isSeeded() ? Math.min(ranks.length, from + WARP) : ranks.length;
    count = 0;
    for (int other = from; other < to; other++) {
      if (isAlike.test(other)) {
        some[count++] = other;
      }
    }
    turns.shuffle(some, count);
    return some;
  }

  /** Threads with consecutive ranks, in the order of their next step. */
  int[] range(int from, int to) {
    count = to - from;
    for (int i = 0; i < count; i++) {
      some[i] = from + i;
    }
    turns.shuffle(some, count);
    return some;
  }

  /** How many threads {@link #alike} has found. */
  int count() {
    return count;
  }
}
