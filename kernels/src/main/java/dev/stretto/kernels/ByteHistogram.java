package dev.stretto.kernels;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.Int4;

/** The kernel that counts how often each byte occurs. */
final class ByteHistogram {
  static final int BINS = 256;

  /** The bytes that a block reads at once. */
  static final int TILE = BlockCounts.THREADS * 16;

  private ByteHistogram() {}

  /**
   * Counts in shared memory, and then adds to the counts of all blocks.
   *
   * @param words the array's words, as many as are whole; the first of {@code in} if it is not
   *     aligned
   * @param in all bytes
   * @param from the first byte that is not in {@code words}
   */
  @Kernel(maxThreads = BlockCounts.THREADS, minBlocks = 6)
  static void count(
      ThreadBlock block,
      GlobalInts words,
      GlobalBytes in,
      long from,
      GlobalLongs counts,
      @Const int copies) {
    BlockCounts.clear(block, counts, copies);
    long step = (long) block.gridSizeX() * BlockCounts.THREADS;
    for (long i = block.globalIndexX(); 16 * i < from; i += step) {
      Int4 four = words.get4(4 * i);
      count(block, counts, copies, four.x());
      count(block, counts, copies, four.y());
      count(block, counts, copies, four.z());
      count(block, counts, copies, four.w());
    }
    for (long i = from + block.globalIndexX(); i < in.length(); i += step) {
      BlockCounts.count(block, counts, copies, in.get(i) & 0xff);
    }
    BlockCounts.add(block, counts, copies);
  }

  private static void count(ThreadBlock block, GlobalLongs counts, int copies, int word) {
    for (int shift = 0; shift < 32; shift += 8) {
      BlockCounts.count(block, counts, copies, (word >> shift) & 0xff);
    }
  }
}
