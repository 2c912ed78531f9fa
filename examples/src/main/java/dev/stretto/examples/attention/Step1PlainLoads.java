package dev.stretto.examples.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxMemory;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.Int4;

/**
 * Step 1: all threads load a block of keys and values and store it to shared memory, wait for each
 * other, compute, and wait for each other again. Each warp has 16 rows of queries.
 */
@SuppressWarnings("NarrowCalculation") // within a tile, which is small
public final class Step1PlainLoads {
  /** Threads of a block. */
  static final int THREADS = 128;

  /** Rows of queries of a block. */
  static final int ROWS = 64;

  private static final int KEYS = 64;

  private Step1PlainLoads() {}

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
    SharedBytes memory = block.sharedBytes((ROWS + 2 * KEYS) * 2 * headDim);
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
    SharedBytes memory = block.sharedBytes((ROWS + 2 * KEYS) * 2 * headDim);
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
    float[] out = new float[headDim / 2];
    Softmax softmax = new Softmax();
    int thread = block.threadIndexX();
    int first = work.firstQuery();
    load(words, 0, q, work.queryRow(), first, work.queries(), ROWS, headDim, thread);
    int blocks = work.blocks(ROWS, KEYS);
    for (int number = 0; number < blocks; number++) {
      int key = number * KEYS;
      load(words, ROWS, k, work.keyRow(), key, work.keys(), KEYS, headDim, thread);
      load(words, ROWS + KEYS, v, work.keyRow(), key, work.keys(), KEYS, headDim, thread);
      block.sync();
      float[] scores =
          PlainTiles.scores(bfloat, words, 16 * warp.index(), ROWS, KEYS, headDim, warp.lane());
      Output.mask(work, warp, scores, KEYS, key);
      softmax.take(warp, scale, scores, KEYS, out, headDim);
      PlainTiles.product(
          bfloat, memory.asShorts(), ROWS + KEYS, scores, KEYS, out, headDim, warp.lane());
      block.sync();
    }
    block.sync();
    Output.store(work, warp, softmax, memory, bfloat, out, headDim, o, lse);
  }

  /**
   * Loads some rows, each thread its part, and stores them to shared memory; zeros for rows that do
   * not exist.
   *
   * @param fromRow the head's first row
   * @param first the first row to load, counted within the head
   * @param end the row after the head's last one
   */
  private static void load(
      SharedInts to,
      int toRow,
      GlobalArray from,
      long fromRow,
      int first,
      int end,
      int rows,
      int headDim,
      int thread) {
    int chunks = headDim / 8;
    int apart = THREADS / chunks;
    for (int i = 0; i < rows / apart; i++) {
      int row = thread / chunks + i * apart;
      int[] four = new int[4];
      if (first + row < end) {
        long source = (fromRow + first + row) * 2 * headDim + thread % chunks * 16;
        PtxMemory.ldGlobalV4B32(four, 0, from, source);
      }
      int at = (toRow + row) * (headDim / 2) + thread % chunks * 4;
      to.set4(at, new Int4(four[0], four[1], four[2], four[3]));
    }
  }
}
