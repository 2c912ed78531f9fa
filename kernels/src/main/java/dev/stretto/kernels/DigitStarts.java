package dev.stretto.kernels;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalLongs;

/** The kernel that makes of the counts of digits where the keys of each digit begin. */
final class DigitStarts {
  static final int THREADS = 256;

  private DigitStarts() {}

  /**
   * Each block has the digits of one pass.
   *
   * @param counts 256 for each pass
   * @param starts 256 for each pass, the first {@code ofPass} apart
   */
  @Kernel(maxThreads = THREADS)
  static void starts(ThreadBlock block, GlobalLongs counts, GlobalLongs starts, long ofPass) {
    SharedLongs sums = block.sharedLongs(THREADS / 32);
    Warp warp = block.warp();
    int thread = block.threadIndexX();
    int pass = block.blockIndexX();
    long count = counts.get((long) pass * THREADS + thread);
    long upTo = LongElements.inclusive(warp, Operation.SUM, count);
    if (warp.lane() == 31) {
      sums.set(warp.index(), upTo);
    }
    block.sync();
    long start = upTo - count;
    for (int i = 0; i < THREADS / 32; i++) {
      start += i < warp.index() ? sums.get(i) : 0;
    }
    starts.set(pass * ofPass + thread, start);
  }
}
