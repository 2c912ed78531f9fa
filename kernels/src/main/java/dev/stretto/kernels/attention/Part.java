package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.ThreadBlock;

/**
 * A warp group's rows of a tile.
 *
 * @param head of Q, counted over the batch; -1 after the last tile
 * @param row the first one
 * @param blocks the block of keys after the last one that the group works on
 * @param from the first block of keys
 * @param passed how many later blocks only other warp groups see, 0 or 1
 */
record Part(int head, int row, int blocks, int from, int passed) {
  /** Waits for a warp group's rows of the tile with this number. */
  static Part await(
      ThreadBlock block,
      Stages stages,
      int number,
      int group,
      Extents extents,
      @Const int n,
      @Const int variant) {
    stages.awaitQueries(number);
    int at = Tile.NUMBERS * stages.queryStage(number);
    // The assembler keeps what comes from one lane, and all that follows from it, in uniform
    // registers: descriptors would have to be moved there otherwise, before each product.
    int head = block.warp().shuffle(stages.tiles().get(at), 0);
    int row = block.warp().shuffle(stages.tiles().get(at + 1), 0) + group * WarpGroups.ROWS;
    int all = block.warp().shuffle(stages.tiles().get(at + 2), 0);
    int from =
        Variant.beginsLate(variant) ? block.warp().shuffle(stages.tiles().get(at + 3), 0) : 0;
    // The reads are done, so that later arrivals need not wait for reads.
    PtxBulkCopies.fenceProxyAsyncShared();
    // The first lane releases the stage for all; shuffles order no memory.
    block.warp().sync();
    int blocks = all;
    if (!Variant.turns(variant)) {
      // Only the lower rows see some keys of the last block, and there may be no rows. More than
      // one block cannot be passed before the values of the tile before are weighted.
      int keys = extents.keys();
      int count =
          Variant.endsEarly(variant)
              ? Math.max(0, Math.min(keys, row + WarpGroups.ROWS + extents.later()))
              : keys;
      int some = row >= 0 && row < extents.queries() ? (count + n - 1) / n : 0;
      blocks = Math.min(all, Math.max(some, Math.max(from + 1, all - 1)));
    }
    return new Part(head, row, blocks, from, all - blocks);
  }
}
