package dev.stretto.examples.hopper;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.examples.attention.Shape;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.FastMath;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.PtxWarpGroups;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.Swizzle;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Wgmma;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.TensorMap;

/**
 * Exact attention, O = softmax(Q K^T * scale) V, on the tensor cores of a Hopper GPU, in the manner
 * of FlashAttention-3. A producer warp copies boxes of K and V to shared memory while two or three
 * warp groups, each with 64 rows of Q, multiply. A warp group begins the scores of the next keys
 * before it weights the values of the current ones, so that its exponentials are computed while its
 * tensor core works; and the warp groups take turns, so that one's exponentials overlap with the
 * other's products.
 */
public final class Attention {
  /** Rows of Q that a warp group has. */
  private static final int ROWS = 64;

  /** Bytes of a row of a box, the span of a swizzle: 64 numbers. */
  private static final int SPAN = 128;

  private static final int STAGES = 2;
  private static final float LOG2_E = 1.442695f;
  private static final float LN_2 = 0.6931472f;

  /** Bits of a variant. */
  private static final int CAUSAL = 1;

  private static final int BF16 = 2;

  /** Warp groups do not take turns. */
  static final int NO_TURNS = 4;

  private Attention() {}

  /** How many warp groups multiply: as many as there are registers for. */
  private static int warpGroups(int dim) {
    return 4 - dim / 64;
  }

  /**
   * The parts of K and V in shared memory, and their barriers.
   *
   * @param keys boxes of K, one stage after the other
   * @param values boxes of V
   * @param barriers of Q, then of the stages of K and of V: full ones, then empty ones
   */
  private record Stages(
      SharedBytes queries, SharedBytes keys, SharedBytes values, SharedLongs barriers) {
    private static final int QUERIES = 0;
    private static final int KEYS = 2;
    private static final int VALUES = KEYS + 2 * STAGES;
    private static final int COUNT = VALUES + 2 * STAGES;

    void awaitFull(int first, int stage, int parity) {
      while (!PtxBarriers.mbarrierTryWaitParity(barriers, first + stage, parity)) {
        // It is on its way.
      }
    }

    void awaitEmpty(int first, int count, int stage, int parity) {
      while (!PtxBarriers.mbarrierTryWaitParity(barriers, first + count + stage, parity)) {
        // Some warp has not multiplied this stage yet.
      }
    }

    /** Signals that a warp has multiplied this stage. */
    void release(ThreadBlock block, int first, int count, int stage) {
      if (block.warp().lane() == 0) {
        PtxBarriers.mbarrierArrive(barriers, first + count + stage);
      }
    }
  }

  /**
   * The rows and the head that a block works on.
   *
   * @param head of Q, counted over the batch
   * @param row the first one
   * @param blocks how many blocks of keys there are for them
   */
  private record Tile(int head, int row, int blocks) {}

  // @start region="kernel"
  @Kernel(maxThreads = 384, minBlocks = 1)
  static void of128(
      ThreadBlock block,
      TensorMap q,
      TensorMap k,
      TensorMap v,
      TensorMap o,
      GlobalFloats lse,
      int queries,
      int keys,
      int heads,
      int share,
      float scale,
      @Const int keysOfBlock,
      @Const int variant) {
    attend(block, q, k, v, o, lse, queries, keys, heads, share, scale, 128, keysOfBlock, variant);
  }

  @Kernel(maxThreads = 512, minBlocks = 1)
  static void of64(
      ThreadBlock block,
      TensorMap q,
      TensorMap k,
      TensorMap v,
      TensorMap o,
      GlobalFloats lse,
      int queries,
      int keys,
      int heads,
      int share,
      float scale,
      @Const int keysOfBlock,
      @Const int variant) {
    attend(block, q, k, v, o, lse, queries, keys, heads, share, scale, 64, keysOfBlock, variant);
  }

  private static void attend(
      ThreadBlock block,
      TensorMap q,
      TensorMap k,
      TensorMap v,
      TensorMap o,
      GlobalFloats lse,
      int queries,
      int keys,
      int heads,
      int share,
      float scale,
      @Const int dim,
      @Const int n,
      @Const int variant) {
    int groups = warpGroups(dim);
    int rows = groups * ROWS;
    Stages stages =
        new Stages(
            block.sharedBytes(rows * dim * 2),
            block.sharedBytes(STAGES * n * dim * 2),
            block.sharedBytes(STAGES * n * dim * 2),
            block.sharedLongs(Stages.COUNT));
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(stages.barriers, 0, 1);
      PtxBarriers.mbarrierInit(stages.barriers, 1, groups);
      for (int i = 0; i < STAGES; i++) {
        PtxBarriers.mbarrierInit(stages.barriers, Stages.KEYS + i, 1);
        PtxBarriers.mbarrierInit(stages.barriers, Stages.KEYS + STAGES + i, 4 * groups);
        PtxBarriers.mbarrierInit(stages.barriers, Stages.VALUES + i, 1);
        PtxBarriers.mbarrierInit(stages.barriers, Stages.VALUES + STAGES + i, 4 * groups);
      }
      PtxBulkCopies.fenceProxyAsync();
    }
    block.sync();
    int down = (queries + rows - 1) / rows;
    int group = block.warp().shuffle(block.warp().index() / 4, 0);
    if (group == 0) {
      if (groups == 2) {
        PtxWarpGroups.setmaxnregDec(24);
      } else {
        PtxWarpGroups.setmaxnregDec(32);
      }
      if (block.warp().index() == 0 && block.warp().elect()) {
        PtxTensorCopies.prefetchTensormap(q);
        PtxTensorCopies.prefetchTensormap(k);
        PtxTensorCopies.prefetchTensormap(v);
        produce(block, stages, q, k, v, queries, keys, heads, share, down, dim, n, variant);
      }
    } else {
      if (groups == 2) {
        PtxWarpGroups.setmaxnregInc(240);
      } else {
        PtxWarpGroups.setmaxnregInc(160);
      }
      consume(block, group - 1, stages, o, lse, queries, keys, heads, scale, down, dim, n, variant);
    }
  }

  /** The stage of the block of keys or values with this number. */
  private static int stage(int number) {
    return number & STAGES - 1;
  }

  /** The phase of its stage's barrier. */
  private static int parity(int number) {
    return number >> 1 & 1;
  }

  /**
   * The tiles of a head follow each other; if tiles with more keys take longer, those come first,
   * for all heads.
   */
  private static Tile tile(
      int number,
      int heads,
      int down,
      int queries,
      int keys,
      @Const int rows,
      @Const int n,
      @Const boolean causal) {
    int all = (keys + n - 1) / n;
    if (causal) {
      int row = (down - 1 - number / heads) * rows;
      int last = Math.min(row + rows, queries) + keys - queries;
      return new Tile(number % heads, row, Math.min(all, Math.max(0, last + n - 1) / n));
    }
    return new Tile(number / down, number % down * rows, all);
  }

  /** The tile that a block works on next: every other round in the opposite order. */
  private static int number(ThreadBlock block, int round, @Const boolean causal) {
    int index = block.blockIndexX();
    boolean turn = causal && (round & 1) == 1;
    return round * block.gridSizeX() + (turn ? block.gridSizeX() - 1 - index : index);
  }

  private static void produce(
      ThreadBlock block,
      Stages stages,
      TensorMap q,
      TensorMap k,
      TensorMap v,
      int queries,
      int keys,
      int heads,
      int share,
      int down,
      @Const int dim,
      @Const int n,
      @Const int variant) {
    boolean causal = (variant & CAUSAL) != 0;
    int rows = warpGroups(dim) * ROWS;
    int bytes = n * dim * 2;
    int keyBlock = 0;
    int valueBlock = 0;
    int parity = 1;
    for (int round = 0; number(block, round, causal) < heads * down; round++) {
      Tile tile = tile(number(block, round, causal), heads, down, queries, keys, rows, n, causal);
      if (tile.blocks > 0) {
        int head = tile.head / share;
        stages.awaitEmpty(Stages.QUERIES, 1, 0, parity);
        parity ^= 1;
        PtxBarriers.mbarrierArriveExpectTx(stages.barriers, 0, rows * dim * 2);
        for (int x = 0; x < dim; x += 64) {
          PtxTensorCopies.cpAsyncBulkTensorToShared(
              stages.queries, x / 64 * rows * SPAN, q, x, tile.row, tile.head, stages.barriers, 0);
        }
        // The values of a block of keys come after the keys of the next block.
        for (int i = tile.blocks; i >= 0; i--) {
          if (i > 0) {
            int stage = stage(keyBlock);
            stages.awaitEmpty(Stages.KEYS, STAGES, stage, parity(keyBlock) ^ 1);
            PtxBarriers.mbarrierArriveExpectTx(stages.barriers, Stages.KEYS + stage, bytes);
            for (int x = 0; x < dim; x += 64) {
              PtxTensorCopies.cpAsyncBulkTensorToShared(
                  stages.keys,
                  stage * bytes + x / 64 * n * SPAN,
                  k,
                  x,
                  (i - 1) * n,
                  head,
                  stages.barriers,
                  Stages.KEYS + stage);
            }
            keyBlock++;
          }
          if (i < tile.blocks) {
            int stage = stage(valueBlock);
            stages.awaitEmpty(Stages.VALUES, STAGES, stage, parity(valueBlock) ^ 1);
            PtxBarriers.mbarrierArriveExpectTx(stages.barriers, Stages.VALUES + stage, bytes);
            for (int x = 0; x < dim; x += 64) {
              PtxTensorCopies.cpAsyncBulkTensorToShared(
                  stages.values,
                  stage * bytes + x / 64 * n * SPAN,
                  v,
                  x,
                  i * n,
                  head,
                  stages.barriers,
                  Stages.VALUES + stage);
            }
            valueBlock++;
          }
        }
      }
    }
  }

  private static void consume(
      ThreadBlock block,
      int group,
      Stages stages,
      TensorMap o,
      GlobalFloats lse,
      int queries,
      int keys,
      int heads,
      float scale,
      int down,
      @Const int dim,
      @Const int n,
      @Const int variant) {
    boolean causal = (variant & CAUSAL) != 0;
    boolean bf16 = (variant & BF16) != 0;
    boolean turns = (variant & NO_TURNS) == 0;
    int groups = warpGroups(dim);
    int rows = groups * ROWS;
    int inGroup = block.threadRank() % 128;
    int line = inGroup / 32 * 16 + inGroup % 32 / 4;
    int keyBlock = 0;
    int valueBlock = 0;
    int parity = 0;
    if (turns && group == groups - 1) {
      Ptx.barArrive(1, 256);
    }
    for (int round = 0; number(block, round, causal) < heads * down; round++) {
      Tile tile = tile(number(block, round, causal), heads, down, queries, keys, rows, n, causal);
      int row = tile.row + group * ROWS;
      // The last key that a row sees, counted from the columns of this thread.
      int last = keys - 1 - inGroup % 4 * 2;
      int lastUpper = causal ? Math.min(last, row + line + keys - queries - inGroup % 4 * 2) : last;
      int lastLower =
          causal ? Math.min(last, row + line + 8 + keys - queries - inGroup % 4 * 2) : last;
      // The first block in which some row of the warp group does not see all keys.
      int whole = keys / n;
      if (causal) {
        whole = Math.min(whole, Math.max(0, row + 1 + keys - queries) / n);
      }
      float[] out = new float[dim / 2];
      float[] most = new float[] {Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY};
      float[] sum = new float[2];
      int blocks = tile.blocks;
      if (!turns && causal) {
        // Only the lower rows see some keys of the last blocks.
        int count = Math.max(0, Math.min(keys, row + ROWS + keys - queries));
        blocks = Math.min(blocks, (count + n - 1) / n);
        for (int i = blocks; i < tile.blocks; i++) {
          stages.awaitFull(Stages.KEYS, stage(keyBlock), parity(keyBlock));
          stages.release(block, Stages.KEYS, STAGES, stage(keyBlock));
          keyBlock++;
          stages.awaitFull(Stages.VALUES, stage(valueBlock), parity(valueBlock));
          stages.release(block, Stages.VALUES, STAGES, stage(valueBlock));
          valueBlock++;
        }
      }
      if (tile.blocks > 0) {
        stages.awaitFull(Stages.QUERIES, 0, parity);
        parity ^= 1;
      }
      if (blocks > 0) {
        float[] scores = new float[n / 2];
        int[] weights = new int[n / 4];
        float[] shrink = new float[2];
        stages.awaitFull(Stages.KEYS, stage(keyBlock), parity(keyBlock));
        score(stages, group, stage(keyBlock), scores, dim, n, rows, bf16);
        PtxWarpGroups.wgmmaWaitGroup(0);
        stages.release(block, Stages.KEYS, STAGES, stage(keyBlock));
        keyBlock++;
        if (blocks - 1 >= whole) {
          Scores.mask(scores, (blocks - 1) * n, lastUpper, lastLower, n);
        }
        Scores.soften(block, scores, most, sum, shrink, scale, n);
        Scores.pack(scores, weights, n, bf16);
        if (blocks > 1) {
          stages.awaitFull(Stages.KEYS, stage(keyBlock), parity(keyBlock));
        }
        for (int i = blocks - 2; i >= 0; i--) {
          if (turns) {
            Ptx.barSync(group + 1, 256);
          }
          score(stages, group, stage(keyBlock), scores, dim, n, rows, bf16);
          stages.awaitFull(Stages.VALUES, stage(valueBlock), parity(valueBlock));
          weight(stages, stage(valueBlock), out, weights, dim, n, bf16);
          if (turns) {
            Ptx.barArrive((group + 1 == groups ? 0 : group + 1) + 1, 256);
          }
          PtxWarpGroups.wgmmaWaitGroup(1);
          stages.release(block, Stages.KEYS, STAGES, stage(keyBlock));
          keyBlock++;
          if (i >= whole) {
            Scores.mask(scores, i * n, lastUpper, lastLower, n);
          }
          Scores.soften(block, scores, most, sum, shrink, scale, n);
          // Here, not after the wait: the assembler keeps exponentials before a loop.
          if (i > 0) {
            stages.awaitFull(Stages.KEYS, stage(keyBlock), parity(keyBlock));
          }
          PtxWarpGroups.wgmmaWaitGroup(0);
          stages.release(block, Stages.VALUES, STAGES, stage(valueBlock));
          valueBlock++;
          Scores.pack(scores, weights, n, bf16);
          for (int j = 0; j < dim / 2; j++) {
            out[j] *= shrink[j / 2 & 1];
          }
        }
        stages.awaitFull(Stages.VALUES, stage(valueBlock), parity(valueBlock));
        weight(stages, stage(valueBlock), out, weights, dim, n, bf16);
        PtxWarpGroups.wgmmaWaitGroup(0);
        stages.release(block, Stages.VALUES, STAGES, stage(valueBlock));
        valueBlock++;
      }
      finish(block, group, stages, o, lse, queries, tile, out, most, sum, scale, dim, bf16);
    }
    PtxBulkCopies.cpAsyncBulkWaitGroup(0);
  }

  /** Begins S = Q K^T. */
  private static void score(
      Stages stages,
      int group,
      int stage,
      float[] scores,
      @Const int dim,
      @Const int n,
      @Const int rows,
      @Const boolean bf16) {
    PtxWarpGroups.wgmmaFence();
    long q = Wgmma.kMajor(stages.queries, group * ROWS * SPAN, SPAN);
    long k = Wgmma.kMajor(stages.keys, stage * n * dim * 2, SPAN);
    for (int step = 0; step < dim / 16; step++) {
      boolean add = step > 0;
      long left = Wgmma.advance(q, step / 4 * rows * SPAN + step % 4 * 32);
      long right = Wgmma.advance(k, step / 4 * n * SPAN + step % 4 * 32);
      if (bf16) {
        PtxWarpGroups.wgmmaBf16(scores, 0, n, left, right, add, 0, 0);
      } else {
        PtxWarpGroups.wgmmaF16(scores, 0, n, left, right, add, 0, 0);
      }
    }
    PtxWarpGroups.wgmmaCommitGroup();
  }

  /** Begins O = O + P V. */
  private static void weight(
      Stages stages,
      int stage,
      float[] out,
      int[] weights,
      @Const int dim,
      @Const int n,
      @Const boolean bf16) {
    PtxWarpGroups.wgmmaFence();
    long v = Wgmma.mnMajor(stages.values, stage * n * dim * 2, SPAN, n * SPAN);
    for (int step = 0; step < n / 16; step++) {
      long right = Wgmma.advance(v, step * 16 * SPAN);
      if (bf16) {
        PtxWarpGroups.wgmmaBf16(out, 0, dim, weights, 4 * step, right, true, 1);
      } else {
        PtxWarpGroups.wgmmaF16(out, 0, dim, weights, 4 * step, right, true, 1);
      }
    }
    PtxWarpGroups.wgmmaCommitGroup();
  }

  /**
   * Divides by the sums of the weights, and stores a warp group's rows from the memory that held
   * its rows of Q.
   */
  private static void finish(
      ThreadBlock block,
      int group,
      Stages stages,
      TensorMap o,
      GlobalFloats lse,
      int queries,
      Tile tile,
      float[] out,
      float[] most,
      float[] sum,
      float scale,
      @Const int dim,
      @Const boolean bf16) {
    int inGroup = block.threadRank() % 128;
    int lane = inGroup % 32;
    int rows = warpGroups(dim) * ROWS;
    float[] factor = new float[2];
    for (int half = 0; half < 2; half++) {
      float all = sum[half];
      all += block.warp().shuffleXor(all, 1);
      all += block.warp().shuffleXor(all, 2);
      factor[half] = all == 0 ? 0 : 1 / all;
      int row = tile.row + group * ROWS + inGroup / 32 * 16 + lane / 4 + 8 * half;
      if (lane % 4 == 0 && row < queries) {
        lse.set(
            (long) tile.head * queries + row,
            all == 0
                ? Float.NEGATIVE_INFINITY
                : Math.fma(most[half], scale, FastMath.log2(all)) * LN_2);
      }
    }
    int[] pairs = new int[4];
    int line = group * ROWS + inGroup / 32 * 16 + lane % 16;
    // All of the warp group's products with its rows of Q are done.
    Ptx.barSync(group + 8, 128);
    for (int i = 0; i < dim / 16; i++) {
      for (int p = 0; p < 4; p++) {
        float by = factor[p & 1];
        pairs[p] = Scores.pair(out[i * 8 + 2 * p] * by, out[i * 8 + 2 * p + 1] * by, bf16);
      }
      int place = Swizzle.bytes128(line * SPAN + (i % 4 * 2 + lane / 16) * 16);
      Ptx.stmatrixX4(stages.queries, i / 4 * rows * SPAN + place, pairs, 0);
    }
    PtxBulkCopies.fenceProxyAsyncShared();
    Ptx.barSync(group + 8, 128);
    if (inGroup == 0) {
      for (int x = 0; x < dim; x += 64) {
        PtxTensorCopies.cpAsyncBulkTensorToGlobal(
            o,
            x,
            tile.row + group * ROWS,
            tile.head,
            stages.queries,
            x / 64 * rows * SPAN + group * ROWS * SPAN);
      }
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      PtxBarriers.mbarrierArrive(stages.barriers, 1);
    }
  }

  // @end

  /**
   * Enqueues attention. Arrays hold the numbers of a row one after the other, then rows, heads and
   * sequences.
   *
   * @param stream of a device of compute capability 9.0
   * @param multiprocessors how many the device has
   * @param shape the size
   * @param q Q, bfloat16 or half-precision numbers, like the other three
   * @param k K
   * @param v V
   * @param o receives O
   * @param lse receives, for each row of Q, the natural logarithm of the sum of its exponentials
   */
  public static void enqueue(
      Stream stream,
      int multiprocessors,
      Shape shape,
      GlobalArray q,
      GlobalArray k,
      GlobalArray v,
      GlobalArray o,
      GlobalFloats lse) {
    // The fastest on an H200. If there are later keys to hide, warp groups that do not take turns
    // can skip keys that only the others see.
    int n = shape.headDim() == 128 && !shape.causal() ? 176 : 128;
    int options = shape.headDim() == 64 && !shape.causal() ? 0 : NO_TURNS;
    enqueue(stream, multiprocessors, shape, n, options, q, k, v, o, lse);
  }

  /** Like the other method, with this many keys in a block, and {@link #NO_TURNS} or 0. */
  static void enqueue(
      Stream stream,
      int multiprocessors,
      Shape shape,
      int n,
      int options,
      GlobalArray q,
      GlobalArray k,
      GlobalArray v,
      GlobalArray o,
      GlobalFloats lse) {
    int dim = shape.headDim();
    int groups = warpGroups(dim);
    int rows = groups * ROWS;
    int heads = shape.batches() * shape.heads();
    int keyHeads = shape.batches() * shape.keyHeads();
    int tiles = heads * ((shape.queries() + rows - 1) / rows);
    Grid grid = Grid.of(Math.min(multiprocessors, tiles), 128 * (groups + 1));
    boolean bf16 = q instanceof GlobalBfloats;
    int variant = (shape.causal() ? CAUSAL : 0) + (bf16 ? BF16 : 0) + options;
    float scale = LOG2_E / (float) Math.sqrt(dim);
    TensorMap mapQ = map(q, dim, shape.queries(), heads, rows);
    TensorMap mapK = map(k, dim, shape.keys(), keyHeads, n);
    TensorMap mapV = map(v, dim, shape.keys(), keyHeads, n);
    TensorMap mapO = map(o, dim, shape.queries(), heads, ROWS);
    int share = shape.group();
    if (dim == 64) {
      stream.launch(
          grid,
          Attention::of64,
          mapQ,
          mapK,
          mapV,
          mapO,
          lse,
          shape.queries(),
          shape.keys(),
          heads,
          share,
          scale,
          n,
          variant);
    } else {
      stream.launch(
          grid,
          Attention::of128,
          mapQ,
          mapK,
          mapV,
          mapO,
          lse,
          shape.queries(),
          shape.keys(),
          heads,
          share,
          scale,
          n,
          variant);
    }
  }

  private static TensorMap map(GlobalArray array, int dim, int length, int heads, int rows) {
    return TensorMap.of(array)
        .shape(dim, length, heads)
        .box(64, rows, 1)
        .swizzle(TensorMap.Swizzle.BYTES_128)
        .promotion(TensorMap.L2Promotion.BYTES_128)
        .build();
  }
}
