package dev.stretto.bench.kernel.samples;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;

/** Points that are computed, and not read. */
public final class Points {
  public static final int THREADS = 256;
  public static final int THREADS_X = 32;
  public static final int THREADS_Y = 8;

  /** Points that a thread of {@link #pi} throws. */
  public static final int THROWS = 4096;

  /** Of {@link #mandelbrot}. */
  public static final int ROUNDS = 256;

  /** Of {@link #quasirandom}. */
  public static final int DIMENSIONS = 3;

  /** Bits of a number of {@link #quasirandom}. */
  public static final int BITS = 31;

  /** Of {@link #quasirandom}: what each bit of the index contributes, for each dimension. */
  @Const private static final int[] DIRECTIONS = directions();

  private Points() {}

  private static int[] directions() {
    int[] directions = new int[DIMENSIONS * BITS];
    for (int i = 0; i < directions.length; i++) {
      directions[i] = direction(i);
    }
    return directions;
  }

  /** {@return what a bit of the index contributes; by dimension, and then by bit} */
  public static int direction(int i) {
    return (i + 1) * 0x9E3779B1 & Integer.MAX_VALUE;
  }

  /** Counts the points of a square that lie in the quarter of a circle. */
  @Kernel(maxThreads = THREADS, contract = true)
  public static void pi(ThreadBlock block, GlobalInts counts, int seed) {
    long thread = block.globalIndexX();
    int state = (int) (thread * 0x9E3779B9L) ^ seed;
    if (state == 0) {
      state = 1;
    }
    int count = 0;
    for (int i = 0; i < THROWS; i++) {
      state = next(state);
      float x = (state >>> 8) * 0x1p-24f;
      state = next(state);
      float y = (state >>> 8) * 0x1p-24f;
      if (x * x + y * y < 1) {
        count++;
      }
    }
    counts.set(thread, count);
  }

  /** A step of a xorshift generator. */
  private static int next(int state) {
    int x = state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return x;
  }

  /** In how many rounds each point leaves the circle of radius 2, at most {@link #ROUNDS}. */
  @Kernel(maxThreads = THREADS_X * THREADS_Y, contract = true)
  public static void mandelbrot(
      ThreadBlock block,
      GlobalInts out,
      double left,
      double top,
      double scale,
      int width,
      int height) {
    int column = (int) block.globalIndexX();
    int row = (int) block.globalIndexY();
    if (column < width && row < height) {
      double x = left + column * scale;
      double y = top + row * scale;
      double re = x;
      double im = y;
      int rounds = 0;
      while (rounds < ROUNDS && re * re + im * im <= 4) {
        double next = re * re - im * im + x;
        im = 2 * re * im + y;
        re = next;
        rounds++;
      }
      out.set(row * width + column, rounds);
    }
  }

  /** Numbers from 0 to 1 that fill it evenly: a row for each dimension. */
  @Kernel(maxThreads = THREADS)
  public static void quasirandom(ThreadBlock block, GlobalFloats out, int seed, int n) {
    int dimension = block.blockIndexY();
    int stride = block.gridSizeX() * block.blockSizeX();
    int first = block.blockIndexX() * block.blockSizeX() + block.threadIndexX();
    for (int i = first; i < n; i += stride) {
      int result = 0;
      int data = seed + i;
      for (int bit = 0; bit < BITS; bit++) {
        if ((data & 1) != 0) {
          result ^= DIRECTIONS[dimension * BITS + bit];
        }
        data >>>= 1;
      }
      out.set((long) dimension * n + i, (result + 1) * 0x1p-31f);
    }
  }
}
