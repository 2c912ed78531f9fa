package dev.stretto.examples.hopper;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxClusters;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.PtxWarpGroups;
import dev.stretto.kernel.SharedBfloats;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.Swizzle;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Wgmma;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.TensorMap;

/**
 * C = A * B of bfloat16 matrices that are stored by rows, on the tensor cores of a Hopper GPU: a
 * producer warp copies boxes of A and B to shared memory, several stages ahead, while two warp
 * groups multiply the boxes that have arrived, each 64 rows of a tile of 128 x 256. Two
 * neighbouring blocks work on the same columns: each loads half of B's boxes, for both.
 */
public final class MatrixProduct {
  /** Rows of a tile. */
  public static final int ROWS = 128;

  /** Columns of a tile. */
  public static final int COLUMNS = 256;

  /** How much of the inner dimension a stage has: 128 bytes, the span of a swizzle. */
  private static final int DEPTH = 64;

  private static final int STAGES = 4;

  /** How many blocks share the boxes of B that they load. */
  static final int BLOCKS = 2;

  private static final int WARPS = 8;
  private static final int THREADS = 3 * 128;
  private static final int SPAN = 128;
  private static final int BYTES_A = ROWS * DEPTH * 2;
  private static final int BYTES_B = DEPTH * COLUMNS * 2;

  /** A box of B: 64 columns of 64 rows. */
  private static final int BYTES_BOX = DEPTH * 64 * 2;

  private static final int STAGE = BYTES_A + BYTES_B;

  /** A box of C, of which a warp group fills two: 64 columns of its 64 rows. */
  private static final int BYTES_OUT = 64 * 64 * 2;

  /**
   * Tiles are processed in columns this many tiles wide, so that shared data stays in the cache.
   */
  static final int WIDE = 8;

  private MatrixProduct() {}

  // @start region="kernel"
  @Kernel(maxThreads = THREADS, minBlocks = 1)
  static void multiply(
      ThreadBlock block,
      TensorMap a,
      TensorMap b,
      TensorMap c,
      int m,
      int n,
      int k,
      @Const int blocks,
      @Const int wide) {
    SharedBfloats stages = block.sharedBfloats(STAGES * STAGE / 2);
    SharedBfloats out = block.sharedBfloats(4 * BYTES_OUT / 2);
    SharedLongs full = block.sharedLongs(STAGES);
    SharedLongs empty = block.sharedLongs(STAGES);
    if (block.threadRank() == 0) {
      for (int stage = 0; stage < STAGES; stage++) {
        PtxBarriers.mbarrierInit(full, stage, 1);
        PtxBarriers.mbarrierInit(empty, stage, WARPS * blocks);
      }
      PtxClusters.fenceMbarrierInit();
    }
    block.cluster().sync();
    int group = block.warp().shuffle(block.warp().index() / 4, 0);
    if (group == 0) {
      PtxWarpGroups.setmaxnregDec(40);
      if (block.warp().index() == 0 && block.warp().elect()) {
        produce(block, a, b, stages, full, empty, m, n, k, blocks, wide);
      }
    } else {
      PtxWarpGroups.setmaxnregInc(232);
      consume(block, group - 1, stages, out, full, empty, c, m, n, k, blocks, wide);
    }
    // The other block may still fill this one's stages, and arrive at its barriers.
    block.cluster().sync();
  }

  private static void produce(
      ThreadBlock block,
      TensorMap a,
      TensorMap b,
      SharedBfloats stages,
      SharedLongs full,
      SharedLongs empty,
      int m,
      int n,
      int k,
      @Const int blocks,
      @Const int wide) {
    int half = PtxClusters.clusterBlockRank();
    int across = (n + COLUMNS - 1) / COLUMNS;
    int down = (m + ROWS * blocks - 1) / (ROWS * blocks);
    int stage = 0;
    int parity = 1;
    for (int tile = block.blockIndexX() / blocks;
        tile < across * down;
        tile += block.gridSizeX() / blocks) {
      int row = (row(tile, across, down, wide) * blocks + half) * ROWS;
      int column = column(tile, across, down, wide) * COLUMNS + half * (COLUMNS / blocks);
      for (int inner = 0; inner < k; inner += DEPTH) {
        while (!PtxBarriers.mbarrierTryWaitParity(empty, stage, parity)) {
          // Some warps of both blocks have not multiplied this stage yet.
        }
        PtxBarriers.mbarrierArriveExpectTx(full, stage, STAGE);
        int at = stage * STAGE;
        PtxTensorCopies.cpAsyncBulkTensorToShared(stages, at, a, inner, row, full, stage);
        for (int box = 0; box < 4 / blocks; box++) {
          int to = at + BYTES_A + (4 / blocks * half + box) * BYTES_BOX;
          int x = column + 64 * box;
          if (blocks == 1) {
            PtxTensorCopies.cpAsyncBulkTensorToShared(stages, to, b, x, inner, full, stage);
          } else {
            PtxTensorCopies.cpAsyncBulkTensorToSharedMulticast(
                stages, to, b, x, inner, full, stage, (1 << blocks) - 1);
          }
        }
        stage = stage + 1 == STAGES ? 0 : stage + 1;
        parity = stage == 0 ? parity ^ 1 : parity;
      }
    }
  }

  private static void consume(
      ThreadBlock block,
      int group,
      SharedBfloats stages,
      SharedBfloats out,
      SharedLongs full,
      SharedLongs empty,
      TensorMap c,
      int m,
      int n,
      int k,
      @Const int blocks,
      @Const int wide) {
    int across = (n + COLUMNS - 1) / COLUMNS;
    int down = (m + ROWS * blocks - 1) / (ROWS * blocks);
    float[] sum = new float[COLUMNS / 2];
    int stage = 0;
    int before = 0;
    int parity = 0;
    for (int tile = block.blockIndexX() / blocks;
        tile < across * down;
        tile += block.gridSizeX() / blocks) {
      for (int inner = 0; inner < k; inner += DEPTH) {
        while (!PtxBarriers.mbarrierTryWaitParity(full, stage, parity)) {
          // It is on its way.
        }
        long left = Wgmma.kMajor(stages, stage * STAGE + group * 64 * SPAN, SPAN);
        long right = Wgmma.mnMajor(stages, stage * STAGE + BYTES_A, SPAN, BYTES_BOX);
        PtxWarpGroups.wgmmaFence();
        for (int step = 0; step < DEPTH / 16; step++) {
          boolean add = step > 0 || inner > 0;
          PtxWarpGroups.wgmmaBf16(
              sum,
              0,
              COLUMNS,
              Wgmma.advance(left, 32 * step),
              Wgmma.advance(right, 16 * SPAN * step),
              add,
              0,
              1);
        }
        PtxWarpGroups.wgmmaCommitGroup();
        // The products of the stage before are done when those of this one are the only ones.
        PtxWarpGroups.wgmmaWaitGroup(1);
        if (inner > 0) {
          release(block, empty, before, blocks);
        }
        before = stage;
        stage = stage + 1 == STAGES ? 0 : stage + 1;
        parity = stage == 0 ? parity ^ 1 : parity;
      }
      PtxWarpGroups.wgmmaWaitGroup(0);
      release(block, empty, before, blocks);
      int row = (row(tile, across, down, wide) * blocks + PtxClusters.clusterBlockRank()) * ROWS;
      store(
          block, group, out, sum, c, column(tile, across, down, wide) * COLUMNS, row + 64 * group);
    }
    PtxBulkCopies.cpAsyncBulkWaitGroup(0);
  }

  /** Signals to both blocks that this warp has multiplied a stage. */
  private static void release(ThreadBlock block, SharedLongs empty, int stage, @Const int blocks) {
    if (block.warp().lane() < blocks) {
      PtxClusters.mbarrierArriveReleaseBlockAt(empty, stage, block.warp().lane());
    }
  }

  /** Rounds the sums and stores them as boxes: two times two of 64 columns. */
  private static void store(
      ThreadBlock block,
      int group,
      SharedBfloats out,
      float[] sum,
      TensorMap c,
      int column,
      int row) {
    int lane = block.warp().lane();
    int inGroup = block.threadRank() % 128;
    int[] pairs = new int[4];
    // Each lane gives the address of a row of 8 numbers: of 16 rows of the warp, two such rows side
    // by side.
    int line = inGroup / 32 * 16 + lane % 16;
    for (int part = 0; part < 2; part++) {
      if (inGroup == 0) {
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      }
      Ptx.barSync(group + 1, 128);
      for (int i = 0; i < 8; i++) {
        for (int p = 0; p < 4; p++) {
          int at = part * 64 + i * 8 + 2 * p;
          pairs[p] = Ptx.cvtRnBf16x2F32(sum[at + 1], sum[at]);
        }
        int place = Swizzle.bytes128(line * SPAN + (i % 4 * 2 + lane / 16) * 16);
        Ptx.stmatrixX4(out, (2 * group + i / 4) * BYTES_OUT + place, pairs, 0);
      }
      PtxBulkCopies.fenceProxyAsyncShared();
      Ptx.barSync(group + 1, 128);
      if (inGroup == 0) {
        for (int box = 0; box < 2; box++) {
          PtxTensorCopies.cpAsyncBulkTensorToGlobal(
              c, column + part * 128 + box * 64, row, out, (2 * group + box) * BYTES_OUT);
        }
        PtxBulkCopies.cpAsyncBulkCommitGroup();
      }
    }
  }

  private static int row(int tile, int across, int down, @Const int wide) {
    int first = tile / (wide * down) * wide;
    return tile % (wide * down) / Math.min(wide, across - first);
  }

  private static int column(int tile, int across, int down, @Const int wide) {
    int first = tile / (wide * down) * wide;
    return first + tile % (wide * down) % Math.min(wide, across - first);
  }

  // @end

  /**
   * Enqueues a product.
   *
   * @param stream of a device of compute capability 9.0
   * @param multiprocessors how many the device has
   * @param a {@code m} rows of {@code k}
   * @param b {@code k} rows of {@code n}
   * @param c receives {@code m} rows of {@code n}
   * @param m rows of A and C, 1 or more
   * @param n columns of B and C, a multiple of 8
   * @param k columns of A and rows of B, a multiple of 8
   */
  public static void enqueue(
      Stream stream,
      int multiprocessors,
      GlobalBfloats a,
      GlobalBfloats b,
      GlobalBfloats c,
      int m,
      int n,
      int k) {
    enqueue(stream, multiprocessors, a, b, c, m, n, k, BLOCKS, WIDE);
  }

  /**
   * Like the other method, with 1 or 2 blocks that share boxes of B, and tiles in columns of a
   * given width.
   */
  static void enqueue(
      Stream stream,
      int multiprocessors,
      GlobalBfloats a,
      GlobalBfloats b,
      GlobalBfloats c,
      int m,
      int n,
      int k,
      int blocks,
      int wide) {
    int tiles = (m + ROWS * blocks - 1) / (ROWS * blocks) * ((n + COLUMNS - 1) / COLUMNS);
    int all = Math.min(multiprocessors / blocks, tiles) * blocks;
    stream.launch(
        Grid.of(all, THREADS).withCluster(blocks, 1, 1),
        MatrixProduct::multiply,
        map(a, k, m, ROWS),
        map(b, n, k, DEPTH),
        map(c, n, m, 64),
        m,
        n,
        k,
        blocks,
        wide);
  }

  private static TensorMap map(GlobalBfloats array, int width, int height, int rows) {
    return TensorMap.of(array)
        .shape(width, height)
        .box(64, rows)
        .swizzle(TensorMap.Swizzle.BYTES_128)
        .promotion(TensorMap.L2Promotion.BYTES_256)
        .build();
  }
}
