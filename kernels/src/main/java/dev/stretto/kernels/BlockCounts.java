package dev.stretto.kernels;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernels.argument.Arguments;
import dev.stretto.memory.GlobalLongs;

/**
 * Bins of a block in its dynamic shared memory. There are up to 32 copies of each bin, next to each
 * other; a lane counts in the one of its number. With 32 copies each lane has its own bank, so no
 * two lanes of a warp ever wait for each other, whatever the numbers are.
 */
final class BlockCounts {
  static final int THREADS = 256;

  /** The bins of all copies together, so that a multiprocessor has room for six blocks. */
  private static final int MOST = 8192;

  private BlockCounts() {}

  /** {@return how many copies a block has; 0 if it has no room for one, and all count together} */
  static int copies(int bins) {
    return bins > MOST ? 0 : Math.min(32, Integer.highestOneBit(MOST / bins));
  }

  static Grid grid(Stream stream, long elements, int tile, int bins) {
    int blocks = Arguments.blocks(stream, elements, tile, 8);
    return Grid.of(blocks, THREADS).withSharedBytes(bins * copies(bins) * Integer.BYTES);
  }

  static void clear(ThreadBlock block, GlobalLongs counts, int copies) {
    if (copies > 0) {
      SharedInts own = block.dynamicShared().asInts();
      int all = (int) counts.length() * copies;
      for (int i = block.threadIndexX(); i < all; i += THREADS) {
        own.set(i, 0);
      }
      block.sync();
    }
  }

  /** Counts a bin; none if it is negative. */
  static void count(ThreadBlock block, GlobalLongs counts, int copies, int bin) {
    if (bin >= 0) {
      if (copies > 0) {
        int copy = block.threadIndexX() & (copies - 1);
        Atomics.add(block.dynamicShared().asInts(), bin * copies + copy, 1);
      } else {
        Atomics.add(counts, bin, 1L);
      }
    }
  }

  /** Adds the block's counts to those of all blocks. */
  static void add(ThreadBlock block, GlobalLongs counts, int copies) {
    if (copies > 0) {
      block.sync();
      SharedInts own = block.dynamicShared().asInts();
      int thread = block.threadIndexX();
      int bins = (int) counts.length();
      for (int bin = thread; bin < bins; bin += THREADS) {
        int sum = 0;
        for (int i = 0; i < copies; i++) {
          // Each lane begins with another copy, in another bank.
          sum += own.get(bin * copies + ((i + thread) & (copies - 1)));
        }
        if (sum != 0) {
          Atomics.add(counts, bin, (long) sum);
        }
      }
    }
  }
}
