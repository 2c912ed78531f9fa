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
import dev.stretto.memory.TensorMap;

/**
 * Attention of E4M3 numbers on the tensor cores of a Hopper GPU. Both matrices of a product of
 * 8-bit numbers lie along the inner dimension, and values lie across it: so three warps of the
 * producer's group transpose each block of values, while two warp groups multiply. Rows have 64 or
 * 128 numbers, or fewer and zeros.
 */
final class Fp8WarpGroups {
  /** Queries of a tile. */
  static final int ROWS = 128;

  /** Keys in a block: a run for each warp that transposes. */
  static final int KEYS = 192;

  /** The barriers of values as they lie in memory, behind those that {@link Stages} knows. */
  static final int RAW = Stages.BARRIERS;

  /** Warps that transpose values. */
  static final int TRANSPOSERS = 3;

  private static final int GROUPS = 2;

  private Fp8WarpGroups() {}

  // @start region="kernel"
  @Kernel(maxThreads = 384, minBlocks = 1)
  static void of128(
      ThreadBlock block,
      TensorMap q,
      TensorMap k,
      TensorMap v,
      TensorMap o,
      GlobalFloats lse,
      GlobalFloats ofQ,
      GlobalFloats ofK,
      GlobalFloats ofV,
      Extents extents,
      float scale,
      @Const int variant) {
    attend(block, q, k, v, o, lse, new Scales(ofQ, ofK, ofV, scale), extents, 128, variant);
  }

  @Kernel(maxThreads = 384, minBlocks = 1)
  static void of64(
      ThreadBlock block,
      TensorMap q,
      TensorMap k,
      TensorMap v,
      TensorMap o,
      GlobalFloats lse,
      GlobalFloats ofQ,
      GlobalFloats ofK,
      GlobalFloats ofV,
      Extents extents,
      float scale,
      @Const int variant) {
    attend(block, q, k, v, o, lse, new Scales(ofQ, ofK, ofV, scale), extents, 64, variant);
  }

  private static void attend(
      ThreadBlock block,
      TensorMap q,
      TensorMap k,
      TensorMap v,
      TensorMap o,
      GlobalFloats lse,
      Scales scales,
      Extents extents,
      @Const int dim,
      @Const int variant) {
    SharedBytes raw = block.sharedBytes(Stages.COUNT * KEYS * dim);
    Stages stages =
        new Stages(
            block.sharedBytes(2 * ROWS * dim),
            block.sharedBytes(Stages.COUNT * KEYS * dim),
            block.sharedBytes(Stages.COUNT * KEYS * dim),
            block.sharedBytes(2 * ROWS * dim),
            block.sharedInts(Tile.numbers(variant) * Stages.COUNT),
            block.sharedLongs(RAW + 2 * Stages.COUNT),
            2);
    if (block.threadRank() == 0) {
      for (int i = 0; i < Stages.COUNT; i++) {
        init(stages, Stages.QUERIES, i, 1, 4 * GROUPS);
        init(stages, Stages.KEYS, i, 1, 4 * GROUPS);
        init(stages, Stages.VALUES, i, TRANSPOSERS, 4 * GROUPS);
        init(stages, RAW, i, 1, TRANSPOSERS);
      }
      PtxBulkCopies.fenceProxyAsync();
    }
    block.sync();
    int group = block.warp().shuffle(block.warp().index() / 4, 0);
    if (group == 0) {
      PtxWarpGroups.setmaxnregDec(40);
      int warp = block.warp().shuffle(block.warp().index(), 0);
      if (warp > 0) {
        Transposer.transpose(block, warp - 1, stages, raw, extents, dim, variant);
      } else if (block.warp().elect()) {
        PtxTensorCopies.prefetchTensormap(q);
        PtxTensorCopies.prefetchTensormap(k);
        PtxTensorCopies.prefetchTensormap(v);
        produce(block, stages, raw, q, k, v, extents, dim, variant);
      }
    } else {
      PtxWarpGroups.setmaxnregInc(232);
      Fp8Consumer.consume(block, group - 1, stages, o, lse, scales, extents, dim, variant);
    }
  }

  private static void init(Stages stages, int first, int stage, int full, int empty) {
    PtxBarriers.mbarrierInit(stages.barriers(), first + stage, full);
    PtxBarriers.mbarrierInit(stages.barriers(), first + Stages.COUNT + stage, empty);
  }

  private static void produce(
      ThreadBlock block,
      Stages stages,
      SharedBytes raw,
      TensorMap q,
      TensorMap k,
      TensorMap v,
      Extents extents,
      @Const int dim,
      @Const int variant) {
    boolean unequal = Variant.endsEarly(variant);
    int tiles = tiles(extents);
    int number = 0;
    int round = 0;
    for (; Tile.number(block, round, unequal) < tiles; round++) {
      Tile tile = Tile.of(Tile.number(block, round, unequal), extents, ROWS, KEYS, variant);
      int head = tile.head() % extents.headsOfBatch();
      int batch = tile.head() / extents.headsOfBatch();
      int keyHead = head / extents.share();
      stages.awaitNoQueries(round);
      tile.tell(stages.tiles(), stages.queryStage(round), variant);
      int full = Stages.QUERIES + stages.queryStage(round);
      PtxBarriers.mbarrierArriveExpectTx(stages.barriers(), full, ROWS * dim);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          stages.queries(),
          stages.queryStage(round) * ROWS * dim,
          q,
          0,
          tile.row(),
          head,
          batch,
          stages.barriers(),
          full);
      for (int i = tile.blocks() - 1; i >= tile.from(); i--) {
        load(stages, stages.keys(), Stages.KEYS, number, k, i * KEYS, keyHead, batch, dim);
        load(stages, raw, RAW, number, v, i * KEYS, keyHead, batch, dim);
        number++;
      }
    }
    stages.awaitNoQueries(round);
    Tile.none().tell(stages.tiles(), stages.queryStage(round), variant);
    PtxBarriers.mbarrierArrive(stages.barriers(), Stages.QUERIES + stages.queryStage(round));
  }

  private static void load(
      Stages stages,
      SharedBytes to,
      int first,
      int number,
      TensorMap from,
      int row,
      int head,
      int batch,
      @Const int dim) {
    stages.awaitEmpty(first, number);
    int full = first + Stages.stage(number);
    PtxBarriers.mbarrierArriveExpectTx(stages.barriers(), full, KEYS * dim);
    PtxTensorCopies.cpAsyncBulkTensorToShared(
        to, Stages.stage(number) * KEYS * dim, from, 0, row, head, batch, stages.barriers(), full);
  }

  // @end

  static int tiles(Extents extents) {
    return extents.heads() * ((extents.queries() + ROWS - 1) / ROWS);
  }
}
