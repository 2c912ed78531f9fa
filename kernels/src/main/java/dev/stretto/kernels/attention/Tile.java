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
 */
record Tile(int head, int row, int blocks, int from) {
  /** How many numbers tell it to the warp groups. */
  static final int NUMBERS = 4;

  /** What comes after the last one. */
  static Tile none() {
    return new Tile(-1, 0, 0, 0);
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
      return new Tile(number / down, row, all, from(row, all, extents, n, variant));
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
    return new Tile(first + inSection % wide, row, blocks, from(row, blocks, extents, n, variant));
  }

  private static int from(int row, int blocks, Extents extents, @Const int n, @Const int variant) {
    if (!Variant.beginsLate(variant)) {
      return 0;
    }
    return Math.min(Math.max(0, Math.max(0, row) + extents.earlier()) / n, blocks - 1);
  }

  /** Tells the warp groups. */
  void tell(SharedInts tiles, int stage) {
    tiles.set(NUMBERS * stage, head);
    tiles.set(NUMBERS * stage + 1, row);
    tiles.set(NUMBERS * stage + 2, blocks);
    tiles.set(NUMBERS * stage + 3, from);
  }
}
