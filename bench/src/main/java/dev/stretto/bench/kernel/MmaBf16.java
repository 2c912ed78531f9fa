package dev.stretto.bench.kernel;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Float2;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;

/**
 * {@code C = A B} on tensor cores, row by row: A and B bfloat16, two in a word, C floats. From
 * global to shared memory by {@code cp.async}, by {@code ldmatrix} to registers, to {@code mma}.
 * The copies of three stages are in flight while the tensor cores work on the fourth, and the
 * operands of a step are loaded while the previous step is multiplied.
 *
 * <p>A row of A's tile has 8 chunks of 16 bytes, one of B's 32; chunk c of row r lies at {@code c ^
 * (r % 8)}, so that the eight rows that {@code ldmatrix} reads together are in eight groups of four
 * banks.
 */
public final class MmaBf16 {
  /** Rows of C for a block. */
  public static final int ROWS = 128;

  /** Columns of C for a block. */
  public static final int COLUMNS = 256;

  /** Columns of A and rows of B in a stage. */
  private static final int DEPTH = 64;

  /** All but one of them are in flight. */
  private static final int STAGES = 4;

  /** How many rows of blocks run close together in time. */
  private static final int GROUP = 16;

  /** 2 x 4 warps of 64 x 64 elements each. */
  public static final int THREADS = 256;

  /** Words of a row of A's tile. */
  private static final int PITCH_A = DEPTH / 2;

  /** Words of a row of B's tile. */
  private static final int PITCH_B = COLUMNS / 2;

  private static final int WORDS_A = ROWS * PITCH_A;

  /** Words of a stage: A's tile, then B's. */
  private static final int STAGE = WORDS_A + DEPTH * PITCH_B;

  private MmaBf16() {}

  /**
   * The product; a block computes {@link #ROWS} rows of {@link #COLUMNS} columns.
   *
   * @param block of {@link #THREADS} threads
   * @param a {@code k} columns
   * @param b {@code n} columns, {@code k} rows
   * @param c receives {@code n} columns
   * @param n a multiple of {@link #COLUMNS}
   * @param k a multiple of 64
   */
  @Kernel(maxThreads = THREADS, minBlocks = 1)
  public static void mma(
      ThreadBlock block, GlobalInts a, GlobalInts b, GlobalFloats c, int n, int k) {
    SharedBytes bytes = block.sharedBytes(STAGES * STAGE * 4);
    SharedInts tiles = bytes.asInts();
    int t = block.threadIndexX();
    int lane = t & 31;
    int warpRow = (t >>> 7) * 64;
    int warpColumn = (t >>> 5 & 3) * 64;

    // Blocks that run at the same time share rows of A and columns of B: 16 rows of blocks, column
    // by column.
    int group = Math.min(GROUP, block.gridSizeY());
    int number = block.blockIndexY() * block.gridSizeX() + block.blockIndexX();
    int inGroup = number % (group * block.gridSizeX());
    int blockRow = (number / (group * block.gridSizeX()) * group + inGroup % group) * ROWS;
    int blockColumn = inGroup / group * COLUMNS;

    // What this thread copies: chunk t % 8 of four rows of A's tile, 32 rows apart, and four chunks
    // of two rows of B's. The swizzle is the same for all of them.
    int row = t >>> 3;
    int chunk = t & 7;
    int swizzled = (chunk ^ (row & 7)) * 4;
    int word = chunk * 4;
    int column = blockColumn / 2 + word;
    long fromA = (long) (blockRow + row) * (k / 2) + word;
    long fromB = (long) row * (n / 2) + column;
    long downA = 32L * (k / 2);
    long downB = 32L * (n / 2);
    int toA = row * PITCH_A + swizzled;
    int toB = WORDS_A + row * PITCH_B + swizzled;

    // Where ldmatrix reads, in bytes: lanes 0-15 address the rows of the left 8 columns, lanes
    // 16-31 those of the right.
    int half = lane >>> 4;
    int[] readA = new int[4];
    int[] readB = new int[4];
    for (int i = 0; i < 4; i++) {
      readA[i] = (warpRow + (lane & 15)) * (PITCH_A * 4) + ((2 * i + half) ^ (lane & 7)) * 16;
      readB[i] = (lane & 15) * (PITCH_B * 4) + ((warpColumn / 8 + 2 * i + half) ^ (lane & 7)) * 16;
    }

    float[] sums = new float[128];
    int[] operandsA = new int[2 * 16];
    int[] operandsB = new int[2 * 16];

    int copied = 0;
    for (int stage = 0; stage < STAGES - 1; stage++) {
      int size = copied < k ? 16 : 0;
      copyA(tiles, stage * STAGE + toA, a, fromA, downA, size);
      copyB(tiles, stage * STAGE + toB, b, fromB, size);
      copyB(tiles, stage * STAGE + toB + 32 * PITCH_B, b, fromB + downB, size);
      PtxCopies.cpAsyncCommitGroup();
      copied += DEPTH;
      fromA += copied < k ? PITCH_A : 0;
      fromB += copied < k ? 2 * downB : 0;
    }
    PtxCopies.cpAsyncWaitGroup(STAGES - 2);
    block.sync();
    load(bytes, 0, 0, readA, readB, operandsA, operandsB);

    int read = 0;
    int write = (STAGES - 1) * STAGE;
    for (int depth = 0; depth < k; depth += DEPTH) {
      int size = copied < k ? 16 : 0;
      int next = read == (STAGES - 1) * STAGE ? 0 : read + STAGE;
      load(bytes, read, 1, readA, readB, operandsA, operandsB);
      copyA(tiles, write + toA, a, fromA, downA, size);
      multiply(sums, operandsA, operandsB, 0);
      load(bytes, read, 2, readA, readB, operandsA, operandsB);
      copyB(tiles, write + toB, b, fromB, size);
      multiply(sums, operandsA, operandsB, 1);
      load(bytes, read, 3, readA, readB, operandsA, operandsB);
      copyB(tiles, write + toB + 32 * PITCH_B, b, fromB + downB, size);
      multiply(sums, operandsA, operandsB, 2);
      // All threads see the next stage; and all have read the last part of this one, which is
      // overwritten next.
      PtxCopies.cpAsyncCommitGroup();
      PtxCopies.cpAsyncWaitGroup(STAGES - 2);
      block.sync();
      load(bytes, next, 0, readA, readB, operandsA, operandsB);
      multiply(sums, operandsA, operandsB, 3);
      write = read;
      read = next;
      copied += DEPTH;
      fromA += copied < k ? PITCH_A : 0;
      fromB += copied < k ? 2 * downB : 0;
    }
    PtxCopies.cpAsyncWaitAll();

    long toC =
        (long) (blockRow + warpRow + (lane >>> 2)) * n
            + (blockColumn + warpColumn + (lane & 3) * 2);
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

  /** Begins to copy a chunk of each of four rows of A. */
  private static void copyA(
      SharedInts tiles, int to, GlobalInts a, long from, long down, int size) {
    for (int i = 0; i < 4; i++) {
      PtxCopies.cpAsyncCg16(tiles, 4 * (to + i * 32 * PITCH_A), a, 4 * (from + i * down), size);
    }
  }

  /** Begins to copy four chunks of a row of B, each 8 chunks after the previous one. */
  private static void copyB(SharedInts tiles, int to, GlobalInts b, long from, int size) {
    for (int i = 0; i < 4; i++) {
      int words = i * 32;
      PtxCopies.cpAsyncCg16(tiles, 4 * (to + words), b, 4 * (from + words), size);
    }
  }

  /** The operands of a step of 16 columns of A and rows of B: 64 rows of A, 64 columns of B. */
  private static void load(
      SharedBytes bytes,
      int stage,
      int step,
      int[] readA,
      int[] readB,
      int[] operandsA,
      int[] operandsB) {
    int to = step % 2 * 16;
    for (int i = 0; i < 4; i++) {
      int at = stage * 4 + readA[step];
      Ptx.ldmatrixX4(operandsA, to + 4 * i, bytes, at + i * 16 * PITCH_A * 4);
    }
    for (int j = 0; j < 4; j++) {
      // 16 rows of B, 16 columns: the left 8, then the right 8.
      int at = stage * 4 + readB[j];
      Ptx.ldmatrixX4Trans(operandsB, to + 4 * j, bytes, at + (WORDS_A + step * 16 * PITCH_B) * 4);
    }
  }

  private static void multiply(float[] sums, int[] operandsA, int[] operandsB, int step) {
    int from = step % 2 * 16;
    for (int j = 0; j < 8; j++) {
      for (int i = 0; i < 4; i++) {
        int four = (i * 8 + j) * 4;
        Ptx.mmaM16N8K16Bf16(sums, four, operandsA, from + 4 * i, operandsB, from + 2 * j);
      }
    }
  }
}
