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
import dev.stretto.kernel.SharedInts;
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
   * The parts of Q, K and V in shared memory, and their barriers.
   *
   * @param queries boxes of Q, of one tile and of the next
   * @param keys boxes of K, one stage after the other
   * @param values boxes of V
   * @param out the rows of O that are on their way to global memory
   * @param tiles of each stage of Q: its head, its first row and how many blocks of keys it sees
   * @param barriers of the stages of Q, of K and of V: full ones, then empty ones
   */
  private record Stages(
      SharedBytes queries,
      SharedBytes keys,
      SharedBytes values,
      SharedBytes out,
      SharedInts tiles,
      SharedLongs barriers) {
    private static final int QUERIES = 0;
    private static final int KEYS = QUERIES + 2 * STAGES;
    private static final int VALUES = KEYS + 2 * STAGES;
    private static final int COUNT = VALUES + 2 * STAGES;

    /** Waits for the box with this number. */
    void awaitFull(int first, int number) {
      while (!PtxBarriers.mbarrierTryWaitParity(barriers, first + stage(number), parity(number))) {
        // It is on its way.
      }
    }

    /** Waits for the place of the box with this number. */
    void awaitEmpty(int first, int number) {
      while (!PtxBarriers.mbarrierTryWaitParity(
          barriers, first + STAGES + stage(number), parity(number) ^ 1)) {
        // Some warp has not multiplied the one before yet.
      }
    }

    /** Signals that a warp has multiplied the box with this number. */
    void release(ThreadBlock block, int first, int number) {
      if (block.warp().lane() == 0) {
        PtxBarriers.mbarrierArrive(barriers, first + STAGES + stage(number));
      }
    }

    /** Waits for a box, and passes over it. */
    void pass(ThreadBlock block, int first, int number) {
      awaitFull(first, number);
      // Its place must not be filled again while a lane still waits.
      block.warp().sync();
      release(block, first, number);
    }
  }

  /**
   * The rows and the head that a block works on.
   *
   * @param head of Q, counted over the batch; -1 after the last tile
   * @param row the first one
   * @param blocks how many blocks of keys there are for them
   */
  private record Tile(int head, int row, int blocks) {}

  /**
   * A warp group's rows of a tile.
   *
   * @param head of Q, counted over the batch; -1 after the last tile
   * @param row the first one
   * @param blocks how many blocks of keys there are for them
   * @param passed how many later blocks only other warp groups see, 0 or 1
   */
  private record Part(int head, int row, int blocks, int passed) {}

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
      int section,
      @Const int keysOfBlock,
      @Const int variant) {
    attend(block, q, k, v, o, lse, queries, keys, heads, share, section, 128, keysOfBlock, variant);
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
      int section,
      @Const int keysOfBlock,
      @Const int variant) {
    attend(block, q, k, v, o, lse, queries, keys, heads, share, section, 64, keysOfBlock, variant);
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
      int section,
      @Const int dim,
      @Const int n,
      @Const int variant) {
    int groups = warpGroups(dim);
    int rows = groups * ROWS;
    Stages stages =
        new Stages(
            block.sharedBytes(STAGES * rows * dim * 2),
            block.sharedBytes(STAGES * n * dim * 2),
            block.sharedBytes(STAGES * n * dim * 2),
            block.sharedBytes(rows * dim * 2),
            block.sharedInts(4 * STAGES),
            block.sharedLongs(Stages.COUNT));
    if (block.threadRank() == 0) {
      for (int first = 0; first < Stages.COUNT; first += 2 * STAGES) {
        for (int i = 0; i < STAGES; i++) {
          PtxBarriers.mbarrierInit(stages.barriers, first + i, 1);
          PtxBarriers.mbarrierInit(stages.barriers, first + STAGES + i, 4 * groups);
        }
      }
      PtxBulkCopies.fenceProxyAsync();
    }
    block.sync();
    float scale = LOG2_E / (float) Math.sqrt(dim);
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
        produce(block, stages, q, k, v, queries, keys, heads, share, section, dim, n, variant);
      }
    } else {
      if (groups == 2) {
        PtxWarpGroups.setmaxnregInc(240);
      } else {
        PtxWarpGroups.setmaxnregInc(160);
      }
      consume(block, group - 1, stages, o, lse, queries, keys, scale, dim, n, variant);
    }
  }

  /** The stage of the boxes with this number. */
  private static int stage(int number) {
    return number & STAGES - 1;
  }

  /** The phase of its stage's barrier. */
  private static int parity(int number) {
    return number >> 1 & 1;
  }

  /**
   * The tiles of a head follow each other. If tiles with more keys take longer, those come first,
   * for all heads of a section: the blocks work on so few heads at a time that their keys and
   * values stay in the cache.
   */
  private static Tile tile(
      int number,
      int heads,
      int section,
      int queries,
      int keys,
      @Const int rows,
      @Const int n,
      @Const boolean causal) {
    int down = (queries + rows - 1) / rows;
    int all = (keys + n - 1) / n;
    if (causal) {
      int first = number / (section * down) * section;
      int inSection = number - first * down;
      int wide = Math.min(section, heads - first);
      // Counted from the last one, so that if some tile is not full it is the one with fewest keys.
      int row = (queries + ROWS - 1) / ROWS * ROWS - (inSection / wide + 1) * rows;
      int last = Math.min(row + rows, queries) + keys - queries;
      return new Tile(
          first + inSection % wide, row, Math.min(all, Math.max(1, (last + n - 1) / n)));
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
      int section,
      @Const int dim,
      @Const int n,
      @Const int variant) {
    boolean causal = (variant & CAUSAL) != 0;
    int rows = warpGroups(dim) * ROWS;
    int tiles = heads * ((queries + rows - 1) / rows);
    int keyBlock = 0;
    int valueBlock = 0;
    int valueHead = 0;
    int valueRow = 0;
    int round = 0;
    for (; number(block, round, causal) < tiles; round++) {
      Tile tile =
          tile(number(block, round, causal), heads, section, queries, keys, rows, n, causal);
      int head = tile.head / share;
      stages.awaitEmpty(Stages.QUERIES, round);
      tell(stages, round, tile);
      int full = Stages.QUERIES + stage(round);
      PtxBarriers.mbarrierArriveExpectTx(stages.barriers, full, rows * dim * 2);
      for (int x = 0; x < dim; x += 64) {
        PtxTensorCopies.cpAsyncBulkTensorToShared(
            stages.queries,
            stage(round) * rows * dim * 2 + x / 64 * rows * SPAN,
            q,
            x,
            tile.row,
            tile.head,
            stages.barriers,
            full);
      }
      for (int i = tile.blocks - 1; i >= 0; i--) {
        stages.awaitEmpty(Stages.KEYS, keyBlock);
        load(stages.keys, k, stages, Stages.KEYS, keyBlock, i * n, head, dim, n);
        keyBlock++;
        // The values of a block of keys come after the keys of the next block, of the next tile
        // too.
        if (keyBlock > 1) {
          stages.awaitEmpty(Stages.VALUES, valueBlock);
          load(stages.values, v, stages, Stages.VALUES, valueBlock, valueRow, valueHead, dim, n);
          valueBlock++;
        }
        valueHead = head;
        valueRow = i * n;
      }
    }
    if (keyBlock > 0) {
      stages.awaitEmpty(Stages.VALUES, valueBlock);
      load(stages.values, v, stages, Stages.VALUES, valueBlock, valueRow, valueHead, dim, n);
    }
    stages.awaitEmpty(Stages.QUERIES, round);
    tell(stages, round, new Tile(-1, 0, 0));
    PtxBarriers.mbarrierArrive(stages.barriers, Stages.QUERIES + stage(round));
  }

  /** Tells the warp groups which tile it is. */
  private static void tell(Stages stages, int number, Tile tile) {
    stages.tiles.set(4 * stage(number), tile.head);
    stages.tiles.set(4 * stage(number) + 1, tile.row);
    stages.tiles.set(4 * stage(number) + 2, tile.blocks);
  }

  /** Begins to copy a block of keys or values. */
  private static void load(
      SharedBytes to,
      TensorMap from,
      Stages stages,
      int first,
      int number,
      int row,
      int head,
      @Const int dim,
      @Const int n) {
    int full = first + stage(number);
    PtxBarriers.mbarrierArriveExpectTx(stages.barriers, full, n * dim * 2);
    for (int x = 0; x < dim; x += 64) {
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to,
          stage(number) * n * dim * 2 + x / 64 * n * SPAN,
          from,
          x,
          row,
          head,
          stages.barriers,
          full);
    }
  }

  /** Waits for a warp group's rows of the tile with this number. */
  private static Part await(
      ThreadBlock block,
      Stages stages,
      int number,
      int group,
      int queries,
      int keys,
      @Const int n,
      @Const boolean passes,
      @Const boolean causal) {
    stages.awaitFull(Stages.QUERIES, number);
    // The assembler keeps what comes from one lane, and all that follows from it, in uniform
    // registers: descriptors would have to be moved there otherwise, before each product.
    int head = block.warp().shuffle(stages.tiles.get(4 * stage(number)), 0);
    int row = block.warp().shuffle(stages.tiles.get(4 * stage(number) + 1), 0) + group * ROWS;
    int all = block.warp().shuffle(stages.tiles.get(4 * stage(number) + 2), 0);
    // The reads are done, so that later arrivals need not wait for reads.
    PtxBulkCopies.fenceProxyAsyncShared();
    // The first lane releases the stage for all; shuffles order no memory.
    block.warp().sync();
    int blocks = all;
    if (passes) {
      // Only the lower rows see some keys of the last block, and there may be no rows. More than
      // one block cannot be passed before the values of the tile before are weighted.
      int count = causal ? Math.max(0, Math.min(keys, row + ROWS + keys - queries)) : keys;
      int some = row >= 0 && row < queries ? (count + n - 1) / n : 0;
      blocks = Math.min(all, Math.max(some, Math.max(1, all - 1)));
    }
    return new Part(head, row, blocks, all - blocks);
  }

  private static void consume(
      ThreadBlock block,
      int group,
      Stages stages,
      TensorMap o,
      GlobalFloats lse,
      int queries,
      int keys,
      float scale,
      @Const int dim,
      @Const int n,
      @Const int variant) {
    boolean causal = (variant & CAUSAL) != 0;
    boolean bf16 = (variant & BF16) != 0;
    boolean turns = (variant & NO_TURNS) == 0;
    int groups = warpGroups(dim);
    int rows = groups * ROWS;
    int keyBlock = 0;
    int number = 0;
    float[] out = new float[dim / 2];
    float[] greatest = new float[2];
    float[] sum = new float[2];
    float[] scores = new float[n / 2];
    int[] weights = new int[n / 4];
    float[] shrink = new float[2];
    if (turns && group == groups - 1) {
      Ptx.barArrive(1, 256);
    }
    // The assembler finds stages uniform only in loops of this form, and with one count of blocks:
    // descriptors would have to go from ordinary registers to uniform ones before each product.
    Part part = new Part(0, 0, 0, 0);
    Part next = await(block, stages, number, group, queries, keys, n, !turns, causal);
    while (next.head >= 0) {
      int valueBlock = keyBlock - 1;
      if (next.passed > 0) {
        stages.pass(block, Stages.KEYS, keyBlock);
      }
      keyBlock += next.passed;
      int i = next.blocks - 1;
      stages.awaitFull(Stages.KEYS, keyBlock);
      if (number > 0) {
        // The scores of this tile begin before the last values of the one before are weighted.
        float[] lastGreatest = greatest.clone();
        float[] lastSum = sum.clone();
        clear(greatest, Float.NEGATIVE_INFINITY);
        clear(sum, 0);
        step(
            block,
            group,
            stages,
            number,
            keyBlock,
            valueBlock,
            next,
            i,
            queries,
            keys,
            scores,
            weights,
            out,
            greatest,
            sum,
            shrink,
            scale,
            dim,
            n,
            variant);
        finish(
            block,
            group,
            stages,
            o,
            lse,
            queries,
            part,
            out,
            lastGreatest,
            lastSum,
            scale,
            dim,
            bf16);
      } else {
        score(stages, group, number, keyBlock, scores, dim, n, rows, bf16);
        PtxWarpGroups.wgmmaWaitGroup(0);
        stages.release(block, Stages.KEYS, keyBlock);
        if (i == 0) {
          stages.release(block, Stages.QUERIES, number);
        }
        mask(block, scores, next, i, queries, keys, n, causal);
        clear(greatest, Float.NEGATIVE_INFINITY);
        clear(sum, 0);
        Scores.soften(block, scores, greatest, sum, shrink, scale, n);
        Scores.pack(scores, weights, n, bf16);
        if (i > 0) {
          stages.awaitFull(Stages.KEYS, keyBlock + 1);
        }
      }
      if (next.passed > 0) {
        stages.pass(block, Stages.VALUES, valueBlock + 1);
      }
      keyBlock++;
      clear(out, 0);
      part = next;
      for (i--; i >= 0; i--) {
        step(
            block,
            group,
            stages,
            number,
            keyBlock,
            keyBlock - 1,
            part,
            i,
            queries,
            keys,
            scores,
            weights,
            out,
            greatest,
            sum,
            shrink,
            scale,
            dim,
            n,
            variant);
        keyBlock++;
        for (int j = 0; j < dim / 2; j++) {
          out[j] *= shrink[j / 2 & 1];
        }
      }
      number++;
      next = await(block, stages, number, group, queries, keys, n, !turns, causal);
    }
    stages.awaitFull(Stages.VALUES, keyBlock - 1);
    weight(stages, keyBlock - 1, out, weights, dim, n, bf16);
    PtxWarpGroups.wgmmaWaitGroup(0);
    stages.release(block, Stages.VALUES, keyBlock - 1);
    finish(block, group, stages, o, lse, queries, part, out, greatest, sum, scale, dim, bf16);
    PtxBulkCopies.cpAsyncBulkWaitGroup(0);
  }

  private static void clear(float[] numbers, float value) {
    for (int j = 0; j < numbers.length; j++) {
      numbers[j] = value;
    }
  }

  /**
   * Weights the values of a block, meanwhile computes the scores of block i of a tile, which comes
   * next, and turns them into weights.
   */
  private static void step(
      ThreadBlock block,
      int group,
      Stages stages,
      int number,
      int keyBlock,
      int valueBlock,
      Part part,
      int i,
      int queries,
      int keys,
      float[] scores,
      int[] weights,
      float[] out,
      float[] greatest,
      float[] sum,
      float[] shrink,
      float scale,
      @Const int dim,
      @Const int n,
      @Const int variant) {
    boolean causal = (variant & CAUSAL) != 0;
    boolean bf16 = (variant & BF16) != 0;
    boolean turns = (variant & NO_TURNS) == 0;
    int groups = warpGroups(dim);
    if (turns) {
      Ptx.barSync(group + 1, 256);
    }
    score(stages, group, number, keyBlock, scores, dim, n, groups * ROWS, bf16);
    stages.awaitFull(Stages.VALUES, valueBlock);
    weight(stages, valueBlock, out, weights, dim, n, bf16);
    if (turns) {
      Ptx.barArrive((group + 1 == groups ? 0 : group + 1) + 1, 256);
    }
    PtxWarpGroups.wgmmaWaitGroup(1);
    stages.release(block, Stages.KEYS, keyBlock);
    if (i == 0) {
      stages.release(block, Stages.QUERIES, number);
    }
    mask(block, scores, part, i, queries, keys, n, causal);
    Scores.soften(block, scores, greatest, sum, shrink, scale, n);
    // Here, not after the wait: the assembler keeps exponentials before a loop.
    if (i > 0) {
      stages.awaitFull(Stages.KEYS, keyBlock + 1);
    }
    PtxWarpGroups.wgmmaWaitGroup(0);
    stages.release(block, Stages.VALUES, valueBlock);
    Scores.pack(scores, weights, n, bf16);
  }

  /** Hides the keys of block i that some row of a warp group does not see. */
  private static void mask(
      ThreadBlock block,
      float[] scores,
      Part part,
      int i,
      int queries,
      int keys,
      @Const int n,
      @Const boolean causal) {
    int inGroup = block.threadRank() % 128;
    int line = inGroup / 32 * 16 + inGroup % 32 / 4;
    int column = inGroup % 4 * 2;
    int more = keys - queries;
    int all = causal ? Math.min(keys, part.row + 1 + more) : keys;
    if ((i + 1) * n > all) {
      int last = keys - 1;
      int upper = causal ? Math.min(last, part.row + line + more) : last;
      int lower = causal ? Math.min(last, part.row + line + 8 + more) : last;
      Scores.mask(scores, i * n, upper - column, lower - column, n);
    }
  }

  /** Begins S = Q K^T. */
  private static void score(
      Stages stages,
      int group,
      int number,
      int keyBlock,
      float[] scores,
      @Const int dim,
      @Const int n,
      @Const int rows,
      @Const boolean bf16) {
    PtxWarpGroups.wgmmaFence();
    int of = stage(number) * rows * dim * 2;
    long q = Wgmma.kMajor(stages.queries, of + group * ROWS * SPAN, SPAN);
    long k = Wgmma.kMajor(stages.keys, stage(keyBlock) * n * dim * 2, SPAN);
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
      int valueBlock,
      float[] out,
      int[] weights,
      @Const int dim,
      @Const int n,
      @Const boolean bf16) {
    PtxWarpGroups.wgmmaFence();
    long v = Wgmma.mnMajor(stages.values, stage(valueBlock) * n * dim * 2, SPAN, n * SPAN);
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

  /** Divides by the sums of the weights, and stores a warp group's rows. */
  private static void finish(
      ThreadBlock block,
      int group,
      Stages stages,
      TensorMap o,
      GlobalFloats lse,
      int queries,
      Part part,
      float[] out,
      float[] greatest,
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
      int row = part.row + inGroup / 32 * 16 + lane / 4 + 8 * half;
      if (lane % 4 == 0 && row >= 0 && row < queries) {
        lse.set(
            (long) part.head * queries + row,
            all == 0
                ? Float.NEGATIVE_INFINITY
                : Math.fma(greatest[half], scale, FastMath.log2(all)) * LN_2);
      }
    }
    int[] pairs = new int[4];
    int line = group * ROWS + inGroup / 32 * 16 + lane % 16;
    if (inGroup == 0) {
      // The rows of the tile before have left.
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
    Ptx.barSync(group + 8, 128);
    for (int i = 0; i < dim / 16; i++) {
      for (int p = 0; p < 4; p++) {
        float by = factor[p & 1];
        pairs[p] = Scores.pair(out[i * 8 + 2 * p] * by, out[i * 8 + 2 * p + 1] * by, bf16);
      }
      int place = Swizzle.bytes128(line * SPAN + (i % 4 * 2 + lane / 16) * 16);
      Ptx.stmatrixX4(stages.out, i / 4 * rows * SPAN + place, pairs, 0);
    }
    PtxBulkCopies.fenceProxyAsyncShared();
    Ptx.barSync(group + 8, 128);
    if (inGroup == 0 && part.row >= 0) {
      for (int x = 0; x < dim; x += 64) {
        PtxTensorCopies.cpAsyncBulkTensorToGlobal(
            o, x, part.row, part.head, stages.out, x / 64 * rows * SPAN + group * ROWS * SPAN);
      }
      PtxBulkCopies.cpAsyncBulkCommitGroup();
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
    // The fastest on an H100.
    boolean turns = !shape.causal() || shape.keys() >= (shape.headDim() == 64 ? 8192 : 4096);
    int section = section(multiprocessors, shape);
    enqueue(stream, multiprocessors, shape, 128, turns ? 0 : NO_TURNS, section, q, k, v, o, lse);
  }

  /**
   * How many heads a section of tiles has in causal attention. With fewer of them, more blocks read
   * the same keys and values at a time; with more, the tiles are spread more evenly.
   */
  private static int section(int multiprocessors, Shape shape) {
    int times = shape.keys() <= 512 ? 3 : 4;
    if (shape.headDim() == 64) {
      times = shape.keys() <= 4096 ? 3 : 2;
    }
    return Math.max(1, multiprocessors / times);
  }

  /**
   * Like the other method, with this many keys in a block, {@link #NO_TURNS} or 0, and this many
   * heads in a section.
   */
  static void enqueue(
      Stream stream,
      int multiprocessors,
      Shape shape,
      int n,
      int options,
      int section,
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
          section,
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
          section,
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
