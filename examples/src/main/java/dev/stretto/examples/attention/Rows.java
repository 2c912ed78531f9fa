package dev.stretto.examples.attention;

import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.PtxMemory;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.Int4;

/**
 * Rows of a head in shared memory, a row behind the other, each in chunks of 16 bytes. Chunk c of
 * row r lies at {@code c ^ (r % 8)}: so the eight rows whose chunks {@code ldmatrix} reads at once
 * lie in eight different groups of four banks, and so do the chunks that eight threads copy.
 */
final class Rows {
  private static final int CHUNK = 16;

  private Rows() {}

  /** How many bytes a row has. */
  static int bytes(int headDim) {
    return 2 * headDim;
  }

  /** Where a chunk lies, in bytes from the first row. */
  static int at(int row, int chunk, int headDim) {
    return row * bytes(headDim) + (chunk ^ row & 7) * CHUNK;
  }

  /**
   * Begins to copy this thread's part of some rows.
   *
   * @param firstRow of the array, that goes to the first row there
   * @param end the first row of the head that does not exist; zeros take its place
   * @param fromRow where the head begins
   */
  static void copyTail(
      SharedBytes to, int toByte, GlobalArray from, long fromRow, int firstRow, int end, int rows,
      int headDim, int thread, int threads) {
    int chunks = headDim / 8;
    int step = threads / chunks;
    int mine = thread / chunks;
    int at = toByte + at(mine, thread % chunks, headDim);
    for (int i = 0; i < rows / step; i++) {
      int row = firstRow + mine + i * step;
      boolean exists = row < end;
      long source = (fromRow + (exists ? row : 0)) * bytes(headDim) + thread % chunks * CHUNK;
      PtxCopies.cpAsyncCg16(to, at + i * step * bytes(headDim), from, source, exists ? CHUNK : 0);
    }
  }

  /** The same where all rows exist. */
  static void copy(
      SharedBytes to, int toByte, GlobalArray from, long fromRow, int rows, int headDim, int thread,
      int threads) {
    int chunks = headDim / 8;
    int step = threads / chunks;
    int mine = thread / chunks;
    int at = toByte + at(mine, thread % chunks, headDim);
    long source = (fromRow + mine) * bytes(headDim) + thread % chunks * CHUNK;
    for (int i = 0; i < rows / step; i++) {
      int further = i * step * bytes(headDim);
      PtxCopies.cpAsyncCg16(to, at + further, from, source + further);
    }
  }
}
