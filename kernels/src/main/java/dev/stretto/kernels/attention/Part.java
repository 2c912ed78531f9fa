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
 * @param ofSequence how many queries the packed sequence has, if there are such
 * @param shift how much further than {@link Extents} say a query of it sees, by where blocks lie
 * @param begin the first key of it, by where blocks lie
 * @param start the first query of it among all
 */
record Part(
    int head,
    int row,
    int blocks,
    int from,
    int passed,
    int ofSequence,
    int shift,
    int begin,
    int start) {
  static Part none() {
    return new Part(0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  /** How many rows there are. */
  int queries(Extents extents, @Const int variant) {
    return Variant.packed(variant) ? ofSequence : extents.queries();
  }

  /** Query i sees the keys up to {@code i + later}, by where blocks lie. */
  int later(Extents extents, @Const int variant) {
    return Variant.packed(variant) ? extents.later() + shift : extents.later();
  }

  /** Query i sees the keys from {@code i + earlier} on, by where blocks lie. */
  int earlier(Extents extents, @Const int variant) {
    return Variant.packed(variant) ? extents.earlier() + shift : extents.earlier();
  }

  /** Whether there are rows. */
  boolean hasRows(Extents extents, @Const int variant) {
    return row >= 0 && row < queries(extents, variant);
  }

  /** Whether there are rows behind these ones that belong to others. */
  boolean isCut(@Const int variant) {
    return Variant.packed(variant) && row + WarpGroups.ROWS > ofSequence;
  }

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
    int at = Tile.numbers(variant) * stages.queryStage(number);
    // The assembler keeps what comes from one lane, and all that follows from it, in uniform
    // registers: descriptors would have to be moved there otherwise, before each product.
    int head = block.warp().shuffle(stages.tiles().get(at), 0);
    int row = block.warp().shuffle(stages.tiles().get(at + 1), 0) + group * WarpGroups.ROWS;
    int all = block.warp().shuffle(stages.tiles().get(at + 2), 0);
    int from =
        Variant.beginsLate(variant) ? block.warp().shuffle(stages.tiles().get(at + 3), 0) : 0;
    int ofSequence = packed(block, stages, at + 4, variant);
    int shift = packed(block, stages, at + 5, variant);
    int begin = packed(block, stages, at + 6, variant);
    int start = packed(block, stages, at + 7, variant);
    // The reads are done, so that later arrivals need not wait for reads.
    PtxBulkCopies.fenceProxyAsyncShared();
    // The first lane releases the stage for all; shuffles order no memory.
    block.warp().sync();
    int blocks = all;
    if (!Variant.turns(variant)) {
      // Only the lower rows see some keys of the last block, and there may be no rows. More than
      // one block cannot be passed before the values of the tile before are weighted.
      Part whole = new Part(head, row, all, from, 0, ofSequence, shift, begin, start);
      int keys = Variant.packed(variant) ? all * n : extents.keys();
      int count =
          Variant.endsEarly(variant)
              ? Math.max(0, Math.min(keys, row + WarpGroups.ROWS + whole.later(extents, variant)))
              : keys;
      int some = whole.hasRows(extents, variant) ? (count + n - 1) / n : 0;
      blocks = Math.min(all, Math.max(some, Math.max(from + 1, all - 1)));
    }
    return new Part(head, row, blocks, from, all - blocks, ofSequence, shift, begin, start);
  }

  /** What the producer has written of a packed sequence; 0 if there are none. */
  private static int packed(ThreadBlock block, Stages stages, int at, @Const int variant) {
    return Variant.packed(variant) ? block.warp().shuffle(stages.tiles().get(at), 0) : 0;
  }
}
