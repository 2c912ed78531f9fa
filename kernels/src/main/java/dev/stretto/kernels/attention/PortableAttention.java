package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.FastMath;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;

/**
 * Attention on every device: by {@code mma.sync} where tensor cores take the numbers, otherwise
 * with floats. Each warp has 16 rows of queries; blocks of keys and values come one ahead of what
 * is computed, the last one first, since only that one may be incomplete.
 */
@SuppressWarnings("NarrowCalculation") // within a tile, which is small
final class PortableAttention {
  /** Rows of queries that a block has. */
  static final int ROWS = 64;

  private static final int WARPS = 4;

  /** Threads of a block. */
  static final int THREADS = 32 * WARPS;

  private static final float LN_2 = 0.6931472f;

  private PortableAttention() {}

  /** Bytes of a row in shared memory: 16 more than it has, so that rows are in other banks. */
  static int pitch(@Const int dim) {
    return 2 * dim + 16;
  }

  /** Bytes of shared memory. */
  static int sharedBytes(int dim, int n, int stages) {
    return (ROWS + 2 * stages * n) * pitch(dim) + Pipeline.bytes(stages);
  }

  // @start region="portable"
  @Kernel(maxThreads = THREADS)
  static void attend(
      ThreadBlock block,
      GlobalBytes q,
      GlobalBytes k,
      GlobalBytes v,
      GlobalInts o,
      GlobalFloats lse,
      GlobalInts queryStarts,
      GlobalInts keyStarts,
      PortableExtents extents,
      @Const int dim,
      @Const int n,
      @Const int stages,
      @Const int variant) {
    SharedBytes ofQ = block.sharedBytes(ROWS * pitch(dim));
    SharedBytes ofK = block.sharedBytes(stages * n * pitch(dim));
    SharedBytes ofV = block.sharedBytes(stages * n * pitch(dim));
    Pipeline pipeline = block.pipeline(stages);
    int heads = extents.batches() * extents.heads();
    int down = (extents.queries() + ROWS - 1) / ROWS;
    int index = block.blockIndexX();
    // If later tiles have more keys, those come first, over all heads.
    boolean ends = Variant.endsEarly(variant);
    int inBatches = ends ? index % heads : index / down;
    int tile = ends ? down - 1 - index / heads : index % down;
    int head = inBatches % extents.heads();
    Sequence sequence =
        Sequence.of(inBatches / extents.heads(), queryStarts, keyStarts, extents, variant);
    int first = tile * ROWS;
    if (first >= sequence.queries()) {
      return;
    }
    KeyRange range = KeyRange.of(first, ROWS, sequence, extents, n, variant);
    clear(block, ofQ);
    clear(block, ofK);
    clear(block, ofV);
    block.sync();
    Rows rows = new Rows(block.warp(), extents.headDim(), pitch(dim), pipeline);
    long fromK =
        extents.ofKeys().row(sequence.batch(), head / extents.share(), sequence.firstKey());
    long fromQ = extents.ofQueries().row(sequence.batch(), head, sequence.firstQuery());
    int ahead = range.blocks() - 1;
    float[] out = new float[dim / 2];
    float[] greatest = {Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY};
    float[] sum = new float[2];
    float[] scores = new float[n / 2];
    float[] shrink = new float[2];
    for (int i = ahead; i >= range.from(); i--) {
      while (ahead >= range.from() && ahead > i - stages) {
        pipeline.producerAcquire();
        if (ahead == range.blocks() - 1) {
          rows.copy(ofQ, 0, q, fromQ, extents.ofQueries(), first, ROWS, sequence.queries());
        }
        int to = pipeline.producerStage() * n;
        rows.copy(ofK, to, k, fromK, extents.ofKeys(), ahead * n, n, sequence.keys());
        rows.copy(ofV, to, v, fromK, extents.ofKeys(), ahead * n, n, sequence.keys());
        pipeline.producerCommit();
        ahead--;
      }
      pipeline.consumerWait();
      int at = pipeline.consumerStage() * n * pitch(dim);
      for (int j = 0; j < n / 2; j++) {
        scores[j] = 0;
      }
      Tiles tiles = new Tiles(block, extents.headDim(), dim, n, pitch(dim), Variant.bf16(variant));
      tiles.score(ofQ, ofK, at, scores);
      range.mask(block.warp(), first, i, sequence.keys(), scores, n, variant);
      for (int half = 0; half < 2; half++) {
        if (Scores.raise(block, scores, greatest, sum, shrink, extents.scale(), half, n)) {
          Scores.shrink(out, shrink, half, dim);
        }
        Scores.soften(scores, greatest, sum, extents.scale(), half, n);
      }
      tiles.weight(ofV, at, scores, out);
      pipeline.consumerRelease();
    }
    store(block.warp(), sequence, head, first, extents, greatest, sum, out, o, lse, dim, variant);
  }

  // @end

  private static void clear(ThreadBlock block, SharedBytes tile) {
    SharedInts words = tile.asInts();
    for (int i = block.threadRank(); i < words.length(); i += THREADS) {
      words.set(i, 0);
    }
  }

  /** Divides by the sums of the weights, and stores a warp's rows. */
  private static void store(
      Warp warp,
      Sequence sequence,
      int head,
      int first,
      PortableExtents extents,
      float[] greatest,
      float[] sum,
      float[] out,
      GlobalInts o,
      GlobalFloats lse,
      @Const int dim,
      @Const int variant) {
    int lane = warp.lane();
    for (int half = 0; half < 2; half++) {
      float all = sum[half];
      all += warp.shuffleXor(all, 1);
      all += warp.shuffleXor(all, 2);
      float factor = all == 0 ? 0 : 1 / all;
      int row = first + 16 * warp.index() + lane / 4 + 8 * half;
      if (row < sequence.queries()) {
        int token = sequence.firstQuery() + row;
        if (Variant.stores(variant) && lane % 4 == 0) {
          long heads = (long) sequence.batch() * extents.heads() + head;
          lse.set(
              heads * extents.tokens() + token,
              all == 0 ? Float.NEGATIVE_INFINITY : (greatest[half] + FastMath.log2(all)) * LN_2);
        }
        long to = extents.ofQueries().row(sequence.batch(), head, token) / 2 + lane % 4;
        for (int eight = 0; eight < dim / 8; eight++) {
          int at = 4 * eight + 2 * half;
          if (8 * eight < extents.headDim()) {
            o.set(
                to + 4 * eight,
                Scores.pair(out[at] * factor, out[at + 1] * factor, Variant.bf16(variant)));
          }
        }
      }
    }
  }
}
