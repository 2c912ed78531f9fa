package dev.stretto.examples.attention;

import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.PtxMemory;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.Int4;

/**
 * Rows of a head in shared memory, one after the other, in chunks of 16 bytes. Chunk c of row r
 * lies at the place of chunk {@code c ^ (r % 8)}: so the same chunk of eight rows, which {@code
 * ldmatrix} reads at once, is in eight different groups of four banks.
 */
@SuppressWarnings("NarrowCalculation") // within a tile, which is small
final class Rows {
  private static final int CHUNK = 16;

  private Rows() {}

  /** How many bytes a row has. */
  static int bytes(int headDim) {
    return 2 * headDim;
  }

  /** Where a chunk lies, in bytes from the first row, which lies at a multiple of 1,024 bytes. */
  static int at(int row, int chunk, int headDim) {
    return row * bytes(headDim) + (chunk ^ (row & 7)) * CHUNK;
  }

  /**
   * The place of the chunk that is twice {@code step} chunks after an even one: the swizzle is an
   * exclusive or, and so is the step between them.
   */
  static int after(int at, int step) {
    return (at ^ step % 4 * 2 * CHUNK) + step / 4 * 8 * CHUNK;
  }

  /**
   * Begins to copy some rows, each thread its part.
   *
   * @param fromRow the first row
   */
  static void copy(
      SharedBytes to,
      int toByte,
      GlobalArray from,
      long fromRow,
      int rows,
      int headDim,
      int thread,
      int threads) {
    int chunks = headDim / 8;
    int apart = threads / chunks;
    int chunk = thread % chunks;
    int row = thread / chunks;
    int destination = toByte + at(row, chunk, headDim);
    long source = (fromRow + row) * bytes(headDim) + chunk * CHUNK;
    for (int i = 0; i < rows / apart; i++) {
      int further = i * apart * bytes(headDim);
      PtxCopies.cpAsyncCg16(to, destination + further, from, source + further);
    }
  }

  /**
   * Like {@code copy}, with zeros for rows that do not exist.
   *
   * @param fromRow the head's first row
   * @param first the first row to copy, counted within the head
   * @param end the row after the head's last one
   */
  static void copyTail(
      SharedBytes to,
      int toByte,
      GlobalArray from,
      long fromRow,
      int first,
      int end,
      int rows,
      int headDim,
      int thread,
      int threads) {
    int chunks = headDim / 8;
    int apart = threads / chunks;
    int chunk = thread % chunks;
    int row = thread / chunks;
    int destination = toByte + at(row, chunk, headDim);
    for (int i = 0; i < rows / apart; i++) {
      int one = first + row + i * apart;
      boolean exists = one < end;
      long source = (fromRow + (exists ? one : 0)) * bytes(headDim) + chunk * CHUNK;
      int further = i * apart * bytes(headDim);
      PtxCopies.cpAsyncCg16(to, destination + further, from, source, exists ? CHUNK : 0);
    }
  }

  /**
   * Stores a warp's rows of the result through shared memory, which brings together 16 bytes of a
   * row that four lanes hold.
   *
   * @param memory the warp has as many rows of it for itself
   * @param atByte where they begin
   * @param rows how many rows a lane has a part of
   * @param to receives the rows
   * @param toRow the head's first row
   * @param first the first row to store, counted within the head
   * @param end the row after the head's last one
   */
  static void store(
      Warp warp,
      SharedInts memory,
      int atByte,
      boolean bfloat,
      float[] out,
      int rows,
      int headDim,
      GlobalArray to,
      long toRow,
      int first,
      int end) {
    int lane = warp.lane();
    warp.sync();
    for (int row = 0; row < rows; row++) {
      for (int chunk = 0; chunk < headDim / 8; chunk++) {
        int from = Fragments.at(row, chunk, headDim);
        int at = atByte + at(8 * row + lane / 4, chunk, headDim) + lane % 4 * 4;
        memory.set(at / 4, Fragments.pack(bfloat, out[from], out[from + 1]));
      }
    }
    warp.sync();
    int chunks = headDim / 8;
    int chunk = lane % chunks;
    // Added to each row, and not the row to it: one register less while the keys pass.
    long head = toRow * bytes(headDim);
    for (int i = 0; i < rows * chunks / 4; i++) {
      int row = lane / chunks + i * (32 / chunks);
      Int4 four = memory.get4((atByte + at(row, chunk, headDim)) / 4);
      int[] words = {four.x(), four.y(), four.z(), four.w()};
      int one = first + row;
      if (one < end) {
        PtxMemory.stGlobalV4B32(to, head + (long) one * bytes(headDim) + chunk * CHUNK, words, 0);
      }
    }
  }
}
