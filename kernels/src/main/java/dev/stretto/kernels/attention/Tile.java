package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;

/**
 * The rows and the head that a block works on.
 *
 * @param head of Q, counted over the batch; -1 after the last tile
 * @param row the first one
 * @param blocks the block of keys after the last one that some row sees
 * @param from the first block of keys that some row sees
 * @param sequence the packed sequence that it belongs to, if there are such
 * @param begin how many keys of block 0 come before the sequence's first one: blocks end where the
 *     sequence does
 */
record Tile(int head, int row, int blocks, int from, Sequence sequence, int begin) {
  private static final int NUMBERS = 4;
  private static final int OF_SEQUENCES = 8;

  /** How many numbers tell it to the warp groups. */
  static int numbers(@Const int variant) {
    return Variant.packed(variant) ? OF_SEQUENCES : NUMBERS;
  }

  /** What comes after the last one. */
  static Tile none() {
    return new Tile(-1, 0, 0, 0, Sequence.none(), 0);
  }

  /** The number of the tile that a block works on next: every other round from the other end. */
  static int number(ThreadBlock block, int round, @Const boolean unequal) {
    int index = block.blockIndexX();
    boolean turn = unequal && (round & 1) == 1;
    return round * block.gridSizeX() + (turn ? block.gridSizeX() - 1 - index : index);
  }

  /**
   * The tiles of a head follow each other. If tiles with more keys take longer, those come first,
   * for all heads of a section: the blocks work on so few heads at a time that their keys and
   * values stay in the cache.
   */
  static Tile of(int number, Extents extents, @Const int rows, @Const int n, @Const int variant) {
    int queries = extents.queries();
    int down = (queries + rows - 1) / rows;
    int all = (extents.keys() + n - 1) / n;
    if (!Variant.endsEarly(variant)) {
      int row = number % down * rows;
      int from = from(row, all, extents.earlier(), n, variant);
      return new Tile(number / down, row, all, from, Sequence.none(), 0);
    }
    int section = extents.section();
    int first = number / (section * down) * section;
    int inSection = number - first * down;
    int wide = Math.min(section, extents.heads() - first);
    // Counted from the last one, so that if some tile is not full it is the one with fewest keys.
    int row =
        (queries + WarpGroups.ROWS - 1) / WarpGroups.ROWS * WarpGroups.ROWS
            - (inSection / wide + 1) * rows;
    int last = Math.min(row + rows, queries) + extents.later();
    int blocks = Math.min(all, Math.max(1, (last + n - 1) / n));
    int from = from(row, blocks, extents.earlier(), n, variant);
    return new Tile(first + inSection % wide, row, blocks, from, Sequence.none(), 0);
  }

  /**
   * A tile of a packed sequence. If tiles with more keys take longer, those come first, for all
   * heads.
   */
  static Tile of(
      int number,
      Cursor cursor,
      Sequences sequences,
      Extents extents,
      @Const int rows,
      @Const int n,
      @Const int variant) {
    Sequence sequence = sequences.at(cursor.sequence());
    int inSequence = number - cursor.before();
    int queries = sequence.queries();
    int down = (queries + rows - 1) / rows;
    int all = Math.max(1, (sequence.keys() + n - 1) / n);
    int begin = all * n - sequence.keys();
    int shift = all * n - queries;
    if (!Variant.endsEarly(variant)) {
      int row = inSequence % down * rows;
      int from = from(row, all, extents.earlier() + shift, n, variant);
      return new Tile(inSequence / down, row, all, from, sequence, begin);
    }
    int heads = extents.headsOfBatch();
    int row =
        (queries + WarpGroups.ROWS - 1) / WarpGroups.ROWS * WarpGroups.ROWS
            - (inSequence / heads + 1) * rows;
    int last = Math.min(row + rows, queries) + extents.later() + shift;
    int blocks = Math.min(all, Math.max(1, (last + n - 1) / n));
    int from = from(row, blocks, extents.earlier() + shift, n, variant);
    return new Tile(inSequence % heads, row, blocks, from, sequence, begin);
  }

  private static int from(int row, int blocks, int earlier, @Const int n, @Const int variant) {
    if (!Variant.beginsLate(variant)) {
      return 0;
    }
    return Math.min(Math.max(0, Math.max(0, row) + earlier) / n, blocks - 1);
  }

  /** Tells the warp groups. */
  void tell(SharedInts tiles, int stage, @Const int variant) {
    int at = numbers(variant) * stage;
    tiles.set(at, head);
    tiles.set(at + 1, row);
    tiles.set(at + 2, blocks);
    tiles.set(at + 3, from);
    if (Variant.packed(variant)) {
      tiles.set(at + 4, sequence.queries());
      tiles.set(at + 5, sequence.keys() + begin - sequence.queries());
      tiles.set(at + 6, begin);
      tiles.set(at + 7, sequence.firstQuery());
    }
  }
}
