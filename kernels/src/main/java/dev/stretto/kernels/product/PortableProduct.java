package dev.stretto.kernels.product;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Mma;
import dev.stretto.kernel.PipelinePrimitives;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedShorts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalShorts;

/**
 * Products on every device, of any size: with tensor cores where they take the numbers, otherwise
 * with floats. A block computes one tile of C, or of the sums of a part of the inner dimension. Its
 * threads copy the next pieces of A and B to shared memory while they multiply one.
 */
final class PortableProduct {
  static final int ROWS = 64;
  static final int COLUMNS = 64;

  /** How much of the inner dimension a piece has. */
  static final int DEPTH = 32;

  private static final Tiling TILING = new Tiling(ROWS, COLUMNS, 1);

  private static final int WARPS = 4;
  private static final int THREADS = 32 * WARPS;
  private static final int STAGES = 3;

  /** Numbers of 16 bytes. */
  private static final int CHUNK = 8;

  /** Numbers from row to row: eight more than a row, so that rows begin in different banks. */
  private static final int STRIDE = DEPTH + CHUNK;

  private static final int STRIDE_B = COLUMNS + CHUNK;

  /** Numbers of a stage: A, and B in the order that takes more. */
  private static final int STAGE = (ROWS + COLUMNS) * STRIDE;

  private PortableProduct() {}

  // @start region="kernel"
  @Kernel(maxThreads = THREADS)
  static void multiply(
      ThreadBlock block,
      GlobalShorts a,
      GlobalShorts b,
      GlobalShorts c,
      GlobalShorts bias,
      int m,
      int n,
      int k,
      @Const int variant) {
    int tiles = tiles(m, n);
    int matrix = block.blockIndexX() / tiles;
    int tile = block.blockIndexX() - matrix * tiles;
    int top = top(tile, m, n);
    int left = left(tile, m, n);
    float[] sums = new float[COLUMNS / 2];
    add(block, a, b, m, n, k, matrix, top, left, 0, k, sums, variant);
    Warp warp = block.warp();
    for (int i = 0; i < COLUMNS / 2; i++) {
      int row = row(warp, top, i);
      int column = column(warp, left, i);
      if (row < m && column < n) {
        float value = Epilogue.finish(sums[i], bias, column, n, variant);
        c.set(((long) matrix * m + row) * n + column, Epilogue.round(value, variant));
      }
    }
  }

  /** Stores the sums of a part of the inner dimension, one matrix for each part of each product. */
  @Kernel(maxThreads = THREADS)
  static void sum(
      ThreadBlock block,
      GlobalShorts a,
      GlobalShorts b,
      GlobalFloats to,
      int m,
      int n,
      int k,
      int splits,
      @Const int variant) {
    int tiles = tiles(m, n);
    int number = block.blockIndexX() / tiles;
    int tile = block.blockIndexX() - number * tiles;
    int top = top(tile, m, n);
    int left = left(tile, m, n);
    int depth = ((k + DEPTH - 1) / DEPTH + splits - 1) / splits * DEPTH;
    int from = number % splits * depth;
    int end = Math.min(k, from + depth);
    float[] sums = new float[COLUMNS / 2];
    add(block, a, b, m, n, k, number / splits, top, left, from, end, sums, variant);
    Warp warp = block.warp();
    for (int i = 0; i < COLUMNS / 2; i++) {
      int row = row(warp, top, i);
      int column = column(warp, left, i);
      if (row < m && column < n) {
        to.set(((long) number * m + row) * n + column, sums[i]);
      }
    }
  }

  // @end region="kernel"

  private static int tiles(int m, int n) {
    return ((m + ROWS - 1) / ROWS) * ((n + COLUMNS - 1) / COLUMNS);
  }

  private static int top(int tile, int m, int n) {
    return Tiling.row(tile, (n + COLUMNS - 1) / COLUMNS, (m + ROWS - 1) / ROWS) * ROWS;
  }

  private static int left(int tile, int m, int n) {
    return Tiling.column(tile, (n + COLUMNS - 1) / COLUMNS, (m + ROWS - 1) / ROWS) * COLUMNS;
  }

  /** {@return the row of one of a lane's sums} */
  private static int row(Warp warp, int top, int i) {
    return top + 16 * warp.index() + Mma.row(warp.lane(), i % 4);
  }

  private static int column(Warp warp, int left, int i) {
    return left + i / 4 * 8 + Mma.column(warp.lane(), i % 4);
  }

  private static void add(
      ThreadBlock block,
      GlobalShorts a,
      GlobalShorts b,
      int m,
      int n,
      int k,
      int matrix,
      int top,
      int left,
      int from,
      int end,
      float[] sums,
      @Const int variant) {
    SharedBytes memory = block.sharedBytes(STAGES * STAGE * 2);
    Warp warp = block.warp();
    int thread = block.threadRank();
    int to = 0;
    for (int ahead = 0; ahead < STAGES - 1; ahead++) {
      int inner = from + ahead * DEPTH;
      load(memory, to, a, b, m, n, k, matrix, top, left, inner, end, thread, variant);
      PipelinePrimitives.commit();
      to += STAGE;
    }
    int at = 0;
    for (int inner = from; inner < end; inner += DEPTH) {
      PipelinePrimitives.waitPrior(STAGES - 2);
      // The copies of all threads have arrived, and all have multiplied the piece before.
      block.sync();
      int next = inner + (STAGES - 1) * DEPTH;
      load(memory, to, a, b, m, n, k, matrix, top, left, next, end, thread, variant);
      PipelinePrimitives.commit();
      if (Variant.has(variant, Variant.BFLOAT) && block.computeCapability() < 80) {
        multiplyFloats(warp, memory.asShorts(), at, sums, variant);
      } else {
        multiplyOnTensorCores(warp, memory, at, sums, variant);
      }
      to = to + STAGE == STAGES * STAGE ? 0 : to + STAGE;
      at = at + STAGE == STAGES * STAGE ? 0 : at + STAGE;
    }
    PipelinePrimitives.waitPrior(0);
  }

  /** Begins to copy a piece of A and of B; what is outside becomes zero. */
  private static void load(
      SharedBytes memory,
      int at,
      GlobalShorts a,
      GlobalShorts b,
      int m,
      int n,
      int k,
      int matrix,
      int top,
      int left,
      int inner,
      int end,
      int thread,
      @Const int variant) {
    SharedShorts to = memory.asShorts();
    for (int i = 0; i < ROWS * DEPTH / CHUNK / THREADS; i++) {
      int chunk = thread + i * THREADS;
      int row = chunk / (DEPTH / CHUNK);
      int x = chunk % (DEPTH / CHUNK) * CHUNK;
      long from = ((long) matrix * m + top + row) * k + inner + x;
      int count = top + row < m ? end - inner - x : 0;
      copy(to, at + row * STRIDE + x, a, from, count, variant);
    }
    int atB = at + ROWS * STRIDE;
    for (int i = 0; i < COLUMNS * DEPTH / CHUNK / THREADS; i++) {
      int chunk = thread + i * THREADS;
      if (Variant.has(variant, Variant.TRANSPOSED)) {
        int row = chunk / (DEPTH / CHUNK);
        int x = chunk % (DEPTH / CHUNK) * CHUNK;
        long from = ((long) matrix * n + left + row) * k + inner + x;
        int count = left + row < n ? end - inner - x : 0;
        copy(to, atB + row * STRIDE + x, b, from, count, variant);
      } else {
        int row = chunk / (COLUMNS / CHUNK);
        int x = chunk % (COLUMNS / CHUNK) * CHUNK;
        long from = ((long) matrix * k + inner + row) * n + left + x;
        int count = inner + row < end ? n - left - x : 0;
        copy(to, atB + row * STRIDE_B + x, b, from, count, variant);
      }
    }
  }

  /**
   * Begins to copy eight numbers.
   *
   * @param count how many are there, 8 or more for all; the others become zero
   */
  private static void copy(
      SharedShorts to, int at, GlobalShorts array, long from, int count, @Const int variant) {
    if (Variant.has(variant, Variant.ALIGNED)) {
      // All of them or none.
      boolean inside = count > 0;
      PipelinePrimitives.memcpyAsync(
          to, at, array, inside ? from : 0, 2 * CHUNK, inside ? 0 : 2 * CHUNK);
    } else {
      for (int i = 0; i < CHUNK; i++) {
        to.set(at + i, i < count ? array.get(from + i) : (short) 0);
      }
    }
  }

  /** Adds the product of the warp's 16 rows of A and all columns of B. */
  private static void multiplyOnTensorCores(
      Warp warp, SharedBytes memory, int at, float[] sums, @Const int variant) {
    int lane = warp.lane();
    int[] left = new int[4];
    int[] right = new int[4];
    int line = lane % 16;
    int half = lane / 16 * 8;
    int atA = at + (16 * warp.index() + line) * STRIDE + half;
    int atB = at + ROWS * STRIDE;
    for (int step = 0; step < DEPTH; step += 16) {
      Ptx.ldmatrixX4(left, 0, memory, 2 * (atA + step));
      for (int column = 0; column < COLUMNS; column += 16) {
        if (Variant.has(variant, Variant.TRANSPOSED)) {
          int row = column + lane % 8 + lane / 16 * 8;
          int from = atB + row * STRIDE + step + lane / 8 % 2 * 8;
          Ptx.ldmatrixX4(right, 0, memory, 2 * from);
        } else {
          int from = atB + (step + line) * STRIDE_B + column + half;
          Ptx.ldmatrixX4Trans(right, 0, memory, 2 * from);
        }
        if (Variant.has(variant, Variant.BFLOAT)) {
          Mma.bf16(sums, column / 2, left, 0, right, 0);
          Mma.bf16(sums, column / 2 + 4, left, 0, right, 2);
        } else {
          Mma.f16(sums, column / 2, left, 0, right, 0);
          Mma.f16(sums, column / 2 + 4, left, 0, right, 2);
        }
      }
    }
  }

  /** The same, with the sums in the same places. */
  private static void multiplyFloats(
      Warp warp, SharedShorts memory, int at, float[] sums, @Const int variant) {
    int atB = at + ROWS * STRIDE;
    for (int step = 0; step < DEPTH; step++) {
      for (int i = 0; i < COLUMNS / 2; i++) {
        int row = row(warp, 0, i);
        int column = column(warp, 0, i);
        int ofB =
            Variant.has(variant, Variant.TRANSPOSED)
                ? column * STRIDE + step
                : step * STRIDE_B + column;
        float left = Epilogue.toFloat(memory.get(at + row * STRIDE + step), variant);
        float product = left * Epilogue.toFloat(memory.get(atB + ofB), variant);
        sums[i] += product;
      }
    }
  }

  /** Enqueues a product, whole. */
  static void enqueue(
      Stream stream,
      Problem problem,
      int variant,
      GlobalShorts a,
      GlobalShorts b,
      GlobalShorts bias,
      GlobalShorts c) {
    stream.launch(
        grid(problem, 1),
        PortableProduct::multiply,
        a,
        b,
        c,
        bias,
        problem.m(),
        problem.n(),
        problem.k(),
        variant);
  }

  /** Enqueues the sums of all parts. */
  static void enqueueSums(
      Stream stream,
      Problem problem,
      int splits,
      int variant,
      GlobalShorts a,
      GlobalShorts b,
      GlobalFloats sums) {
    stream.launch(
        grid(problem, splits),
        PortableProduct::sum,
        a,
        b,
        sums,
        problem.m(),
        problem.n(),
        problem.k(),
        splits,
        variant);
  }

  private static Grid grid(Problem problem, int splits) {
    return Grid.of(Math.toIntExact(TILING.tiles(problem) * splits), THREADS);
  }
}
