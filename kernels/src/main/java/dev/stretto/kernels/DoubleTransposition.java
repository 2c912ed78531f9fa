// Generated from tools/families/Transpose.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedDoubles;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalDoubles;

/** The kernel that transposes matrices of doubles, a tile of 32 x 32 in each block. */
final class DoubleTransposition {
  static final int TILE = 32;

  /** So many rows of the tile are moved at once. */
  private static final int ROWS = 8;

  static final int THREADS = TILE * ROWS;

  /**
   * One more than the tile has columns, so that the elements of a column lie in different banks.
   */
  private static final int PITCH = TILE + 1;

  private DoubleTransposition() {}

  /** Tiles follow each other along the rows of the output, so that their writes do. */
  @Kernel(maxThreads = THREADS, minBlocks = 8)
  static void transpose(
      ThreadBlock block, GlobalDoubles in, GlobalDoubles out, long rows, long columns) {
    SharedDoubles tile = block.sharedDoubles(TILE * PITCH);
    int tx = block.threadIndexX() % TILE;
    int ty = block.threadIndexX() / TILE;
    int down = (int) Math.ceilDiv(rows, TILE);
    long row = (long) (block.blockIndexX() % down) * TILE;
    long column = (long) (block.blockIndexX() / down) * TILE;
    for (int j = ty; j < TILE; j += ROWS) {
      if (row + j < rows && column + tx < columns) {
        tile.set(j * PITCH + tx, in.get((row + j) * columns + column + tx));
      }
    }
    block.sync();
    for (int j = ty; j < TILE; j += ROWS) {
      if (column + j < columns && row + tx < rows) {
        out.set((column + j) * rows + row + tx, tile.get(tx * PITCH + j));
      }
    }
  }
}
