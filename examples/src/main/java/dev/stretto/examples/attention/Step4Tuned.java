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
 * Step 4: each warp has 32 rows, so that each operand of keys or values that it loads serves two
 * products; keys and values of the next block are in flight during the whole of this one, with one
 * barrier per block; queries of 64 numbers stay in registers; powers become operands without
 * leaving their registers, and have base 2; only blocks at the diagonal or the end are masked.
 */
@SuppressWarnings("NarrowCalculation") // within a tile, which is small
public final class Step4Tuned {
  /** Threads of a block. */
  static final int THREADS = 128;

  /** Rows of queries of a block. */
  static final int ROWS = 128;

  private static final int KEYS = 64;

  /** Fragments of 16 rows each, for a warp. */
  private static final int FRAGMENTS = 2;

  private final ThreadBlock block;
  private final Warp warp;
  private final SharedBytes tiles;
  private final GlobalArray k;
  private final GlobalArray v;
  private final Work work;
  private final boolean bfloat;
  private final int headDim;
  private final int across;

  // Where a lane reads; changes from block to block. Kept as a place and a stage, this would take
  // one more register, and none is left.
  private int keysAt;
  private int valuesAt;
  private final int[] left;
  private final float[] out;
  private final LazySoftmax softmax;

  private Step4Tuned(
      ThreadBlock block,
      SharedBytes tiles,
      GlobalArray k,
      GlobalArray v,
      Work work,
      float scale,
      boolean bfloat,
      int headDim) {
    this.block = block;
    this.warp = block.warp();
    this.tiles = tiles;
    this.k = k;
    this.v = v;
    this.work = work;
    this.bfloat = bfloat;
    this.headDim = headDim;
    int lane = warp.lane();
    this.across = Tiles.across(lane, headDim);
    int first = stage(work.blocks(ROWS, KEYS) - 1);
    this.keysAt = first + Tiles.along(lane, headDim);
    this.valuesAt = first + 2 * tileBytes() + across;
    // All of the queries, or the part that one step takes.
    this.left = new int[4 * FRAGMENTS * (keepsQueries() ? headDim / 16 : 1)];
    this.out = new float[FRAGMENTS * headDim / 2];
    this.softmax = new LazySoftmax(2 * FRAGMENTS, scale);
  }

  /** Attention of bfloat16 numbers. */
  @Kernel(maxThreads = THREADS, minBlocks = 2)
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
    SharedBytes tiles = block.sharedBytes((ROWS + 4 * KEYS) * 2 * headDim);
    Work work = Work.of(block, ROWS, queries, keys, group, causal);
    new Step4Tuned(block, tiles, k, v, work, scale, true, headDim).attend(q, o, lse);
  }

  /** Attention of binary16 numbers. */
  @Kernel(maxThreads = THREADS, minBlocks = 2)
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
    SharedBytes tiles = block.sharedBytes((ROWS + 4 * KEYS) * 2 * headDim);
    Work work = Work.of(block, ROWS, queries, keys, group, causal);
    new Step4Tuned(block, tiles, k, v, work, scale, false, headDim).attend(q, o, lse);
  }

  /**
   * Whether there are enough registers for the queries beside 32 rows of a result: only if the
   * result is not too wide.
   */
  private boolean keepsQueries() {
    return headDim == 64;
  }

  /** After the queries come two blocks of keys, and then two of values. */
  private int firstKeys() {
    return ROWS * Rows.bytes(headDim);
  }

  private int tileBytes() {
    return KEYS * Rows.bytes(headDim);
  }

  /** Blocks alternate. */
  private int stage(int number) {
    return firstKeys() + (number & 1) * tileBytes();
  }

  /** The warp's first row within the block. */
  private int warpRow() {
    return block.threadIndexX() / 32 * 16 * FRAGMENTS;
  }

  private void attend(GlobalArray q, GlobalArray o, GlobalFloats lse) {
    int number = work.blocks(ROWS, KEYS) - 1;
    copyFirst(q, number);
    if (keepsQueries()) {
      PtxCopies.cpAsyncWaitAll();
      block.sync();
      for (int sixteen = 0; sixteen < headDim / 16; sixteen++) {
        loadQueries(sixteen, 4 * FRAGMENTS * sixteen);
      }
    }
    int whole = work.wholeBlocks(KEYS);
    for (; number >= whole; number--) {
      take(number, true);
    }
    for (; number >= 0; number--) {
      take(number, false);
    }
    PtxCopies.cpAsyncWaitAll();
    block.sync();
    finish(o, lse);
  }

  /**
   * Copies the queries, and the last block of keys and values, some of whose rows may not exist.
   */
  private void copyFirst(GlobalArray q, int number) {
    int thread = block.threadIndexX();
    Rows.copyTail(
        tiles,
        0,
        q,
        work.queryRow(),
        work.firstQuery(),
        work.queries(),
        ROWS,
        headDim,
        thread,
        THREADS);
    if (number >= 0) {
      long row = work.keyRow();
      int first = number * KEYS;
      int end = work.keys();
      int stage = stage(number);
      Rows.copyTail(tiles, stage, k, row, first, end, KEYS, headDim, thread, THREADS);
      int values = stage + 2 * tileBytes();
      Rows.copyTail(tiles, values, v, row, first, end, KEYS, headDim, thread, THREADS);
    }
    PtxCopies.cpAsyncCommitGroup();
  }

  /**
   * Processes a block of keys and values that was in flight while the previous one was computed.
   */
  private void take(int number, boolean masked) {
    PtxCopies.cpAsyncWaitAll();
    block.sync();
    if (number > 0) {
      long row = work.keyRow() + (number - 1) * KEYS;
      int thread = block.threadIndexX();
      int to = stage(number - 1);
      Rows.copy(tiles, to, k, row, KEYS, headDim, thread, THREADS);
      Rows.copy(tiles, to + 2 * tileBytes(), v, row, KEYS, headDim, thread, THREADS);
    }
    PtxCopies.cpAsyncCommitGroup();

    float[] scores = new float[FRAGMENTS * KEYS / 2];
    for (int sixteen = 0; sixteen < headDim / 16; sixteen++) {
      int first = keepsQueries() ? 4 * FRAGMENTS * sixteen : 0;
      if (!keepsQueries()) {
        loadQueries(sixteen, 0);
      }
      Tiles.scores(bfloat, tiles, keysAt, sixteen, left, first, FRAGMENTS, scores, KEYS, headDim);
    }
    if (masked) {
      int lane = warp.lane();
      int seen = work.seen(work.firstQuery() + warpRow() + lane / 4);
      int firstKey = number * KEYS + lane % 4 * 2;
      Fragments.mask(scores, 2 * FRAGMENTS, KEYS, seen - firstKey, work.more());
    }
    softmax.look(warp, scores, KEYS, out, headDim, masked);
    for (int sixteen = 0; sixteen < KEYS / 16; sixteen++) {
      int[] powers = new int[4 * FRAGMENTS];
      softmax.powers(bfloat, scores, KEYS, sixteen, powers, masked);
      Tiles.product(bfloat, tiles, valuesAt, sixteen, powers, FRAGMENTS, out, headDim);
    }
    // Blocks alternate between two places that differ in one bit.
    keysAt ^= tileBytes();
    valuesAt ^= tileBytes();
  }

  private void loadQueries(int sixteen, int to) {
    int at = warpRow() * Rows.bytes(headDim) + across;
    Tiles.left(tiles, at, sixteen, FRAGMENTS, headDim, left, to);
  }

  private void finish(GlobalArray o, GlobalFloats lse) {
    int lane = warp.lane();
    int first = work.firstQuery() + warpRow();
    for (int row = 0; row < 2 * FRAGMENTS; row++) {
      float total = softmax.total(warp, row);
      int query = first + 8 * row + lane / 4;
      if (lane % 4 == 0 && query < work.queries()) {
        lse.set(work.queryRow() + query, softmax.logSumExp(total, row));
      }
      Fragments.scale(out, row, headDim, total == 0 ? 0 : 1 / total);
    }
    Rows.store(
        warp,
        tiles.asInts(),
        warpRow() * Rows.bytes(headDim),
        bfloat,
        out,
        2 * FRAGMENTS,
        headDim,
        o,
        work.queryRow(),
        first,
        work.queries());
  }
}
