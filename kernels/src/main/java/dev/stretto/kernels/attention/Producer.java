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
      Sequences sequences,
      Extents extents,
      @Const int dim,
      @Const int n,
      @Const int variant) {
    boolean packed = Variant.packed(variant);
    boolean unequal = Variant.endsEarly(variant);
    boolean apart = WarpGroups.queryStages(dim) == 1;
    int rows = WarpGroups.rows(dim);
    int tiles = extents.heads() * ((extents.queries() + rows - 1) / rows);
    int keyBlock = 0;
    int valueBlock = 0;
    int valueHead = 0;
    int valueRow = 0;
    int valueBatch = 0;
    int round = 0;
    Cursor cursor = Cursor.first();
    while (true) {
      int next = Tile.number(block, round, unequal);
      if (packed) {
        cursor = cursor.to(next, sequences, extents.headsOfBatch(), rows);
      }
      if (packed ? cursor.sequence() == sequences.sizes().sequences() : next >= tiles) {
        break;
      }
      Tile tile =
          packed
              ? Tile.of(next, cursor, sequences, extents, rows, n, variant)
              : Tile.of(next, extents, rows, n, variant);
      int head = tile.head() % extents.headsOfBatch();
      int batch = packed ? tile.sequence().firstKey() : tile.head() / extents.headsOfBatch();
      stages.awaitNoQueries(round);
      tile.tell(stages.tiles(), stages.queryStage(round), variant);
      loadQueries(stages, q, round, tile, extents.headsOfBatch(), dim, rows);
      for (int i = tile.blocks() - 1; i >= tile.from(); i--) {
        stages.awaitEmpty(Stages.KEYS, keyBlock);
        int row = i * n - tile.begin();
        load(
            stages.keys(),
            k,
            stages,
            Stages.KEYS,
            keyBlock,
            row,
            head / extents.share(),
            batch,
            dim,
            n);
        keyBlock++;
        // The values of a block of keys come after the keys of the next block, of the next tile
        // too, unless that has to wait for all of this one.
        if (keyBlock - 1 > valueBlock) {
          loadValues(stages, v, valueBlock, valueRow, valueHead, valueBatch, dim, n);
          valueBlock++;
        }
        valueHead = head / extents.share();
        valueRow = row;
        valueBatch = batch;
      }
      if (apart) {
        loadValues(stages, v, valueBlock, valueRow, valueHead, valueBatch, dim, n);
        valueBlock++;
      }
      round++;
    }
    if (keyBlock > valueBlock) {
      loadValues(stages, v, valueBlock, valueRow, valueHead, valueBatch, dim, n);
    }
    stages.awaitNoQueries(round);
    Tile.none().tell(stages.tiles(), stages.queryStage(round), variant);
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
          tile.sequence().firstQuery() + tile.row(),
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
      int batch,
      @Const int dim,
      @Const int n) {
    stages.awaitEmpty(Stages.VALUES, number);
    load(stages.values(), v, stages, Stages.VALUES, number, row, head, batch, dim, n);
  }

  /**
   * Begins to copy a block of keys or values.
   *
   * @param batch of packed sequences the first row, from which {@code row} counts
   */
  private static void load(
      SharedBytes to,
      TensorMap from,
      Stages stages,
      int first,
      int number,
      int row,
      int head,
      int batch,
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
          head,
          batch,
          stages.barriers(),
          full);
    }
  }
  // @end
}
