package dev.stretto.bench.kernel.samples;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedDoubles;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;

/** Products of vectors and matrices, which lie row by row. */
public final class Products {
  public static final int THREADS = 256;

  /** Rows and columns of a tile of {@link #matrices} and {@link #wholeMatrices}. */
  public static final int TILE = 32;

  /** Sums that a block of {@link #pairs} keeps. */
  public static final int SUMS = 1024;

  private Products() {}

  /** A block's share of the product of two vectors, to {@code sums[block]}. */
  @Kernel(maxThreads = THREADS, contract = true)
  public static void dot(ThreadBlock block, GlobalDoubles x, GlobalDoubles y, GlobalDoubles sums) {
    SharedDoubles ofWarps = block.sharedDoubles(THREADS / 32);
    Warp warp = block.warp();
    long stride = (long) block.gridSizeX() * block.blockSizeX();
    double sum = 0;
    for (long i = block.globalIndexX(); i < x.length(); i += stride) {
      sum += x.get(i) * y.get(i);
    }
    sum = warp.reduceAdd(sum);
    if (warp.lane() == 0) {
      ofWarps.set(warp.index(), sum);
    }
    block.sync();
    if (block.threadIndexX() == 0) {
      double all = 0;
      for (int i = 0; i < THREADS / 32; i++) {
        all += ofWarps.get(i);
      }
      sums.set(block.blockIndexX(), all);
    }
  }

  /** The products of many pairs of vectors of {@code length} elements. */
  @Kernel(maxThreads = THREADS, contract = true)
  public static void pairs(
      ThreadBlock block,
      GlobalFloats products,
      GlobalFloats a,
      GlobalFloats b,
      int vectors,
      int length) {
    SharedFloats sums = block.sharedFloats(SUMS);
    int rank = block.threadIndexX();
    for (int vector = block.blockIndexX(); vector < vectors; vector += block.gridSizeX()) {
      int begin = vector * length;
      int end = begin + length;
      for (int slot = rank; slot < SUMS; slot += block.blockSizeX()) {
        float sum = 0;
        for (int i = begin + slot; i < end; i += SUMS) {
          sum += a.get(i) * b.get(i);
        }
        sums.set(slot, sum);
      }
      for (int stride = SUMS / 2; stride > 0; stride /= 2) {
        block.sync();
        for (int slot = rank; slot < stride; slot += block.blockSizeX()) {
          sums.set(slot, sums.get(slot) + sums.get(slot + stride));
        }
      }
      block.sync();
      if (rank == 0) {
        products.set(vector, sums.get(0));
      }
    }
  }

  /** A matrix times a vector; a warp for each row. */
  @Kernel(maxThreads = THREADS, contract = true)
  public static void vector(
      ThreadBlock block, GlobalFloats matrix, GlobalFloats x, GlobalFloats y, int columns) {
    Warp warp = block.warp();
    long row = block.globalIndexX() / 32;
    if (row < y.length()) {
      float sum = 0;
      for (int i = warp.lane(); i < columns; i += 32) {
        sum += matrix.get(row * columns + i) * x.get(i);
      }
      sum = warp.reduceAdd(sum);
      if (warp.lane() == 0) {
        y.set(row, sum);
      }
    }
  }

  /** A sparse matrix times a vector: row i has the elements from {@code starts[i]} on. */
  @Kernel(maxThreads = THREADS, contract = true)
  public static void sparse(
      ThreadBlock block,
      GlobalInts starts,
      GlobalInts columns,
      GlobalFloats values,
      GlobalFloats x,
      GlobalFloats y) {
    long row = block.globalIndexX();
    if (row < y.length()) {
      float sum = 0;
      int end = starts.get(row + 1);
      for (int i = starts.get(row); i < end; i++) {
        sum += values.get(i) * x.get(columns.get(i));
      }
      y.set(row, sum);
    }
  }

  /** The product of two square matrices, through tiles in shared memory. */
  @Kernel(maxThreads = TILE * TILE, contract = true)
  public static void matrices(
      ThreadBlock block, GlobalFloats a, GlobalFloats b, GlobalFloats c, int n) {
    SharedFloats tileA = block.sharedFloats(TILE * TILE);
    SharedFloats tileB = block.sharedFloats(TILE * TILE);
    int tx = block.threadIndexX();
    int ty = block.threadIndexY();
    int row = block.blockIndexY() * TILE + ty;
    int column = block.blockIndexX() * TILE + tx;
    float sum = 0;
    for (int step = 0; step < n; step += TILE) {
      tileA.set(ty * TILE + tx, a.get(row * n + step + tx));
      tileB.set(ty * TILE + tx, b.get((step + ty) * n + column));
      block.sync();
      for (int k = 0; k < TILE; k++) {
        sum += tileA.get(ty * TILE + k) * tileB.get(k * TILE + tx);
      }
      block.sync();
    }
    c.set(row * n + column, sum);
  }

  /** Like {@link #matrices}, of whole numbers and with places in {@code long}. */
  @Kernel(maxThreads = TILE * TILE)
  public static void wholeMatrices(
      ThreadBlock block, GlobalInts a, GlobalInts b, GlobalInts c, long n) {
    SharedInts tileA = block.sharedInts(TILE * TILE);
    SharedInts tileB = block.sharedInts(TILE * TILE);
    int tx = block.threadIndexX();
    int ty = block.threadIndexY();
    long row = block.globalIndexY();
    long column = block.globalIndexX();
    int sum = 0;
    for (long step = 0; step < n; step += TILE) {
      tileA.set(ty * TILE + tx, a.get(row * n + step + tx));
      tileB.set(ty * TILE + tx, b.get((step + ty) * n + column));
      block.sync();
      for (int k = 0; k < TILE; k++) {
        sum += tileA.get(ty * TILE + k) * tileB.get(k * TILE + tx);
      }
      block.sync();
    }
    c.set(row * n + column, sum);
  }
}
