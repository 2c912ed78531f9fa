package dev.stretto.examples.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;

/**
 * Step 3: step 2, but each thread copies chunks of 16 bytes to their places in the swizzle of
 * {@link Rows}, and {@code ldmatrix} loads four operands at a time without a bank conflict.
 */
@SuppressWarnings("NarrowCalculation") // within a tile, which is small
public final class Step3Swizzled {
  /** Threads of a block. */
  static final int THREADS = 128;

  /** Rows of queries of a block. */
  static final int ROWS = 64;

  private static final int KEYS = 64;

  private Step3Swizzled() {}

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
    int thread = block.threadIndexX();
    int tileBytes = KEYS * Rows.bytes(headDim);
    int across = Tiles.across(warp.lane(), headDim);
    int queries = warp.index() * 16 * Rows.bytes(headDim) + across;
    int along = Tiles.along(warp.lane(), headDim);
    float[] out = new float[headDim / 2];
    Softmax softmax = new Softmax();
    int number = work.blocks(ROWS, KEYS) - 1;
    int keys = ROWS * Rows.bytes(headDim);
    long row = work.keyRow();
    int first = work.firstQuery();
    Rows.copyTail(
        memory, 0, q, work.queryRow(), first, work.queries(), ROWS, headDim, thread, THREADS);
    if (number >= 0) {
      int key = number * KEYS;
      int values = keys + 2 * tileBytes;
      Rows.copyTail(memory, keys, k, row, key, work.keys(), KEYS, headDim, thread, THREADS);
      PtxCopies.cpAsyncCommitGroup();
      Rows.copyTail(memory, values, v, row, key, work.keys(), KEYS, headDim, thread, THREADS);
    }
    PtxCopies.cpAsyncCommitGroup();
    for (; number >= 0; number--) {
      long next = row + (number - 1) * KEYS;
      int other = 2 * ROWS * Rows.bytes(headDim) + tileBytes - keys;
      PtxCopies.cpAsyncWaitGroup(1);
      block.sync();
      if (number > 0) {
        Rows.copy(memory, other, k, next, KEYS, headDim, thread, THREADS);
      }
      PtxCopies.cpAsyncCommitGroup();
      float[] scores = new float[KEYS / 2];
      for (int sixteen = 0; sixteen < headDim / 16; sixteen++) {
        int[] left = new int[4];
        Tiles.left(memory, queries, sixteen, 1, headDim, left, 0);
        Tiles.scores(bfloat, memory, keys + along, sixteen, left, 0, 1, scores, KEYS, headDim);
      }
      Output.mask(work, warp, scores, KEYS, number * KEYS);
      softmax.take(warp, scale, scores, KEYS, out, headDim);
      PtxCopies.cpAsyncWaitGroup(1);
      block.sync();
      if (number > 0) {
        Rows.copy(memory, other + 2 * tileBytes, v, next, KEYS, headDim, thread, THREADS);
      }
      PtxCopies.cpAsyncCommitGroup();
      for (int sixteen = 0; sixteen < KEYS / 16; sixteen++) {
        int[] left = Fragments.left(bfloat, scores, KEYS, sixteen);
        int values = keys + 2 * tileBytes + across;
        Tiles.product(bfloat, memory, values, sixteen, left, 1, out, headDim);
      }
      keys = other;
    }
    PtxCopies.cpAsyncWaitAll();
    block.sync();
    Output.store(work, warp, softmax, memory, bfloat, out, headDim, o, lse);
  }
}
