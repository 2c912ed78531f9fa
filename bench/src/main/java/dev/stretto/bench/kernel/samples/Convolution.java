package dev.stretto.bench.kernel.samples;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;

/**
 * Convolutions of an image of {@code width} times {@code height} floats, row by row. Where a method
 * does not say otherwise, what lies outside of the image is the nearest pixel within.
 */
public final class Convolution {
  public static final int THREADS_X = 32;
  public static final int THREADS_Y = 8;

  /** Of the separable convolutions, whose weights are {@code 2 * RADIUS + 1}. */
  public static final int RADIUS = 8;

  /** Rows and columns of the weights of {@link #square}. */
  public static final int SIDE = 5;

  /** Threads in a row of {@link #tiledRows}. */
  public static final int TILE_X = 16;

  /** Rows of threads in {@link #tiledRows}. */
  public static final int TILE_Y = 4;

  /** Pixels of a thread in {@link #tiledRows}. */
  public static final int STEPS = 8;

  /** The weights of {@link #columns} and {@link #tiledRows}: they rise to the middle. */
  @Const
  private static final float[] WEIGHTS = {
    1 / 64f, 2 / 64f, 3 / 64f, 4 / 64f, 5 / 64f, 6 / 64f, 7 / 64f, 8 / 64f, 9 / 64f, 8 / 64f,
    7 / 64f, 6 / 64f, 5 / 64f, 4 / 64f, 3 / 64f, 2 / 64f, 1 / 64f
  };

  private static final int LENGTH = 2 * RADIUS + 1;
  private static final int PITCH = (STEPS + 2) * TILE_X;

  private Convolution() {}

  /** {@return a weight of {@link #columns} and {@link #tiledRows}} */
  public static float weight(int index) {
    return WEIGHTS[index];
  }

  /** Along the rows; the weights are an argument. */
  @Kernel(maxThreads = THREADS_X * THREADS_Y, contract = true)
  public static void rows(
      ThreadBlock block,
      GlobalFloats in,
      GlobalFloats weights,
      GlobalFloats out,
      long width,
      long height) {
    long x = block.globalIndexX();
    long y = block.globalIndexY();
    if (x < width && y < height) {
      float sum = 0;
      for (int k = -RADIUS; k <= RADIUS; k++) {
        long column = Math.max(0, Math.min(width - 1, x + k));
        sum += weights.get(k + RADIUS) * in.get(y * width + column);
      }
      out.set(y * width + x, sum);
    }
  }

  /** Along the columns; what lies outside of the image is 0. */
  @Kernel(maxThreads = THREADS_X * THREADS_Y, contract = true)
  public static void columns(
      ThreadBlock block, GlobalFloats in, GlobalFloats out, long width, long height) {
    long x = block.globalIndexX();
    long y = block.globalIndexY();
    if (x < width && y < height) {
      float sum = 0;
      for (int k = 0; k < LENGTH; k++) {
        long row = y + k - RADIUS;
        if (row >= 0 && row < height) {
          sum += WEIGHTS[k] * in.get(row * width + x);
        }
      }
      out.set(y * width + x, sum);
    }
  }

  /** With a square of weights, which are an argument. */
  @Kernel(maxThreads = THREADS_X * THREADS_Y, contract = true)
  public static void square(
      ThreadBlock block,
      GlobalFloats in,
      GlobalFloats weights,
      GlobalFloats out,
      long width,
      long height) {
    long x = block.globalIndexX();
    long y = block.globalIndexY();
    if (x < width && y < height) {
      float sum = 0;
      for (long j = 0; j < SIDE; j++) {
        long row = Math.max(0, Math.min(height - 1, y + j - SIDE / 2));
        for (long i = 0; i < SIDE; i++) {
          long column = Math.max(0, Math.min(width - 1, x + i - SIDE / 2));
          sum += weights.get(j * SIDE + i) * in.get(row * width + column);
        }
      }
      out.set(y * width + x, sum);
    }
  }

  /**
   * Along the rows, through a tile in shared memory; what lies outside of the image is 0. A block
   * computes {@code STEPS * TILE_X} pixels of {@code TILE_Y} rows, and all blocks are full.
   */
  @Kernel(maxThreads = TILE_X * TILE_Y, contract = true)
  public static void tiledRows(ThreadBlock block, GlobalFloats in, GlobalFloats out, int width) {
    SharedFloats tile = block.sharedFloats(TILE_Y * PITCH);
    int tx = block.threadIndexX();
    int ty = block.threadIndexY();
    int x = (block.blockIndexX() * STEPS - 1) * TILE_X + tx;
    int y = block.blockIndexY() * TILE_Y + ty;
    for (int i = 0; i < STEPS + 2; i++) {
      int column = x + i * TILE_X;
      float pixel = column >= 0 && column < width ? in.get(y * width + column) : 0;
      tile.set(ty * PITCH + i * TILE_X + tx, pixel);
    }
    block.sync();
    for (int i = 1; i <= STEPS; i++) {
      float sum = 0;
      for (int k = -RADIUS; k <= RADIUS; k++) {
        sum += WEIGHTS[k + RADIUS] * tile.get(ty * PITCH + i * TILE_X + tx + k);
      }
      out.set(y * width + x + i * TILE_X, sum);
    }
  }
}
