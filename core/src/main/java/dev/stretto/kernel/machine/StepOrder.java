package dev.stretto.kernel.machine;

import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The order in which threads at the same point go on. */
final class StepOrder {
  private static final int WARP = 32;
  private static final int SELDOM = 8;

  private final TurnOrder turns;
  private final int[] ranks;
  private final int[] some;
  private final int[] before;
  private final Batch batch = new Batch();
  private int all;

  StepOrder(TurnOrder turns, int threads) {
    this.turns = turns;
    this.ranks = new int[threads];
    this.some = new int[threads];
    this.before = new int[threads];
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

  /** Chooses all threads that go on together. */
  Batch next() {
    return batch(ranks, all, all == ranks.length);
  }

  /**
   * Chooses the threads that take their next step with another one.
   *
   * @param rank the other one
   * @param isAlike which threads are at the same point
   */
  Batch alike(int rank, IntPredicate isAlike) {
    int from = turns.isSeeded() ? rank / WARP * WARP : 0;
    int to = turns.isSeeded() ? Math.min(ranks.length, from + WARP) : ranks.length;
    int count = 0;
    for (int other = from; other < to; other++) {
      if (isAlike.test(other)) {
        some[count++] = other;
      }
    }
    return batch(some, count, count > 0 && some[count - 1] - some[0] == count - 1);
  }

  /** Chooses threads with consecutive ranks. */
  Batch range(int from, int to) {
    int count = to - from;
    if (!turns.isSeeded()) {
      return batch.byRank(from, to);
    }
    for (int i = 0; i < count; i++) {
      some[i] = from + i;
    }
    return batch(some, count, true);
  }

  private Batch batch(int[] ranks, int count, boolean consecutive) {
    if (!turns.isSeeded() && consecutive) {
      return batch.byRank(ranks[0], ranks[0] + count);
    }
    shuffle(ranks, count);
    return batch.ordered(ranks, count);
  }

  /**
   * Picks another order. Steps and an offset on top of the order before cost a tenth of an order
   * that is picked thread by thread, which now and then mixes all.
   */
  private void shuffle(int[] ranks, int count) {
    boolean even = count >= WARP && Integer.bitCount(count) == 1;
    if (!even || !turns.isSeeded() || turns.happensOnceIn(SELDOM)) {
      turns.shuffle(ranks, count);
      return;
    }
    int step = 2 * turns.nextCluster(count / 2, 0, false) + 1; // odd: it comes to every place
    int at = turns.nextCluster(count, 0, false);
    System.arraycopy(ranks, 0, before, 0, count);
    for (int i = 0; i < count; i++) {
      ranks[i] = before[at + i * step & count - 1];
    }
  }

  /** Threads in the order of their next step. There is one batch, which is used again. */
  static final class Batch {
    private int @Nullable [] ranks;
    private int from;
    private int to;

    private Batch byRank(int from, int to) {
      this.ranks = null;
      this.from = from;
      this.to = to;
      return this;
    }

    private Batch ordered(int[] ranks, int count) {
      this.ranks = ranks;
      this.from = 0;
      this.to = count;
      return this;
    }

    int count() {
      return to - from;
    }

    /** Lets the threads go on from a point; sets their points unless they have one in common. */
    int step(SteppedKernel kernel, int point, SteppedBlock block) {
      return kernel.step(point, block, ranks, from, to);
    }

    /** Copies the ranks. */
    void into(int[] copy) {
      int[] known = ranks;
      if (known != null) {
        System.arraycopy(known, from, copy, 0, count());
        return;
      }
      for (int i = 0; i < count(); i++) {
        copy[i] = from + i;
      }
    }
  }
}
