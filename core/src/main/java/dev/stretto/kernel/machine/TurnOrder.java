package dev.stretto.kernel.machine;

import java.util.BitSet;
import java.util.SplittableRandom;

/** Decides which thread of a block gets the turn. A device promises no order. */
public sealed interface TurnOrder {
  /**
   * The next rank among those that can go on, after rank {@code after} has given up the turn; -1 if
   * there is none.
   */
  int next(BitSet ready, int after);

  /** Whether to make checks that take a long time in the next block. */
  boolean looksCloser();

  /** Whether a thread gives up its turn at its nth atomic access. */
  boolean givesUpTurn(int accesses);

  /** Whether a wait that may end early does so. */
  boolean givesUpWaiting();

  /** The index of the next cluster among those that run at the same time. */
  int nextCluster(int count, int after, boolean passes);

  /** The number of clusters that begin at the same time, if there is room. */
  int width();

  /** Puts the first ranks of a list into the order in which they go on. */
  void shuffle(int[] ranks, int count);

  /**
   * Whether something happens that the seed lets happen once in so many times; without one never.
   */
  boolean happensOnceIn(int times);

  /** A number below a bound that the seed picks; without one 0. */
  int pick(int bound);

  /** Whether a seed decides. */
  boolean isSeeded();

  /** Threads take turns by rank, round-robin. */
  record ByRank() implements TurnOrder {
    private static final int ACCESSES = 1 << 10;

    @Override
    public boolean looksCloser() {
      return false;
    }

    @Override
    public int next(BitSet ready, int after) {
      int next = ready.nextSetBit(after + 1);
      return next >= 0 ? next : ready.nextSetBit(0);
    }

    @Override
    public int nextCluster(int count, int after, boolean passes) {
      return passes ? (after + 1) % count : after;
    }

    @Override
    public int width() {
      return 1;
    }

    @Override
    public void shuffle(int[] ranks, int count) {
      // They stay in the order of their numbers.
    }

    @Override
    public boolean happensOnceIn(int times) {
      return false;
    }

    @Override
    public int pick(int bound) {
      return 0;
    }

    @Override
    public boolean isSeeded() {
      return false;
    }

    @Override
    public boolean givesUpTurn(int accesses) {
      return accesses % ACCESSES == 0;
    }

    @Override
    public boolean givesUpWaiting() {
      return false;
    }
  }

  /** A seed picks the thread. */
  record Seeded(SplittableRandom random) implements TurnOrder {
    private static final int WIDEST = 3;

    @Override
    public int nextCluster(int count, int after, boolean passes) {
      return count == 1 ? 0 : random.nextInt(count);
    }

    @Override
    public int width() {
      return random.nextBoolean() ? 1 : 1 + random.nextInt(WIDEST);
    }

    @Override
    public boolean looksCloser() {
      return random.nextInt(16) == 0;
    }

    @Override
    public int next(BitSet ready, int after) {
      if (ready.isEmpty()) {
        return -1;
      }
      return ready.nextSetBit(random.nextInt(ready.length()));
    }

    @Override
    public void shuffle(int[] ranks, int count) {
      for (int i = count - 1; i > 0; i--) {
        int at = random.nextInt(i + 1);
        int rank = ranks[i];
        ranks[i] = ranks[at];
        ranks[at] = rank;
      }
    }

    @Override
    public boolean happensOnceIn(int times) {
      return random.nextInt(times) == 0;
    }

    @Override
    public int pick(int bound) {
      return random.nextInt(bound);
    }

    @Override
    public boolean isSeeded() {
      return true;
    }

    @Override
    public boolean givesUpTurn(int accesses) {
      return random.nextInt(4) == 0;
    }

    @Override
    public boolean givesUpWaiting() {
      return random.nextInt(4) == 0;
    }
  }
}
