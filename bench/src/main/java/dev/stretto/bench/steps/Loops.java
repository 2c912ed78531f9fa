package dev.stretto.bench.steps;

import java.util.Arrays;

/** What the kernels compute, as a programmer would write it for one core, bit by bit the same. */
final class Loops {
  private static final int THREADS = StepKernels.THREADS;

  private Loops() {}

  static void reduce(float[] in, float[] out) {
    float[] tile = new float[THREADS];
    for (int block = 0; block < in.length / THREADS; block++) {
      System.arraycopy(in, block * THREADS, tile, 0, THREADS);
      for (int half = THREADS / 2; half > 0; half >>= 1) {
        for (int i = 0; i < half; i++) {
          tile[i] += tile[i + half];
        }
      }
      out[block] = tile[0];
    }
  }

  static void reduceByShuffles(float[] in, float[] out) {
    float[] lanes = new float[32];
    for (int block = 0; block < in.length / THREADS; block++) {
      float all = 0;
      for (int warp = 0; warp < StepKernels.WARPS; warp++) {
        System.arraycopy(in, block * THREADS + 32 * warp, lanes, 0, 32);
        for (int half = 16; half > 0; half >>= 1) {
          for (int i = 0; i < half; i++) {
            lanes[i] += lanes[i + half];
          }
        }
        all = warp == 0 ? lanes[0] : all + lanes[0];
      }
      out[block] = all;
    }
  }

  static void scan(float[] in, float[] out) {
    float[] from = new float[THREADS];
    float[] to = new float[THREADS];
    for (int block = 0; block < in.length / THREADS; block++) {
      System.arraycopy(in, block * THREADS, from, 0, THREADS);
      for (int distance = 1; distance < THREADS; distance <<= 1) {
        System.arraycopy(from, 0, to, 0, distance);
        for (int i = distance; i < THREADS; i++) {
          to[i] = from[i] + from[i - distance];
        }
        float[] swapped = from;
        from = to;
        to = swapped;
      }
      System.arraycopy(from, 0, out, block * THREADS, THREADS);
    }
  }

  static void scanAll(float[] in, int[] out) {
    int sum = 0;
    for (int i = 0; i < in.length; i++) {
      sum += StepKernels.small(in[i]);
      out[i] = sum;
    }
  }

  /** In tiles, as anybody does who has measured it. */
  static void transpose(float[] in, float[] out, int side) {
    int tile = StepKernels.SIDE;
    for (int top = 0; top < side; top += tile) {
      for (int left = 0; left < side; left += tile) {
        for (int y = top; y < top + tile; y++) {
          for (int x = left; x < left + tile; x++) {
            out[x * side + y] = in[y * side + x];
          }
        }
      }
    }
  }

  static void histogram(float[] in, int[] out) {
    for (float value : in) {
      out[(int) (value * THREADS) & 255]++;
    }
  }

  /** One sum for each consumer of a block, of the elements that it takes of each tile. */
  static void sumsOfConsumers(float[] in, float[] out) {
    int each = StepKernels.TILES * StepKernels.TILE;
    int consumers = THREADS - StepKernels.PRODUCERS;
    for (int block = 0; block < in.length / each; block++) {
      Arrays.fill(out, block * THREADS, block * THREADS + StepKernels.PRODUCERS, 0);
      for (int thread = 0; thread < consumers; thread++) {
        float sum = 0;
        for (int tile = block * each; tile < (block + 1) * each; tile += StepKernels.TILE) {
          for (int i = thread; i < StepKernels.TILE; i += consumers) {
            sum += in[tile + i];
          }
        }
        out[block * THREADS + StepKernels.PRODUCERS + thread] = sum;
      }
    }
  }

  static void phases(float[] in, float[] out, int tiles) {
    Arrays.fill(out, 0, StepKernels.PRODUCERS, 0);
    for (int rank = StepKernels.PRODUCERS; rank < THREADS; rank++) {
      float sum = 0;
      for (int i = 0; i < tiles; i++) {
        sum += in[rank % StepKernels.PRODUCERS] + i;
      }
      out[rank] = sum;
    }
  }

  /** One sum for each thread of a block, of the elements that it takes. */
  static void sums(float[] in, float[] out) {
    int each = StepKernels.TILES * StepKernels.TILE;
    for (int block = 0; block < in.length / each; block++) {
      for (int thread = 0; thread < THREADS; thread++) {
        float sum = 0;
        for (int i = thread; i < each; i += THREADS) {
          sum += in[block * each + i];
        }
        out[block * THREADS + thread] = sum;
      }
    }
  }
}
