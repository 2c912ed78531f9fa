package dev.stretto.examples;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalFloats;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A product of matrices. Each block computes a tile from tiles in shared memory, which are loaded
 * in several ways: by plain loads, asynchronously, one step ahead, and several ahead.
 */
final class Example17TiledProduct {
  // @start region="extents"
  /** Rows and columns of C that a block computes; a thread has 8 of each. */
  private static final int TILE = 128;

  /** Columns of A, and rows of B, in shared memory at a time; a warp copies one of each. */
  private static final int DEPTH = 8;

  private static final int THREADS = 256;
  // @end

  private static final int STAGES = 4;

  private Example17TiledProduct() {}

  // @start region="multiply"
  /** Adds the product of eight columns of A and eight rows of B to a thread's 64 elements. */
  private static void multiply(
      SharedFloats tileA, SharedFloats tileB, int at, int rank, float[] sums) {
    float[] ofA = new float[8];
    float[] ofB = new float[8];
    for (int depth = 0; depth < DEPTH; depth++) {
      readEight(tileA, at + depth * TILE + rank / 16 * 4, ofA);
      readEight(tileB, at + depth * TILE + rank % 16 * 4, ofB);
      for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
          sums[8 * i + j] = Math.fma(ofA[i], ofB[j], sums[8 * i + j]);
        }
      }
    }
  }

  /** Four elements, and the four in the other half of the tile. */
  private static void readEight(SharedFloats tile, int at, float[] to) {
    for (int half = 0; half < 2; half++) {
      Float4 four = tile.get4(at + half * (TILE / 2));
      to[4 * half] = four.x();
      to[4 * half + 1] = four.y();
      to[4 * half + 2] = four.z();
      to[4 * half + 3] = four.w();
    }
  }

  // @end

  /** Stores a thread's elements of C, in four parts of the tile. */
  private static void store(GlobalFloats c, int n, int top, int left, int rank, float[] sums) {
    for (int i = 0; i < 8; i++) {
      int row = top + rank / 16 * 4 + i / 4 * (TILE / 2) + i % 4;
      for (int half = 0; half < 2; half++) {
        int column = left + rank % 16 * 4 + half * (TILE / 2);
        int from = 8 * i + 4 * half;
        Float4 four = new Float4(sums[from], sums[from + 1], sums[from + 2], sums[from + 3]);
        c.set4((long) row * n + column, four);
      }
    }
  }

  /** The first of a block's rows of C. */
  private static int top(ThreadBlock block, int n) {
    return block.blockIndexX() / (n / TILE) * TILE;
  }

  /** The first of its columns. */
  private static int left(ThreadBlock block, int n) {
    return block.blockIndexX() % (n / TILE) * TILE;
  }

  // @start region="synchronous"
  @Kernel(maxThreads = THREADS)
  static void synchronous(
      ThreadBlock block, GlobalFloats a, GlobalFloats b, GlobalFloats c, int m, int n, int k) {
    SharedFloats tileA = block.sharedFloats(DEPTH * TILE);
    SharedFloats tileB = block.sharedFloats(DEPTH * TILE);
    int rank = block.threadRank();
    int top = top(block, n);
    int left = left(block, n);
    float[] sums = new float[64];
    for (int depth = 0; depth < k; depth += DEPTH) {
      int row = depth + rank / 32;
      int column = rank % 32 * 4;
      tileA.set4(4 * rank, a.get4((long) row * m + top + column));
      tileB.set4(4 * rank, b.get4((long) row * n + left + column));
      block.sync();
      multiply(tileA, tileB, 0, rank, sums);
      block.sync();
    }
    store(c, n, top, left, rank, sums);
  }

  // @end

  // @start region="one"
  @Kernel(maxThreads = THREADS)
  static void oneStage(
      ThreadBlock block, GlobalFloats a, GlobalFloats b, GlobalFloats c, int m, int n, int k) {
    SharedFloats tileA = block.sharedFloats(DEPTH * TILE);
    SharedFloats tileB = block.sharedFloats(DEPTH * TILE);
    Warp warp = block.warp();
    int top = top(block, n);
    int left = left(block, n);
    float[] sums = new float[64];
    for (int depth = 0; depth < k; depth += DEPTH) {
      int row = depth + warp.index();
      warp.memcpyAsync(tileA, warp.index() * TILE, a, (long) row * m + top, TILE, 16);
      warp.memcpyAsync(tileB, warp.index() * TILE, b, (long) row * n + left, TILE, 16);
      block.waitAll();
      multiply(tileA, tileB, 0, block.threadRank(), sums);
      block.sync();
    }
    store(c, n, top, left, block.threadRank(), sums);
  }

  // @end

  // @start region="two"
  @Kernel(maxThreads = THREADS)
  static void twoStages(
      ThreadBlock block, GlobalFloats a, GlobalFloats b, GlobalFloats c, int m, int n, int k) {
    SharedFloats tileA = block.sharedFloats(2 * DEPTH * TILE);
    SharedFloats tileB = block.sharedFloats(2 * DEPTH * TILE);
    Warp warp = block.warp();
    int top = top(block, n);
    int left = left(block, n);
    float[] sums = new float[64];
    int stage = 0;
    int to = warp.index() * TILE;
    warp.memcpyAsync(tileA, to, a, (long) warp.index() * m + top, TILE, 16);
    warp.memcpyAsync(tileB, to, b, (long) warp.index() * n + left, TILE, 16);
    for (int depth = 0; depth < k; depth += DEPTH) {
      if (depth + DEPTH < k) {
        int row = depth + DEPTH + warp.index();
        to = ((stage ^ 1) * DEPTH + warp.index()) * TILE;
        warp.memcpyAsync(tileA, to, a, (long) row * m + top, TILE, 16);
        warp.memcpyAsync(tileB, to, b, (long) row * n + left, TILE, 16);
        block.waitPrior(2);
      } else {
        block.waitAll();
      }
      multiply(tileA, tileB, stage * DEPTH * TILE, block.threadRank(), sums);
      block.sync();
      stage ^= 1;
    }
    store(c, n, top, left, block.threadRank(), sums);
  }

  // @end

  // @start region="several"
  @Kernel(maxThreads = THREADS)
  static void severalStages(
      ThreadBlock block,
      GlobalFloats a,
      GlobalFloats b,
      GlobalFloats c,
      int m,
      int n,
      int k,
      @Const int stages) {
    SharedFloats tileA = block.sharedFloats(stages * DEPTH * TILE);
    SharedFloats tileB = block.sharedFloats(stages * DEPTH * TILE);
    Pipeline pipeline = block.pipeline(stages);
    Warp warp = block.warp();
    int top = top(block, n);
    int left = left(block, n);
    float[] sums = new float[64];
    int ahead = 0;
    for (int depth = 0; depth < k; depth += DEPTH) {
      while (ahead < k && ahead < depth + stages * DEPTH) {
        pipeline.producerAcquire();
        int row = ahead + warp.index();
        int to = (pipeline.producerStage() * DEPTH + warp.index()) * TILE;
        warp.memcpyAsync(tileA, to, a, (long) row * m + top, TILE, 16, pipeline);
        warp.memcpyAsync(tileB, to, b, (long) row * n + left, TILE, 16, pipeline);
        pipeline.producerCommit();
        ahead += DEPTH;
      }
      pipeline.consumerWait();
      int at = pipeline.consumerStage() * DEPTH * TILE;
      multiply(tileA, tileB, at, block.threadRank(), sums);
      pipeline.consumerRelease();
    }
    store(c, n, top, left, block.threadRank(), sums);
  }

  // @end

  /** One of the first kernels above. */
  private interface Product
      extends KernelMethod.Of6<
          GlobalFloats, GlobalFloats, GlobalFloats, Integer, Integer, Integer> {}

  /**
   * The factors and the product: C has m rows and n columns; A is stored by columns, B and C by
   * rows.
   */
  private record Job(GlobalFloats a, GlobalFloats b, GlobalFloats c, int m, int n, int k) {
    Grid grid() {
      return Grid.of(m / TILE * (n / TILE), THREADS);
    }
  }

  /** Enqueues a launch. */
  private interface Launch {
    void on(Stream stream, Job job);
  }

  private record Form(String name, Launch launch) {
    static Form of(String name, Product kernel) {
      return new Form(
          name,
          (stream, job) ->
              stream.launch(job.grid(), kernel, job.a, job.b, job.c, job.m, job.n, job.k));
    }

    static List<Form> all() {
      return List.of(
          of("plain loads", Example17TiledProduct::synchronous),
          of("one stage", Example17TiledProduct::oneStage),
          of("two stages", Example17TiledProduct::twoStages),
          new Form(
              "four stages",
              (stream, job) ->
                  stream.launch(
                      job.grid(),
                      Example17TiledProduct::severalStages,
                      job.a,
                      job.b,
                      job.c,
                      job.m,
                      job.n,
                      job.k,
                      STAGES)));
    }
  }

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0])) {
      System.out.println(device + ", because " + device.reason() + "\n");
      boolean small = arguments.length > 1 && arguments[1].equals("small");
      boolean measured = device.properties().driver().equals("cuda") && !small;
      int m = measured ? 4096 : TILE;
      int n = measured ? 4096 : 2 * TILE;
      int k = measured ? 4096 : 6 * DEPTH;
      float[] columns = numbers(k * m, 1);
      float[] rows = numbers(k * n, 2);
      try (Stream stream = device.stream();
          GlobalFloats a = device.allocateFloats(columns.length);
          GlobalFloats b = device.allocateFloats(rows.length);
          GlobalFloats c = device.allocateFloats((long) m * n)) {
        stream.copy(columns, a);
        stream.copy(rows, b);
        Job job = new Job(a, b, c, m, n, k);
        for (Form form : Form.all()) {
          stream.fill(c, -1);
          form.launch.on(stream, job);
          float[] product = new float[m * n];
          stream.copy(c, product).await();
          boolean right = isRight(columns, rows, product, job);
          System.out.printf("%-13s%s", form.name, right ? "right" : "wrong");
          if (measured) {
            double tera = 2.0 * m * n * k / nanos(stream, form, job) / 1000;
            System.out.printf("   %5.1f TFLOP/s", tera);
          }
          System.out.println();
        }
      }
    }
  }

  /** Whole numbers from -4 to 4: their products and sums are exact. */
  private static float[] numbers(int count, int seed) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = (((i + seed) * 0x9E3779B9) >>> 16) % 9 - 4;
    }
    return numbers;
  }

  /** Checks every element, or four of each row if there are many. */
  private static boolean isRight(float[] a, float[] b, float[] c, Job job) {
    boolean few = job.n <= 256;
    SplittableRandom random = new SplittableRandom(17);
    for (int row = 0; row < job.m; row++) {
      for (int look = 0; look < (few ? job.n : 4); look++) {
        int column = few ? look : random.nextInt(job.n);
        double sum = 0;
        for (int depth = 0; depth < job.k; depth++) {
          sum += (double) a[depth * job.m + row] * b[depth * job.n + column];
        }
        if (c[row * job.n + column] != sum) {
          return false;
        }
      }
    }
    return true;
  }

  private static double nanos(Stream stream, Form form, Job job) {
    return DeviceTime.nanos(stream, () -> form.launch.on(stream, job));
  }
}
