package dev.stretto.kernels.product;

import dev.stretto.kernel.Const;

/**
 * How C is divided among blocks of threads.
 *
 * @param rows of a tile
 * @param columns of a tile
 * @param blocks how many blocks of a cluster have tiles below each other, and share what they load
 *     of B
 */
record Tiling(int rows, int columns, int blocks) {
  /**
   * Tiles are processed in columns this many tiles wide, so that shared data stays in the cache.
   */
  private static final int WIDE = 8;

  /** {@return the numbers in one, as a kernel's constant} */
  int packed() {
    return rows << 16 | columns << 4 | blocks;
  }

  static int rows(@Const int tiling) {
    return tiling >> 16;
  }

  static int columns(@Const int tiling) {
    return tiling >> 4 & 0xfff;
  }

  static int blocks(@Const int tiling) {
    return tiling & 0xf;
  }

  /** {@return how many tiles a product has} A cluster's tiles count as one. */
  long tiles(Problem problem) {
    return Math.multiplyExact(
        (long) Math.ceilDiv(problem.m(), rows * blocks) * Math.ceilDiv(problem.n(), columns),
        (long) problem.count());
  }

  /** {@return the row of tiles that a tile is in} */
  static int row(int tile, int across, int down) {
    int first = tile / (WIDE * down) * WIDE;
    return tile % (WIDE * down) / Math.min(WIDE, across - first);
  }

  /** {@return the column of tiles that a tile is in} */
  static int column(int tile, int across, int down) {
    int first = tile / (WIDE * down) * WIDE;
    return first + tile % (WIDE * down) % Math.min(WIDE, across - first);
  }
}
