package dev.stretto.examples.choosing;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Mma;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.SharedBfloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalBfloats;

/**
 * C = A * B of bfloat16 matrices that are stored by rows, on every device: with tensor cores where
 * they take bfloat16, which is from 8.0 on, otherwise with floats.
 */
final class PortableProduct {
  private static final int ROWS = 64;
  private static final int COLUMNS = 64;
  private static final int DEPTH = 32;
  private static final int WARPS = 4;

  /** Numbers from row to row of a tile: eight more than a row, so that rows are in other banks. */
  private static final int STRIDE_A = DEPTH + 8;

  private static final int STRIDE_B = COLUMNS + 8;

  private PortableProduct() {}

  // @start region="kernel"
  @Kernel(maxThreads = 32 * WARPS)
  static void multiply(
      ThreadBlock block, GlobalBfloats a, GlobalBfloats b, GlobalBfloats c, int m, int n, int k) {
    SharedBfloats tileA = block.sharedBfloats(ROWS * STRIDE_A);
    SharedBfloats tileB = block.sharedBfloats(DEPTH * STRIDE_B);
    Warp warp = block.warp();
    int top = block.blockIndexX() * ROWS;
    int left = block.blockIndexY() * COLUMNS;
    float[] sums = new float[COLUMNS / 2];
    for (int inner = 0; inner < k; inner += DEPTH) {
      if (inner == 0 || inner + DEPTH > k) {
        clear(block, tileA, tileB);
        block.sync();
      }
      int depth = Math.min(DEPTH, k - inner);
      for (int row = warp.index(); row < Math.min(ROWS, m - top); row += WARPS) {
        long from = (long) (top + row) * k + inner;
        warp.memcpyAsync(tileA, row * STRIDE_A, a, from, depth, 16);
      }
      for (int row = warp.index(); row < depth; row += WARPS) {
        long from = (long) (inner + row) * n + left;
        warp.memcpyAsync(tileB, row * STRIDE_B, b, from, Math.min(COLUMNS, n - left), 16);
      }
      block.waitAll();
      if (block.computeCapability() >= 80) {
        multiplyOnTensorCores(warp, tileA, tileB, sums);
      } else {
        multiplyFloats(warp, tileA, tileB, sums);
      }
      block.sync();
    }
    store(warp, c, m, n, top + 16 * warp.index(), left, sums);
  }

  // @end

  private static void clear(ThreadBlock block, SharedBfloats tileA, SharedBfloats tileB) {
    for (int i = block.threadRank(); i < ROWS * STRIDE_A; i += 32 * WARPS) {
      tileA.set(i, 0);
    }
    for (int i = block.threadRank(); i < DEPTH * STRIDE_B; i += 32 * WARPS) {
      tileB.set(i, 0);
    }
  }

  /** Adds the product of the warp's 16 rows of A and all of B. */
  private static void multiplyOnTensorCores(
      Warp warp, SharedBfloats tileA, SharedBfloats tileB, float[] sums) {
    int[] ofA = new int[4];
    int[] ofB = new int[4];
    int line = warp.lane() % 16;
    int half = warp.lane() / 16 * 8;
    for (int step = 0; step < DEPTH; step += 16) {
      Ptx.ldmatrixX4(ofA, 0, tileA, (16 * warp.index() + line) * STRIDE_A + step + half);
      for (int column = 0; column < COLUMNS; column += 16) {
        Ptx.ldmatrixX4Trans(ofB, 0, tileB, (step + line) * STRIDE_B + column + half);
        Mma.bf16(sums, column / 2, ofA, 0, ofB, 0);
        Mma.bf16(sums, column / 2 + 4, ofA, 0, ofB, 2);
      }
    }
  }

  /** The same, with the sums in the same places. */
  private static void multiplyFloats(
      Warp warp, SharedBfloats tileA, SharedBfloats tileB, float[] sums) {
    for (int step = 0; step < DEPTH; step++) {
      for (int i = 0; i < COLUMNS / 2; i++) {
        int row = 16 * warp.index() + Mma.row(warp.lane(), i % 4);
        int column = i / 4 * 8 + Mma.column(warp.lane(), i % 4);
        float product = tileA.get(row * STRIDE_A + step) * tileB.get(step * STRIDE_B + column);
        sums[i] += product;
      }
    }
  }

  private static void store(
      Warp warp, GlobalBfloats c, int m, int n, int top, int left, float[] sums) {
    for (int i = 0; i < COLUMNS / 2; i++) {
      int row = top + Mma.row(warp.lane(), i % 4);
      int column = left + i / 4 * 8 + Mma.column(warp.lane(), i % 4);
      if (row < m && column < n) {
        c.set((long) row * n + column, sums[i]);
      }
    }
  }

  static void enqueue(
      Stream stream, GlobalBfloats a, GlobalBfloats b, GlobalBfloats c, int m, int n, int k) {
    int down = (m + ROWS - 1) / ROWS;
    int across = (n + COLUMNS - 1) / COLUMNS;
    stream.launch(
        Grid.of(down, across, 32 * WARPS, 1), PortableProduct::multiply, a, b, c, m, n, k);
  }
}
