package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.FastMath;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.PtxWarpGroups;
import dev.stretto.kernel.Swizzle;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.TensorMap;

/** A warp group that multiplies: it has 64 rows of each tile of its block. */
final class Consumer {
  private static final float LN_2 = 0.6931472f;

  private Consumer() {}

  // @start region="consumer"
  static void consume(
      ThreadBlock block,
      int group,
      Stages stages,
      TensorMap o,
      GlobalFloats lse,
      Sequences sequences,
      Extents extents,
      @Const int dim,
      @Const int n,
      @Const int variant) {
    boolean turns = Variant.turns(variant);
    boolean apart = WarpGroups.queryStages(dim) == 1;
    boolean bf16 = Variant.bf16(variant);
    int rows = WarpGroups.rows(dim);
    float scale = Variant.scale(extents, dim, variant);
    int keyBlock = 0;
    int number = 0;
    float[] out = new float[dim / 2];
    float[] greatest = new float[2];
    float[] sum = new float[2];
    float[] scores = new float[n / 2];
    int[] weights = new int[n / 4];
    float[] shrink = new float[2];
    if (turns && group == WarpGroups.groups(dim) - 1) {
      Ptx.barArrive(1, 256);
    }
    // The assembler finds stages uniform only in loops of this form, and with one count of blocks:
    // descriptors would have to go from ordinary registers to uniform ones before each product.
    Part part = Part.none();
    Part next = Part.await(block, stages, number, group, extents, n, variant);
    while (next.head() >= 0) {
      int valueBlock = keyBlock - 1;
      if (next.passed() > 0) {
        stages.pass(block, Stages.KEYS, keyBlock);
      }
      keyBlock += next.passed();
      int i = next.blocks() - 1;
      stages.awaitFull(Stages.KEYS, keyBlock);
      if (number > 0 && !apart) {
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
            extents,
            scores,
            weights,
            out,
            greatest,
            sum,
            shrink,
            false,
            dim,
            n,
            variant);
        SomeRows.store(block, sequences, part, out, lastSum, dim, variant);
        finish(
            block,
            group,
            stages,
            o,
            lse,
            number,
            extents,
            part,
            out,
            lastGreatest,
            lastSum,
            1,
            dim,
            variant);
      } else {
        Products.score(stages, group, number, keyBlock, scores, dim, n, rows, bf16);
        PtxWarpGroups.wgmmaWaitGroup(0);
        stages.release(block, Stages.KEYS, keyBlock);
        if (i == next.from() && !apart) {
          stages.releaseQueries(block, number);
        }
        mask(block, scores, next, i, extents, true, n, variant);
        clear(greatest, Float.NEGATIVE_INFINITY);
        clear(sum, 0);
        for (int half = 0; half < 2; half++) {
          Scores.raise(block, scores, greatest, sum, shrink, scale, half, n);
          Scores.soften(scores, greatest, sum, scale, half, n);
        }
        Scores.pack(scores, weights, n, bf16);
        if (i > next.from()) {
          stages.awaitFull(Stages.KEYS, keyBlock + 1);
        }
      }
      if (next.passed() > 0) {
        stages.pass(block, Stages.VALUES, valueBlock + 1);
      }
      keyBlock++;
      clear(out, 0);
      part = next;
      for (i--; i >= part.from(); i--) {
        step(
            block,
            group,
            stages,
            number,
            keyBlock,
            keyBlock - 1,
            part,
            i,
            extents,
            scores,
            weights,
            out,
            greatest,
            sum,
            shrink,
            true,
            dim,
            n,
            variant);
        keyBlock++;
      }
      if (apart) {
        stages.awaitFull(Stages.VALUES, keyBlock - 1);
        Products.weight(stages, keyBlock - 1, out, weights, dim, n, bf16);
        PtxWarpGroups.wgmmaWaitGroup(0);
        stages.release(block, Stages.VALUES, keyBlock - 1);
        SomeRows.store(block, sequences, part, out, sum, dim, variant);
        finish(
            block, group, stages, o, lse, number, extents, part, out, greatest, sum, 1, dim,
            variant);
      }
      number++;
      next = Part.await(block, stages, number, group, extents, n, variant);
    }
    if (!apart) {
      stages.awaitFull(Stages.VALUES, keyBlock - 1);
      Products.weight(stages, keyBlock - 1, out, weights, dim, n, bf16);
      PtxWarpGroups.wgmmaWaitGroup(0);
      stages.release(block, Stages.VALUES, keyBlock - 1);
      SomeRows.store(block, sequences, part, out, sum, dim, variant);
      finish(
          block, group, stages, o, lse, number, extents, part, out, greatest, sum, 1, dim, variant);
    }
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
   *
   * @param same whether both are of the same tile
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
      Extents extents,
      float[] scores,
      int[] weights,
      float[] out,
      float[] greatest,
      float[] sum,
      float[] shrink,
      @Const boolean same,
      @Const int dim,
      @Const int n,
      @Const int variant) {
    boolean bf16 = Variant.bf16(variant);
    boolean turns = Variant.turns(variant);
    int groups = WarpGroups.groups(dim);
    float scale = Variant.scale(extents, dim, variant);
    if (turns) {
      Ptx.barSync(group + 1, 256);
    }
    Products.score(stages, group, number, keyBlock, scores, dim, n, WarpGroups.rows(dim), bf16);
    stages.awaitFull(Stages.VALUES, valueBlock);
    Products.weight(stages, valueBlock, out, weights, dim, n, bf16);
    PtxWarpGroups.wgmmaWaitGroup(1);
    stages.release(block, Stages.KEYS, keyBlock);
    if (i == part.from() && WarpGroups.queryStages(dim) > 1) {
      stages.releaseQueries(block, number);
    }
    mask(block, scores, part, i, extents, !same, n, variant);
    boolean upper = Scores.raise(block, scores, greatest, sum, shrink, scale, 0, n);
    // Here, not when the products have begun: the next group's exponentials then come after these.
    if (turns) {
      Ptx.barArrive((group + 1 == groups ? 0 : group + 1) + 1, 256);
    }
    Scores.soften(scores, greatest, sum, scale, 0, n);
    boolean lower = Scores.raise(block, scores, greatest, sum, shrink, scale, 1, n);
    Scores.soften(scores, greatest, sum, scale, 1, n);
    // Here, not after the wait: the assembler keeps exponentials before a loop.
    if (i > part.from()) {
      stages.awaitFull(Stages.KEYS, keyBlock + 1);
    }
    PtxWarpGroups.wgmmaWaitGroup(0);
    stages.release(block, Stages.VALUES, valueBlock);
    if (same && upper) {
      Scores.shrink(out, shrink, 0, dim);
    }
    if (same && lower) {
      Scores.shrink(out, shrink, 1, dim);
    }
    Scores.pack(scores, weights, n, bf16);
  }

  /**
   * Hides the keys of block i that some row of a warp group does not see.
   *
   * @param last whether it may be the tile's last block of keys
   */
  static void mask(
      ThreadBlock block,
      float[] scores,
      Part part,
      int i,
      Extents extents,
      @Const boolean last,
      @Const int n,
      @Const int variant) {
    boolean ends = Variant.endsEarly(variant);
    int inGroup = block.threadRank() % 128;
    int line = inGroup / 32 * 16 + inGroup % 32 / 4;
    int column = inGroup % 4 * 2;
    boolean packed = Variant.packed(variant);
    // The last block of a packed sequence ends with its keys.
    int keys = packed ? Integer.MAX_VALUE : extents.keys();
    int later = part.later(extents, variant);
    int all = ends ? Math.min(keys, part.row() + 1 + later) : keys;
    if ((ends || (last && !packed)) && (i + 1) * n > all) {
      int end = keys - 1;
      int upper = ends ? Math.min(end, part.row() + line + later) : end;
      int lower = ends ? Math.min(end, part.row() + line + 8 + later) : end;
      Scores.mask(scores, i * n, upper - column, lower - column, n);
    }
    if (packed && i * n < part.begin()) {
      int left = part.begin() - column;
      Scores.maskBefore(scores, i * n, left, left, n);
    }
    if (Variant.beginsLate(variant)) {
      int first = part.row() + part.earlier(extents, variant);
      if (i * n < first + WarpGroups.ROWS - 1) {
        Scores.maskBefore(scores, i * n, first + line - column, first + line + 8 - column, n);
      }
    }
  }

  /**
   * Divides by the sums of the weights, and stores a warp group's rows.
   *
   * @param unit of the results
   */
  static void finish(
      ThreadBlock block,
      int group,
      Stages stages,
      TensorMap o,
      GlobalFloats lse,
      int number,
      Extents extents,
      Part part,
      float[] out,
      float[] greatest,
      float[] sum,
      float unit,
      @Const int dim,
      @Const int variant) {
    int inGroup = block.threadRank() % 128;
    int lane = inGroup % 32;
    int rows = WarpGroups.rows(dim);
    float[] factor = new float[2];
    for (int half = 0; half < 2; half++) {
      float all = sum[half];
      all += block.warp().shuffleXor(all, 1);
      all += block.warp().shuffleXor(all, 2);
      factor[half] = all == 0 ? 0 : unit / all;
      int row = part.row() + inGroup / 32 * 16 + lane / 4 + 8 * half;
      if (Variant.stores(variant)
          && lane % 4 == 0
          && row >= 0
          && row < part.queries(extents, variant)) {
        lse.set(
            (long) part.head() * extents.queries() + part.start() + row,
            all == 0 ? Float.NEGATIVE_INFINITY : (greatest[half] + FastMath.log2(all)) * LN_2);
      }
    }
    int[] pairs = new int[4];
    int line = group * WarpGroups.ROWS + inGroup / 32 * 16 + lane % 16;
    if (inGroup == 0) {
      // The rows of the tile before have left.
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
    Ptx.barSync(group + 8, 128);
    for (int i = 0; i < dim / 16; i++) {
      for (int p = 0; p < 4; p++) {
        float by = factor[p & 1];
        pairs[p] =
            Scores.pair(
                out[i * 8 + 2 * p] * by, out[i * 8 + 2 * p + 1] * by, Variant.bf16(variant));
      }
      int place = Swizzle.bytes128(line * WarpGroups.SPAN + (i % 4 * 2 + lane / 16) * 16);
      Ptx.stmatrixX4(stages.out(), i / 4 * rows * WarpGroups.SPAN + place, pairs, 0);
    }
    PtxBulkCopies.fenceProxyAsyncShared();
    Ptx.barSync(group + 8, 128);
    if (inGroup == 0 && part.row() >= 0 && !part.isCut(variant)) {
      for (int x = 0; x < dim; x += 64) {
        PtxTensorCopies.cpAsyncBulkTensorToGlobal(
            o,
            x,
            part.start() + part.row(),
            part.head() % extents.headsOfBatch(),
            part.head() / extents.headsOfBatch(),
            stages.out(),
            x / 64 * rows * WarpGroups.SPAN + group * WarpGroups.ROWS * WarpGroups.SPAN);
      }
      PtxBulkCopies.cpAsyncBulkCommitGroup();
    }
    if (WarpGroups.queryStages(dim) == 1) {
      // Q's place is free when the rows have left it.
      if (inGroup == 0) {
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      }
      Ptx.barSync(group + 8, 128);
      stages.releaseQueries(block, number);
    }
  }
  // @end
}
