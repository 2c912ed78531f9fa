package dev.stretto.bench.kernel;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.Int4;

/** Counts how often each byte occurs; every warp counts separately in shared memory. */
final class Histogram {
  static final int BINS = 256;
  static final int THREADS = 256;

  private static final int WARPS = THREADS / 32;

  private Histogram() {}

  /** Counts n words, and adds the counts to the bins. */
  @Kernel(maxThreads = THREADS)
  static void histogram(ThreadBlock block, GlobalInts words, GlobalInts bins, int n) {
    SharedInts counts = block.sharedInts(WARPS * BINS);
    int thread = block.threadIndexX();
    for (int i = thread; i < WARPS * BINS; i += THREADS) {
      counts.set(i, 0);
    }
    block.sync();
    int mine = (thread >>> 5) * BINS;
    int stride = block.gridSizeX() * THREADS;
    for (int i = block.blockIndexX() * THREADS + thread; i < n / 4; i += stride) {
      Int4 four = words.get4(4L * i);
      count(counts, mine, four.x());
      count(counts, mine, four.y());
      count(counts, mine, four.z());
      count(counts, mine, four.w());
    }
    block.sync();
    for (int bin = thread; bin < BINS; bin += THREADS) {
      int sum = 0;
      for (int warp = 0; warp < WARPS; warp++) {
        sum += counts.get(warp * BINS + bin);
      }
      Atomics.add(bins, bin, sum);
    }
  }

  private static void count(SharedInts counts, int mine, int word) {
    for (int shift = 0; shift < 32; shift += 8) {
      Atomics.add(counts, mine + (word >> shift & 0xff), 1);
    }
  }
}
