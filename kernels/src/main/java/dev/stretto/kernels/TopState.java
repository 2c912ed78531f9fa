package dev.stretto.kernels;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalLongs;

/** What is known of the last key that is taken, and the kernel that finds out its next digit. */
final class TopState {
  static final int THREADS = 256;

  /** The digits of the last key so far. */
  static final int PREFIX = 0;

  /** How many keys with this prefix are to be taken. */
  static final int NEED = 1;

  /** How many keys have the first digit of the last one. */
  static final int CANDIDATES = 2;

  /** How many keys have a greater first digit. */
  static final int SURE = 3;

  static final int WORDS = 4;

  private TopState() {}

  /**
   * One block finds the value of a digit above which there are too few keys, and clears the counts.
   *
   * @param counts how many keys with the prefix have each value
   * @param digit how many bits it has
   * @param all how many keys are taken if it is the first digit, or else 0
   */
  @Kernel(maxThreads = THREADS)
  static void choose(
      ThreadBlock block, GlobalLongs counts, GlobalLongs state, int digit, long all) {
    SharedLongs sums = block.sharedLongs(THREADS / 32);
    Warp warp = block.warp();
    int values = 1 << digit;
    int each = Math.ceilDiv(values, THREADS);
    int top = values - 1 - block.threadIndexX() * each;
    long own = 0;
    for (int i = 0; i < each && top - i >= 0; i++) {
      own += counts.get(top - i);
    }
    long upTo = LongElements.inclusive(warp, Operation.SUM, own);
    if (warp.lane() == 31) {
      sums.set(warp.index(), upTo);
    }
    long need = all > 0 ? all : state.get(NEED);
    long prefix = all > 0 ? 0 : state.get(PREFIX);
    block.sync();
    for (int i = 0; i < THREADS / 32; i++) {
      upTo += i < warp.index() ? sums.get(i) : 0;
    }
    if (upTo - own < need && need <= upTo) {
      long left = need - (upTo - own);
      int value = top;
      while (counts.get(value) < left) {
        left -= counts.get(value);
        value--;
      }
      state.set(PREFIX, prefix << digit | value);
      state.set(NEED, left);
      if (all > 0) {
        state.set(CANDIDATES, counts.get(value));
        state.set(SURE, all - left);
      }
    }
    for (int i = 0; i < each && top - i >= 0; i++) {
      counts.set(top - i, 0);
    }
  }
}
