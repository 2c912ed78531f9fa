package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.PtxWarpGroups;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;

/**
 * Exact attention, O = softmax(Q K^T * scale) V, on the tensor cores of a Hopper GPU, in the manner
 * of FlashAttention-3. A producer warp copies boxes of K and V to shared memory while two or four
 * warp groups, each with 64 rows of Q, multiply. A warp group begins the scores of the next keys
 * before it weights the values of the current ones, so that its exponentials are computed while its
 * tensor core works; and the warp groups take turns, so that one's exponentials overlap with the
 * other's products.
 */
final class WarpGroups {
  /** Rows of Q that a warp group has. */
  static final int ROWS = 64;

  /** Bytes of a row of a box, the span of a swizzle: 64 numbers. */
  static final int SPAN = 128;

  private WarpGroups() {}

  /** How many warp groups multiply: as many as there are registers for. */
  static int groups(@Const int dim) {
    return dim == 64 ? 4 : 2;
  }

  /** How many rows of Q a tile has. */
  static int rows(@Const int dim) {
    return groups(dim) * ROWS;
  }

  /** How many tiles of Q there is room for; with one of them, O leaves from Q's place. */
  static int queryStages(@Const int dim) {
    return dim == 256 ? 1 : 2;
  }

  // @start region="kernel"
  @Kernel(maxThreads = 384, minBlocks = 1)
  static void of256(
      ThreadBlock block,
      TensorMap q,
      TensorMap k,
      TensorMap v,
      TensorMap o,
      GlobalFloats lse,
      GlobalInts queryStarts,
      GlobalInts keyStarts,
      GlobalInts rows,
      Extents extents,
      PackedSizes packed,
      @Const int keysOfBlock,
      @Const int variant) {
    Sequences sequences = new Sequences(queryStarts, keyStarts, rows, packed);
    attend(block, q, k, v, o, lse, sequences, extents, 256, keysOfBlock, variant);
  }

  @Kernel(maxThreads = 384, minBlocks = 1)
  static void of128(
      ThreadBlock block,
      TensorMap q,
      TensorMap k,
      TensorMap v,
      TensorMap o,
      GlobalFloats lse,
      GlobalInts queryStarts,
      GlobalInts keyStarts,
      GlobalInts rows,
      Extents extents,
      PackedSizes packed,
      @Const int keysOfBlock,
      @Const int variant) {
    Sequences sequences = new Sequences(queryStarts, keyStarts, rows, packed);
    attend(block, q, k, v, o, lse, sequences, extents, 128, keysOfBlock, variant);
  }

  @Kernel(maxThreads = 640, minBlocks = 1)
  static void of64(
      ThreadBlock block,
      TensorMap q,
      TensorMap k,
      TensorMap v,
      TensorMap o,
      GlobalFloats lse,
      GlobalInts queryStarts,
      GlobalInts keyStarts,
      GlobalInts rows,
      Extents extents,
      PackedSizes packed,
      @Const int keysOfBlock,
      @Const int variant) {
    Sequences sequences = new Sequences(queryStarts, keyStarts, rows, packed);
    attend(block, q, k, v, o, lse, sequences, extents, 64, keysOfBlock, variant);
  }

  private static void attend(
      ThreadBlock block,
      TensorMap q,
      TensorMap k,
      TensorMap v,
      TensorMap o,
      GlobalFloats lse,
      Sequences sequences,
      Extents extents,
      @Const int dim,
      @Const int n,
      @Const int variant) {
    int groups = groups(dim);
    Stages stages = stages(block, dim, n, variant);
    if (block.threadRank() == 0) {
      for (int first = 0; first < Stages.BARRIERS; first += 2 * Stages.COUNT) {
        for (int i = 0; i < Stages.COUNT; i++) {
          PtxBarriers.mbarrierInit(stages.barriers(), first + i, 1);
          PtxBarriers.mbarrierInit(stages.barriers(), first + Stages.COUNT + i, 4 * groups);
        }
      }
      PtxBulkCopies.fenceProxyAsync();
    }
    block.sync();
    int group = block.warp().shuffle(block.warp().index() / 4, 0);
    if (group == 0) {
      if (groups == 2) {
        PtxWarpGroups.setmaxnregDec(24);
      } else {
        PtxWarpGroups.setmaxnregDec(32);
      }
      if (block.warp().index() == 0 && block.warp().elect()) {
        PtxTensorCopies.prefetchTensormap(q);
        PtxTensorCopies.prefetchTensormap(k);
        PtxTensorCopies.prefetchTensormap(v);
        Producer.produce(block, stages, q, k, v, sequences, extents, dim, n, variant);
      }
    } else {
      if (groups == 2) {
        PtxWarpGroups.setmaxnregInc(240);
      } else {
        PtxWarpGroups.setmaxnregInc(112);
      }
      Consumer.consume(block, group - 1, stages, o, lse, sequences, extents, dim, n, variant);
    }
  }

  private static Stages stages(
      ThreadBlock block, @Const int dim, @Const int n, @Const int variant) {
    int rows = rows(dim);
    int ofQueries = queryStages(dim);
    SharedBytes queries = block.sharedBytes(ofQueries * rows * dim * 2);
    return new Stages(
        queries,
        block.sharedBytes(Stages.COUNT * n * dim * 2),
        block.sharedBytes(Stages.COUNT * n * dim * 2),
        ofQueries == 1 ? queries : block.sharedBytes(rows * dim * 2),
        block.sharedInts(Tile.numbers(variant) * Stages.COUNT),
        block.sharedLongs(Stages.BARRIERS),
        ofQueries);
  }
  // @end
}
