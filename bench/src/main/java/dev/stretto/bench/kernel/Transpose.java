package dev.stretto.bench.kernel;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;

/** {@code out[x][y] = in[y][x]}, through a tile in shared memory; four elements per thread. */
final class Transpose {
  static final int TILE = 32;

  /** Rows of threads. */
  static final int ROWS = 8;

  /** One more than the tile has columns, so that each of its columns lies in 32 banks. */
  private static final int PITCH = TILE + 1;

  private Transpose() {}

  @Kernel(maxThreads = TILE * ROWS)
  static void transpose(
      ThreadBlock block, GlobalFloats in, GlobalFloats out, int width, int height) {
    SharedFloats tile = block.sharedFloats(TILE * PITCH);
    int tx = block.threadIndexX();
    int ty = block.threadIndexY();
    int x = block.blockIndexX() * TILE + tx;
    int y = block.blockIndexY() * TILE + ty;
    for (int j = 0; j < TILE; j += ROWS) {
      tile.set((ty + j) * PITCH + tx, in.get((y + j) * width + x));
    }
    block.sync();
    int outX = block.blockIndexY() * TILE + tx;
    int outY = block.blockIndexX() * TILE + ty;
    for (int j = 0; j < TILE; j += ROWS) {
      out.set((outY + j) * height + outX, tile.get(tx * PITCH + ty + j));
    }
  }
}
