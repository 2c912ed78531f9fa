package dev.stretto.examples.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedShorts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.Int4;

/**
 * Step 2: step 1, but keys and values of the next block are in flight while this one is computed.
 * Each wait is only for what is needed next: the keys before the scores, the values only before the
 * second product.
 */
@SuppressWarnings("NarrowCalculation") // within a tile, which is small
public final class Step2DoubleBuffered {
  /** Threads of a block. */
  static final int THREADS = 128;

  /** Rows of queries of a block. */
  static final int ROWS = 64;

  private static final int KEYS = 64;

  private Step2DoubleBuffered() {}

  /** Attention of bfloat16 numbers. */
  @Kernel(maxThreads = THREADS)
  static void bf16(
      ThreadBlock block,
      GlobalBfloats q,
      GlobalBfloats k,
      GlobalBfloats v,
      GlobalBfloats o,
      GlobalFloats lse,
      int queries,
      int keys,
      float scale,
      @Const int group,
      @Const int headDim,
      @Const boolean causal) {
    SharedBytes memory = block.sharedBytes((ROWS + 4 * KEYS) * 2 * headDim);
    Work work = Work.of(block, ROWS, queries, keys, group, causal);
    attend(block, memory, q, k, v, o, lse, work, scale, true, headDim);
  }

  /** Attention of binary16 numbers. */
  @Kernel(maxThreads = THREADS)
  static void f16(
      ThreadBlock block,
      GlobalHalfs q,
      GlobalHalfs k,
      GlobalHalfs v,
      GlobalHalfs o,
      GlobalFloats lse,
      int queries,
      int keys,
      float scale,
      @Const int group,
      @Const int headDim,
      @Const boolean causal) {
    SharedBytes memory = block.sharedBytes((ROWS + 4 * KEYS) * 2 * headDim);
    Work work = Work.of(block, ROWS, queries, keys, group, causal);
    attend(block, memory, q, k, v, o, lse, work, scale, false, headDim);
  }

  private static void attend(
      ThreadBlock block,
      SharedBytes memory,
      GlobalArray q,
      GlobalArray k,
      GlobalArray v,
      GlobalArray o,
      GlobalFloats lse,
      Work work,
      float scale,
      boolean bfloat,
      int headDim) {
    Warp warp = block.warp();
    SharedInts words = memory.asInts();
    SharedShorts numbers = memory.asShorts();
    float[] out = new float[headDim / 2];
    Softmax softmax = new Softmax();
    int first = work.firstQuery();
    copy(block, memory, 0, q, work.queryRow(), first, work.queries(), ROWS, headDim);
    // The last block first, since only that one may lack rows.
    int number = work.blocks(ROWS, KEYS) - 1;
    int keys = ROWS;
    int values = keys + 2 * KEYS;
    long row = work.keyRow();
    if (number >= 0) {
      int key = number * KEYS;
      copy(block, memory, keys, k, row, key, work.keys(), KEYS, headDim);
      copy(block, memory, values, v, row, key, work.keys(), KEYS, headDim);
    }
    for (; number >= 0; number--) {
      // After the last block come empty groups, so that there is always one group more than is
      // needed.
      long next = (row + Math.max(0, number - 1) * KEYS) * headDim;
      int count = number > 0 ? KEYS * headDim : 0;
      int other = 2 * ROWS + KEYS - keys;
      block.waitPrior(1);
      block.memcpyAsync(numbers, other * headDim, k, next, count, 16);
      float[] scores =
          PlainTiles.scores(bfloat, words, 16 * warp.index(), keys, KEYS, headDim, warp.lane());
      Output.mask(work, warp, scores, KEYS, number * KEYS);
      softmax.take(warp, scale, scores, KEYS, out, headDim);
      block.waitPrior(1);
      block.memcpyAsync(numbers, (other + 2 * KEYS) * headDim, v, next, count, 16);
      PlainTiles.product(bfloat, numbers, keys + 2 * KEYS, scores, KEYS, out, headDim, warp.lane());
      keys = other;
    }
    block.waitAll();
    Output.store(work, warp, softmax, memory, bfloat, out, headDim, o, lse);
  }

  /**
   * Begins to copy some rows, with zeros for rows at the end that do not exist.
   *
   * @param fromRow the head's first row
   * @param first the first row to copy, counted within the head
   * @param end the row after the head's last one
   */
  private static void copy(
      ThreadBlock block,
      SharedBytes to,
      int toRow,
      GlobalArray from,
      long fromRow,
      int first,
      int end,
      int rows,
      int headDim) {
    int there = Math.clamp(end - first, 0, rows);
    long source = (fromRow + first) * headDim;
    block.memcpyAsync(to.asShorts(), toRow * headDim, from, source, there * headDim, 16);
    SharedInts words = to.asInts();
    for (int i = there * headDim / 8 + block.threadIndexX(); i < rows * headDim / 8; i += THREADS) {
      words.set4(toRow * (headDim / 2) + 4 * i, new Int4(0, 0, 0, 0));
    }
  }
}
