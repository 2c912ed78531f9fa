package dev.stretto.bench.kernel;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Float2;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.Int4;

/**
 * {@code C = A B} on tensor cores, row by row: A and B bfloat16, two in a word, C floats. From
 * global memory through registers and shared memory, by {@code ldmatrix}, to {@code mma}. While the
 * tensor cores work on one tile, the next lies in the other half of shared memory or on its way
 * there, and the one after that travels to registers.
 */
final class MmaBf16 {
  /** Rows of C for a block. */
  static final int ROWS = 128;

  /** Columns of C for a block. */
  static final int COLUMNS = 256;

  /** Columns of A and rows of B in shared memory at a time. */
  static final int DEPTH = 32;

  /** 2 x 4 warps of 64 x 64 elements each. */
  static final int THREADS = 256;

  /** Words of a row of A's tile. */
  private static final int PITCH_A = DEPTH / 2;

  /** Words of a row of B's tile. */
  private static final int PITCH_B = COLUMNS / 2;

  private static final int WORDS_A = ROWS * PITCH_A;
  private static final int WORDS_B = DEPTH * PITCH_B;

  private MmaBf16() {}

  @Kernel(maxThreads = THREADS, minBlocks = 1)
  static void mma(ThreadBlock block, GlobalInts a, GlobalInts b, GlobalFloats c, int n, int k) {
    SharedBytes bytesA = block.sharedBytes(2 * WORDS_A * 4);
    SharedBytes bytesB = block.sharedBytes(2 * WORDS_B * 4);
    SharedInts tileA = bytesA.asInts();
    SharedInts tileB = bytesB.asInts();
    int t = block.threadIndexX();
    int lane = t & 31;
    int warpRow = (t >>> 7) * 64;
    int warpColumn = (t >>> 5 & 3) * 64;

    // What this thread carries: chunks t and t + 256 of A's tile (64 rows apart), and chunk
    // t % 32 of four rows of B's (8 rows apart), where the swizzle is the same.
    int rowA = t >>> 2;
    int chunkA = t & 3;
    int rowB = t >>> 5;
    int chunkB = t & 31;
    long fromA = (long) (block.blockIndexY() * ROWS + rowA) * (k / 2) + chunkA * 4L;
    long fromB = (long) rowB * (n / 2) + (block.blockIndexX() * PITCH_B + chunkB * 4);
    long downA = 64L * (k / 2);
    long downB = 8L * (n / 2);
    int toA = wordOfA(rowA, chunkA);
    int toB = wordOfB(rowB, chunkB);

    // Where ldmatrix reads, in bytes: lanes 0-15 name the rows of the left 8 columns, lanes 16-31
    // those of the right.
    int half = lane >>> 4;
    int[] readA = new int[2];
    for (int step = 0; step < 2; step++) {
      readA[step] = 4 * wordOfA(warpRow + (lane & 15), 2 * step + half);
    }
    int[] readB = new int[4];
    for (int j = 0; j < 4; j++) {
      readB[j] = 4 * wordOfB(lane & 15, warpColumn / 8 + 2 * j + half);
    }

    float[] sums = new float[128];
    int[] nextA = new int[8];
    int[] nextB = new int[16];
    load(a, fromA, downA, nextA, 2);
    load(b, fromB, downB, nextB, 4);
    store(tileA, toA, 64 * PITCH_A, nextA, 2);
    store(tileB, toB, 8 * PITCH_B, nextB, 4);
    if (k > DEPTH) {
      fromA += PITCH_A;
      fromB += 4 * downB;
      load(a, fromA, downA, nextA, 2);
      load(b, fromB, downB, nextB, 4);
    }
    block.sync();

    int now = 0;
    for (int depth = 0; depth < k; depth += DEPTH) {
      int other = now ^ 1;
      // The other half was last read before the barrier.
      if (depth + DEPTH < k) {
        store(tileA, other * WORDS_A + toA, 64 * PITCH_A, nextA, 2);
        store(tileB, other * WORDS_B + toB, 8 * PITCH_B, nextB, 4);
      }
      if (depth + 2 * DEPTH < k) {
        fromA += PITCH_A;
        fromB += 4 * downB;
        load(a, fromA, downA, nextA, 2);
        load(b, fromB, downB, nextB, 4);
      }
      int nowA = now * (WORDS_A * 4);
      int nowB = now * (WORDS_B * 4);
      for (int step = 0; step < 2; step++) {
        int[] fragmentA = new int[16];
        for (int i = 0; i < 4; i++) {
          Ptx.ldmatrixX4(fragmentA, 4 * i, bytesA, nowA + readA[step] + i * 16 * PITCH_A * 4);
        }
        for (int j = 0; j < 4; j++) {
          // 16 rows of B, 16 columns: the left 8, then the right 8.
          int[] fragmentB = new int[4];
          Ptx.ldmatrixX4Trans(fragmentB, 0, bytesB, nowB + readB[j] + step * 16 * PITCH_B * 4);
          for (int i = 0; i < 4; i++) {
            int left = (i * 8 + 2 * j) * 4;
            Ptx.mmaM16N8K16Bf16(sums, left, fragmentA, 4 * i, fragmentB, 0);
            Ptx.mmaM16N8K16Bf16(sums, left + 4, fragmentA, 4 * i, fragmentB, 2);
          }
        }
      }
      block.sync();
      now = other;
    }

    long toC =
        (long) (block.blockIndexY() * ROWS + warpRow + (lane >>> 2)) * n
            + (block.blockIndexX() * COLUMNS + warpColumn + (lane & 3) * 2);
    for (int i = 0; i < 4; i++) {
      long upper = toC + i * 16L * n;
      long lower = upper + 8L * n;
      for (int j = 0; j < 8; j++) {
        int four = (i * 8 + j) * 4;
        c.set2(upper + j * 8L, new Float2(sums[four], sums[four + 1]));
        c.set2(lower + j * 8L, new Float2(sums[four + 2], sums[four + 3]));
      }
    }
  }

  /**
   * Where 16 bytes lie: a chunk of a row of A's tile, which has 4 of them. Eight rows that ldmatrix
   * reads together meet eight groups of four banks.
   */
  private static int wordOfA(int row, int chunk) {
    return row * PITCH_A + (chunk ^ (row >>> 1 & 3)) * 4;
  }

  /** Likewise for B's tile, which has 32 chunks in a row. */
  private static int wordOfB(int row, int chunk) {
    return row * PITCH_B + (chunk ^ (row & 7)) * 4;
  }

  private static void load(GlobalInts from, long at, long down, int[] to, int chunks) {
    for (int i = 0; i < chunks; i++) {
      Int4 chunk = from.get4(at + i * down);
      to[4 * i] = chunk.x();
      to[4 * i + 1] = chunk.y();
      to[4 * i + 2] = chunk.z();
      to[4 * i + 3] = chunk.w();
    }
  }

  private static void store(SharedInts to, int at, int down, int[] from, int chunks) {
    for (int i = 0; i < chunks; i++) {
      to.set4(
          at + i * down, new Int4(from[4 * i], from[4 * i + 1], from[4 * i + 2], from[4 * i + 3]));
    }
  }
}
