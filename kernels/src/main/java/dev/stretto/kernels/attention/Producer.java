package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.TensorMap;

/** The thread of a block that copies boxes of Q, K and V to shared memory, for all its tiles. */
final class Producer {
  private Producer() {}

  // @start region="producer"
  static void produce(
      ThreadBlock block,
      Stages stages,
      TensorMap q,
      TensorMap k,
      TensorMap v,
      Extents extents,
      @Const int dim,
      @Const int n,
      @Const int variant) {
    boolean unequal = Variant.endsEarly(variant);
    boolean apart = WarpGroups.queryStages(dim) == 1;
    int rows = WarpGroups.rows(dim);
    int tiles = extents.heads() * ((extents.queries() + rows - 1) / rows);
    int keyBlock = 0;
    int valueBlock = 0;
    int valueHead = 0;
    int valueRow = 0;
    int round = 0;
    for (; Tile.number(block, round, unequal) < tiles; round++) {
      Tile tile = Tile.of(Tile.number(block, round, unequal), extents, rows, n, variant);
      stages.awaitNoQueries(round);
      tile.tell(stages.tiles(), stages.queryStage(round));
      loadQueries(stages, q, round, tile, extents.headsOfBatch(), dim, rows);
      for (int i = tile.blocks() - 1; i >= tile.from(); i--) {
        stages.awaitEmpty(Stages.KEYS, keyBlock);
        load(stages.keys(), k, stages, Stages.KEYS, keyBlock, i * n, tile.head(), extents, dim, n);
        keyBlock++;
        // The values of a block of keys come after the keys of the next block, of the next tile
        // too, unless that has to wait for all of this one.
        if (keyBlock - 1 > valueBlock) {
          loadValues(stages, v, valueBlock, valueRow, valueHead, extents, dim, n);
          valueBlock++;
        }
        valueHead = tile.head();
        valueRow = i * n;
      }
      if (apart) {
        loadValues(stages, v, valueBlock, valueRow, valueHead, extents, dim, n);
        valueBlock++;
      }
    }
    if (keyBlock > valueBlock) {
      loadValues(stages, v, valueBlock, valueRow, valueHead, extents, dim, n);
    }
    stages.awaitNoQueries(round);
    Tile.none().tell(stages.tiles(), stages.queryStage(round));
    PtxBarriers.mbarrierArrive(stages.barriers(), Stages.QUERIES + stages.queryStage(round));
  }

  private static void loadQueries(
      Stages stages,
      TensorMap q,
      int round,
      Tile tile,
      int headsOfBatch,
      @Const int dim,
      @Const int rows) {
    int stage = stages.queryStage(round);
    int full = Stages.QUERIES + stage;
    PtxBarriers.mbarrierArriveExpectTx(stages.barriers(), full, rows * dim * 2);
    for (int x = 0; x < dim; x += 64) {
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          stages.queries(),
          stage * rows * dim * 2 + x / 64 * rows * WarpGroups.SPAN,
          q,
          x,
          tile.row(),
          tile.head() % headsOfBatch,
          tile.head() / headsOfBatch,
          stages.barriers(),
          full);
    }
  }

  private static void loadValues(
      Stages stages,
      TensorMap v,
      int number,
      int row,
      int head,
      Extents extents,
      @Const int dim,
      @Const int n) {
    stages.awaitEmpty(Stages.VALUES, number);
    load(stages.values(), v, stages, Stages.VALUES, number, row, head, extents, dim, n);
  }

  /** Begins to copy a block of keys or values. */
  private static void load(
      SharedBytes to,
      TensorMap from,
      Stages stages,
      int first,
      int number,
      int row,
      int head,
      Extents extents,
      @Const int dim,
      @Const int n) {
    int stage = Stages.stage(number);
    int full = first + stage;
    PtxBarriers.mbarrierArriveExpectTx(stages.barriers(), full, n * dim * 2);
    for (int x = 0; x < dim; x += 64) {
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to,
          stage * n * dim * 2 + x / 64 * n * WarpGroups.SPAN,
          from,
          x,
          row,
          head % extents.headsOfBatch() / extents.share(),
          head / extents.headsOfBatch(),
          stages.barriers(),
          full);
    }
  }
  // @end
}
