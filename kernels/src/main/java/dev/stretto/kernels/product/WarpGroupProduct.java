package dev.stretto.kernels.product;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxClusters;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.PtxWarpGroups;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Wgmma;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalShorts;
import dev.stretto.memory.TensorMap;

/**
 * Products on the tensor cores of a Hopper GPU: a producer warp copies boxes of A and B to shared
 * memory, several stages ahead, while two warp groups multiply the boxes that have arrived. Of a
 * tile of 128 rows each has 64, of one of 64 rows each has half the columns. In a cluster two
 * blocks work on the same columns: each loads half of B's boxes, for both.
 */
final class WarpGroupProduct {
  /** How much of the inner dimension a stage has: 128 bytes, the span of a swizzle. */
  static final int DEPTH = 64;

  private static final int WARPS = 8;
  private static final int THREADS = 3 * 128;
  private static final int SPAN = 128;

  /** A box of B that is stored by rows: 64 columns of 64 rows. */
  private static final int BYTES_BOX = DEPTH * 64 * 2;

  /** What a block has for stages: its shared memory without barriers. */
  private static final int MOST_BYTES = 226 * 1024;

  private static final int MOST_STAGES = 8;

  /** As many blocks as a cluster may have on every device of 9.0. */
  static final int MOST_GATHERED = 8;

  private WarpGroupProduct() {}

  private static int bytesOfA(@Const int tiling) {
    return Tiling.rows(tiling) * SPAN;
  }

  private static int bytesOfStage(@Const int tiling) {
    return bytesOfA(tiling) + Tiling.columns(tiling) * SPAN;
  }

  private static int stages(@Const int tiling) {
    int bytes = MOST_BYTES - WarpGroupOutput.BYTES;
    return Math.min(MOST_STAGES, bytes / bytesOfStage(tiling));
  }

  // @start region="kernel"
  @Kernel(maxThreads = THREADS, minBlocks = 1)
  static void multiply(
      ThreadBlock block,
      TensorMap a,
      TensorMap b,
      TensorMap c,
      GlobalShorts bias,
      GlobalInts pairs,
      int m,
      int n,
      int k,
      int splits,
      int count,
      @Const int tiling,
      @Const int variant) {
    SharedBytes stages = block.sharedBytes(stages(tiling) * bytesOfStage(tiling));
    // Two boxes for each warp group: of results, or of sums.
    SharedBytes out = block.sharedBytes(WarpGroupOutput.BYTES);
    SharedLongs full = block.sharedLongs(stages(tiling));
    SharedLongs empty = block.sharedLongs(stages(tiling));
    if (block.threadRank() == 0) {
      PtxTensorCopies.prefetchTensormap(a);
      PtxTensorCopies.prefetchTensormap(b);
      for (int stage = 0; stage < stages(tiling); stage++) {
        PtxBarriers.mbarrierInit(full, stage, 1);
        PtxBarriers.mbarrierInit(empty, stage, WARPS * Tiling.blocks(tiling));
      }
      PtxClusters.fenceMbarrierInit();
    }
    block.cluster().sync();
    int group = block.warp().shuffle(block.warp().index() / 4, 0);
    if (group == 0) {
      PtxWarpGroups.setmaxnregDec(40);
      if (block.warp().index() == 0 && block.warp().elect()) {
        produce(block, a, b, stages, full, empty, m, n, k, splits, count, tiling, variant);
      }
      leave(block);
      if (Variant.has(variant, Variant.GATHERED)) {
        leave(block);
      }
    } else {
      PtxWarpGroups.setmaxnregInc(232);
      consume(
          block, group - 1, stages, out, full, empty, c, bias, m, n, k, splits, count, tiling,
          variant);
      leave(block);
      // Here, not behind both branches: the producer has no registers for what this needs.
      if (Variant.has(variant, Variant.GATHERED)) {
        GatheredSums.store(
            block, group - 1, stages.asFloats(), pairs, bias, m, n, splits, tiling, variant);
        leave(block);
      }
    }
  }

  /** Another block may still fill this one's stages, arrive at its barriers, or read its sums. */
  private static void leave(ThreadBlock block) {
    block.cluster().sync();
  }

  /**
   * {@return how many rows a box of A has} What lies behind A does not take time, or a place in the
   * cache. Rows that nobody has written are multiplied, too, but not stored.
   */
  private static int boxOfA(int m, int rows) {
    return (Math.min(m, rows) + 7) / 8 * 8;
  }

  /** {@return the block's place among those that share what they load of B} */
  private static int half(@Const int variant) {
    return Variant.has(variant, Variant.GATHERED) ? 0 : PtxClusters.clusterBlockRank();
  }

  /** {@return the first of the inner dimension that is added for a number of a part} */
  private static int from(int number, int splits, int depth, @Const int variant) {
    if (Variant.has(variant, Variant.GATHERED)) {
      return PtxClusters.clusterBlockRank() * depth;
    }
    return Variant.has(variant, Variant.SPLIT) ? number % splits * depth : 0;
  }

  private static boolean isDivided(@Const int variant) {
    return Variant.has(variant, Variant.SPLIT | Variant.GATHERED);
  }

  /** {@return how many blocks of the grid work on the same tile} */
  private static int together(int splits, @Const int tiling, @Const int variant) {
    return Variant.has(variant, Variant.GATHERED) ? splits : Tiling.blocks(tiling);
  }

  /** {@return how much of the inner dimension a part has; the last one may have less} */
  private static int depth(int k, int splits, @Const int variant) {
    int stages = (k + DEPTH - 1) / DEPTH;
    return isDivided(variant) ? (stages + splits - 1) / splits * DEPTH : k;
  }

  private static boolean isMany(@Const int variant) {
    return Variant.has(variant, Variant.BATCHED | Variant.SPLIT);
  }

  private static void produce(
      ThreadBlock block,
      TensorMap a,
      TensorMap b,
      SharedBytes stages,
      SharedLongs full,
      SharedLongs empty,
      int m,
      int n,
      int k,
      int splits,
      int count,
      @Const int tiling,
      @Const int variant) {
    int rows = Tiling.rows(tiling);
    int columns = Tiling.columns(tiling);
    int blocks = Tiling.blocks(tiling);
    int half = half(variant);
    int together = together(splits, tiling, variant);
    int across = (n + columns - 1) / columns;
    int down = (m + rows * blocks - 1) / (rows * blocks);
    int tiles = across * down;
    int depth = depth(k, splits, variant);
    int rowsOfA = boxOfA(m, rows);
    int stage = 0;
    int parity = 1;
    for (int item = block.blockIndexX() / together;
        item < (isMany(variant) ? tiles * count : tiles);
        item += block.gridSizeX() / together) {
      int number = isMany(variant) ? item / tiles : 0;
      int tile = isMany(variant) ? item - number * tiles : item;
      int row = (Tiling.row(tile, across, down) * blocks + half) * rows;
      int column = Tiling.column(tile, across, down) * columns + half * (columns / blocks);
      int from = from(number, splits, depth, variant);
      int to = isDivided(variant) ? Math.min(k, from + depth) : k;
      int matrix = Variant.has(variant, Variant.SPLIT) ? number / splits : number;
      for (int inner = from; inner < to; inner += DEPTH) {
        while (!PtxBarriers.mbarrierTryWaitParity(empty, stage, parity)) {
          // Some warps of both blocks have not multiplied this stage yet.
        }
        PtxBarriers.mbarrierArriveExpectTx(full, stage, (rowsOfA + columns) * SPAN);
        int at = stage * bytesOfStage(tiling);
        if (Variant.has(variant, Variant.BATCHED)) {
          PtxTensorCopies.cpAsyncBulkTensorToShared(stages, at, a, inner, row, matrix, full, stage);
        } else {
          PtxTensorCopies.cpAsyncBulkTensorToShared(stages, at, a, inner, row, full, stage);
        }
        at += bytesOfA(tiling);
        if (Variant.has(variant, Variant.TRANSPOSED)) {
          at += half * (columns / blocks) * SPAN;
          copyOfB(stages, at, b, inner, column, matrix, full, stage, tiling, variant);
        } else {
          int boxes = columns / 64 / blocks;
          for (int box = 0; box < boxes; box++) {
            int place = at + (boxes * half + box) * BYTES_BOX;
            int x = column + 64 * box;
            copyOfB(stages, place, b, x, inner, matrix, full, stage, tiling, variant);
          }
        }
        stage = stage + 1 == stages(tiling) ? 0 : stage + 1;
        parity = stage == 0 ? parity ^ 1 : parity;
      }
    }
  }

  /** Copies a box of B, to all blocks of the cluster. */
  private static void copyOfB(
      SharedBytes stages,
      int at,
      TensorMap b,
      int x,
      int y,
      int matrix,
      SharedLongs full,
      int stage,
      @Const int tiling,
      @Const int variant) {
    int blocks = Tiling.blocks(tiling);
    if (Variant.has(variant, Variant.BATCHED)) {
      if (Variant.has(variant, Variant.ONCE)) {
        PtxTensorCopies.cpAsyncBulkTensorToSharedCacheHint(
            stages, at, b, x, y, matrix, full, stage, PtxCopies.createPolicyEvictFirst());
      } else if (blocks == 1) {
        PtxTensorCopies.cpAsyncBulkTensorToShared(stages, at, b, x, y, matrix, full, stage);
      } else {
        PtxTensorCopies.cpAsyncBulkTensorToSharedMulticast(
            stages, at, b, x, y, matrix, full, stage, (1 << blocks) - 1);
      }
    } else {
      if (Variant.has(variant, Variant.ONCE)) {
        PtxTensorCopies.cpAsyncBulkTensorToSharedCacheHint(
            stages, at, b, x, y, full, stage, PtxCopies.createPolicyEvictFirst());
      } else if (blocks == 1) {
        PtxTensorCopies.cpAsyncBulkTensorToShared(stages, at, b, x, y, full, stage);
      } else {
        PtxTensorCopies.cpAsyncBulkTensorToSharedMulticast(
            stages, at, b, x, y, full, stage, (1 << blocks) - 1);
      }
    }
  }

  private static void consume(
      ThreadBlock block,
      int group,
      SharedBytes stages,
      SharedBytes out,
      SharedLongs full,
      SharedLongs empty,
      TensorMap c,
      GlobalShorts bias,
      int m,
      int n,
      int k,
      int splits,
      int count,
      @Const int tiling,
      @Const int variant) {
    int rows = Tiling.rows(tiling);
    int columns = Tiling.columns(tiling);
    int blocks = Tiling.blocks(tiling);
    int together = together(splits, tiling, variant);
    int columnsOfGroup = WarpGroupOutput.columnsOfGroup(tiling);
    int groupDown = rows == 64 ? 0 : group;
    int groupAcross = rows == 64 ? group : 0;
    int across = (n + columns - 1) / columns;
    int down = (m + rows * blocks - 1) / (rows * blocks);
    int tiles = across * down;
    int depth = depth(k, splits, variant);
    float[] sum = new float[columnsOfGroup / 2];
    int stage = 0;
    int before = 0;
    int parity = 0;
    for (int item = block.blockIndexX() / together;
        item < (isMany(variant) ? tiles * count : tiles);
        item += block.gridSizeX() / together) {
      int number = isMany(variant) ? item / tiles : 0;
      int tile = isMany(variant) ? item - number * tiles : item;
      int from = from(number, splits, depth, variant);
      int to = isDivided(variant) ? Math.min(k, from + depth) : k;
      // @start region="loop"
      for (int inner = from; inner < to; inner += DEPTH) {
        while (!PtxBarriers.mbarrierTryWaitParity(full, stage, parity)) {
          // It is on its way.
        }
        int at = stage * bytesOfStage(tiling);
        long left = Wgmma.kMajor(stages, at + groupDown * 64 * SPAN, SPAN);
        at += bytesOfA(tiling) + groupAcross * columnsOfGroup * SPAN;
        long right = right(stages, at, variant);
        PtxWarpGroups.wgmmaFence();
        for (int step = 0; step < DEPTH / 16; step++) {
          boolean add = step > 0 || inner > from;
          multiply(
              sum,
              Wgmma.advance(left, 32 * step),
              Wgmma.advance(right, stepOfB(variant) * step),
              add,
              tiling,
              variant);
        }
        PtxWarpGroups.wgmmaCommitGroup();
        // The products of the stage before are done when those of this one are the only ones.
        PtxWarpGroups.wgmmaWaitGroup(1);
        if (inner > from) {
          release(block, empty, before, blocks, variant);
        }
        before = stage;
        stage = stage + 1 == stages(tiling) ? 0 : stage + 1;
        parity = stage == 0 ? parity ^ 1 : parity;
      }
      // @end region="loop"
      PtxWarpGroups.wgmmaWaitGroup(0);
      if (Variant.has(variant, Variant.GATHERED)) {
        // A cluster has one tile, and its stages hold sums from here on.
        GatheredSums.put(block, group, stages.asFloats(), sum, tiling);
      } else {
        release(block, empty, before, blocks, variant);
        store(block, group, out, sum, c, bias, m, n, number, tile, tiling, variant);
      }
    }
    PtxBulkCopies.cpAsyncBulkWaitGroup(0);
  }

  /** Stores a warp group's part of a tile, or of its sums. */
  private static void store(
      ThreadBlock block,
      int group,
      SharedBytes out,
      float[] sum,
      TensorMap c,
      GlobalShorts bias,
      int m,
      int n,
      int number,
      int tile,
      @Const int tiling,
      @Const int variant) {
    int rows = Tiling.rows(tiling);
    int columns = Tiling.columns(tiling);
    int blocks = Tiling.blocks(tiling);
    int across = (n + columns - 1) / columns;
    int down = (m + rows * blocks - 1) / (rows * blocks);
    int row =
        (Tiling.row(tile, across, down) * blocks + PtxClusters.clusterBlockRank()) * rows
            + (rows == 64 ? 0 : group) * 64;
    int column =
        Tiling.column(tile, across, down) * columns
            + (rows == 64 ? group : 0) * WarpGroupOutput.columnsOfGroup(tiling);
    if (Variant.has(variant, Variant.SPLIT)) {
      WarpGroupOutput.storeSums(block, group, out, sum, c, column, row, number, tiling);
    } else {
      WarpGroupOutput.store(
          block, group, out, sum, c, bias, column, row, number, n, tiling, variant);
    }
  }

  /** {@return the descriptor of the warp group's part of B} */
  private static long right(SharedBytes stages, int at, @Const int variant) {
    if (Variant.has(variant, Variant.TRANSPOSED)) {
      return Wgmma.kMajor(stages, at, SPAN);
    }
    return Wgmma.mnMajor(stages, at, SPAN, BYTES_BOX);
  }

  /** {@return how many bytes further the next 16 numbers of the inner dimension are} */
  private static int stepOfB(@Const int variant) {
    return Variant.has(variant, Variant.TRANSPOSED) ? 32 : 16 * SPAN;
  }

  /** Begins the product of 64 x 16 numbers of A and 16 rows of B. */
  private static void multiply(
      float[] sum, long left, long right, boolean add, @Const int tiling, @Const int variant) {
    int n = WarpGroupOutput.columnsOfGroup(tiling);
    int byRows = 1 - (variant & Variant.TRANSPOSED) / Variant.TRANSPOSED;
    if (Variant.has(variant, Variant.BFLOAT)) {
      PtxWarpGroups.wgmmaBf16(sum, 0, n, left, right, add, 0, byRows);
    } else {
      PtxWarpGroups.wgmmaF16(sum, 0, n, left, right, add, 0, byRows);
    }
  }

  /** Signals to both blocks that this warp has multiplied a stage. */
  private static void release(
      ThreadBlock block, SharedLongs empty, int stage, @Const int blocks, @Const int variant) {
    if (block.warp().lane() < blocks) {
      int to =
          Variant.has(variant, Variant.GATHERED)
              ? PtxClusters.clusterBlockRank()
              : block.warp().lane();
      PtxClusters.mbarrierArriveReleaseBlockAt(empty, stage, to);
    }
  }

  // @end region="kernel"

  /**
   * Enqueues a product.
   *
   * @param multiprocessors how many the device has
   * @param splits how many parts of the inner dimension there are
   * @param to C, or the sums of all parts if the blocks of a cluster do not add them
   * @param bias any array if there is no bias
   */
  static void enqueue(
      Stream stream,
      int multiprocessors,
      Problem problem,
      Tiling tiling,
      int splits,
      int variant,
      GlobalArray a,
      GlobalArray b,
      GlobalShorts bias,
      GlobalArray to) {
    boolean gathered = Variant.has(variant, Variant.GATHERED);
    int together = gathered ? splits : tiling.blocks();
    int numbers = problem.count() * (gathered ? 1 : splits);
    long items = Math.multiplyExact(tiling.tiles(problem), gathered ? 1L : splits);
    // Those who add their sums have one tile.
    int all = (int) (gathered ? items : Math.min(multiprocessors / together, items)) * together;
    int m = problem.m();
    int n = problem.n();
    int k = problem.k();
    int count = problem.count();
    int blocks = tiling.blocks();
    boolean transposed = problem.transposedB();
    boolean once = blocks == 1 && m <= tiling.rows();
    stream.launch(
        Grid.of(all, THREADS).withCluster(together, 1, 1),
        WarpGroupProduct::multiply,
        map(a, k, m, count, 64, boxOfA(m, tiling.rows())),
        transposed
            ? map(b, k, n, count, 64, tiling.columns() / blocks)
            : map(b, n, k, count, 64, DEPTH),
        to instanceof GlobalFloats ? sums(to, n, m, numbers) : map(to, n, m, count, 64, 64),
        bias,
        pairs(to),
        m,
        n,
        k,
        splits,
        numbers,
        tiling.packed(),
        once ? variant | Variant.ONCE : variant);
  }

  /** {@return whether the blocks of a cluster can add the sums of so many parts} */
  static boolean gathers(Tiling tiling, int splits) {
    return splits > 1 && splits <= MOST_GATHERED && tiling.blocks() == 1;
  }

  /** {@return C, two numbers at a time} */
  private static GlobalInts pairs(GlobalArray to) {
    return GlobalInts.of(to.allocation())
        .slice(to.byteOffset() / Integer.BYTES, to.byteSize() / Integer.BYTES);
  }

  private static TensorMap map(
      GlobalArray array, int width, int height, int count, int boxWidth, int boxHeight) {
    TensorMap.Builder map =
        TensorMap.of(array)
            .swizzle(TensorMap.Swizzle.BYTES_128)
            .promotion(TensorMap.L2Promotion.BYTES_256);
    return count == 1
        ? map.shape(width, height).box(boxWidth, boxHeight).build()
        : map.shape(width, height, count).box(boxWidth, boxHeight, 1).build();
  }

  private static TensorMap sums(GlobalArray array, int width, int height, int count) {
    return TensorMap.of(array)
        .shape(width, height, count)
        .box(32, 64, 1)
        .swizzle(TensorMap.Swizzle.BYTES_128)
        .build();
  }
}
