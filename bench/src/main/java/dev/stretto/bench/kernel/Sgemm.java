package dev.stretto.bench.kernel;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalFloats;

/**
 * {@code C = A B}, by rows, in floats. A thread computes 8 x 8 elements of C: four rows and the
 * four that lie 64 further down; columns likewise. The next tiles are loaded into registers while
 * the current ones are multiplied.
 */
final class Sgemm {
  /** Rows and columns of C for a block. */
  static final int TILE = 128;

  /** Columns of A and rows of B in shared memory at a time. */
  static final int DEPTH = 8;

  static final int THREADS = 256;

  /** Words of a row of A's transposed tile, chosen so that its stores have no bank conflicts. */
  private static final int PITCH = TILE + 4;

  private Sgemm() {}

  @Kernel(maxThreads = THREADS, minBlocks = 2)
  static void sgemm(
      ThreadBlock block, GlobalFloats a, GlobalFloats b, GlobalFloats c, int n, int k) {
    SharedFloats tileA = block.sharedFloats(2 * DEPTH * PITCH);
    SharedFloats tileB = block.sharedFloats(2 * DEPTH * TILE);
    int t = block.threadIndexX();
    int rowA = t >>> 1;
    int columnA = (t & 1) * 4;
    int rowB = t >>> 5;
    int columnB = (t & 31) * 4;
    int tx = (t & 15) * 4;
    int ty = (t >>> 4) * 4;
    long fromA = (long) (block.blockIndexY() * TILE + rowA) * k + columnA;
    long fromB = (long) rowB * n + (block.blockIndexX() * TILE + columnB);

    float[] sums = new float[64];
    float[] nextA = new float[4];
    float[] nextB = new float[4];
    load(a, fromA, nextA);
    load(b, fromB, nextB);
    int sharedA = 0;
    int sharedB = 0;
    for (int depth = 0; depth < k; depth += DEPTH) {
      for (int i = 0; i < 4; i++) {
        tileA.set(sharedA + (columnA + i) * PITCH + rowA, nextA[i]);
      }
      tileB.set4(
          sharedB + rowB * TILE + columnB, new Float4(nextB[0], nextB[1], nextB[2], nextB[3]));
      // One barrier per tile: a thread that has passed it has read the other tiles, which the next
      // iteration overwrites.
      block.sync();
      if (depth + DEPTH < k) {
        fromA += DEPTH;
        fromB += (long) DEPTH * n;
        load(a, fromA, nextA);
        load(b, fromB, nextB);
      }
      // Two of each: the operands of the next step are read while the current ones are multiplied.
      float[] rows = new float[2 * 8];
      float[] columns = new float[2 * 8];
      loadEight(tileA, sharedA + ty, rows, 0);
      loadEight(tileB, sharedB + tx, columns, 0);
      for (int d = 0; d < DEPTH; d++) {
        int now = d % 2 * 8;
        if (d + 1 < DEPTH) {
          loadEight(tileA, sharedA + (d + 1) * PITCH + ty, rows, 8 - now);
          loadEight(tileB, sharedB + (d + 1) * TILE + tx, columns, 8 - now);
        }
        for (int i = 0; i < 8; i++) {
          for (int j = 0; j < 8; j++) {
            sums[i * 8 + j] = Math.fma(rows[now + i], columns[now + j], sums[i * 8 + j]);
          }
        }
      }
      sharedA = DEPTH * PITCH - sharedA;
      sharedB = DEPTH * TILE - sharedB;
    }

    long toC = (long) (block.blockIndexY() * TILE + ty) * n + (block.blockIndexX() * TILE + tx);
    for (int i = 0; i < 8; i++) {
      long row = toC + (long) (i < 4 ? i : 60 + i) * n;
      c.set4(row, new Float4(sums[i * 8], sums[i * 8 + 1], sums[i * 8 + 2], sums[i * 8 + 3]));
      c.set4(
          row + 64, new Float4(sums[i * 8 + 4], sums[i * 8 + 5], sums[i * 8 + 6], sums[i * 8 + 7]));
    }
  }

  private static void load(GlobalFloats from, long at, float[] to) {
    Float4 four = from.get4(at);
    to[0] = four.x();
    to[1] = four.y();
    to[2] = four.z();
    to[3] = four.w();
  }

  /** Four elements, and the four that lie 64 further on. */
  private static void loadEight(SharedFloats tile, int at, float[] to, int first) {
    Float4 left = tile.get4(at);
    Float4 right = tile.get4(at + 64);
    to[first] = left.x();
    to[first + 1] = left.y();
    to[first + 2] = left.z();
    to[first + 3] = left.w();
    to[first + 4] = right.x();
    to[first + 5] = right.y();
    to[first + 6] = right.z();
    to[first + 7] = right.w();
  }
}
