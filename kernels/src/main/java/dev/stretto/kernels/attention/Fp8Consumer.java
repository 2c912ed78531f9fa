package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.FastMath;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxWarpGroups;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Wgmma;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.TensorMap;

/** A warp group that multiplies E4M3 numbers: it has 64 rows of each tile of its block. */
final class Fp8Consumer {
  private static final int N = Fp8WarpGroups.KEYS;

  private Fp8Consumer() {}

  // @start region="consumer"
  static void consume(
      ThreadBlock block,
      int group,
      Stages stages,
      TensorMap o,
      GlobalFloats lse,
      Scales scales,
      Extents extents,
      @Const int dim,
      @Const int variant) {
    int keyBlock = 0;
    int number = 0;
    float[] out = new float[dim / 2];
    float[] greatest = new float[2];
    float[] sum = new float[2];
    float[] scores = new float[N / 2];
    int[] weights = new int[N / 8];
    float[] shrink = new float[2];
    float[] ofKeys = new float[2];
    float[] ofValues = new float[2];
    float[] ofScores = new float[Factors.RUNS];
    float[] logs = new float[Factors.RUNS];
    float[] inverses = new float[Factors.RUNS];
    int last = Scales.blocks(extents.keys()) - 1;
    if (group == 1) {
      Ptx.barArrive(1, 256);
    }
    Part part = Part.await(block, stages, number, group, extents, N, variant);
    while (part.head() >= 0) {
      int row = Math.max(0, Math.min(part.row(), extents.queries() - 1));
      int ofRow = part.head() * Scales.blocks(extents.queries()) + row / Scales.ROWS;
      float scale = scales.queries().get(ofRow) * scales.ofScores();
      int base = part.head() / extents.share() * (last + 1);
      int i = part.blocks() - 1;
      Factors.load(scales.keys(), i, base, last, ofKeys);
      Factors.load(scales.values(), i, base, last, ofValues);
      float unit = ofValues[0];
      float reference = FastMath.log2(unit);
      stages.awaitFull(Stages.KEYS, keyBlock);
      score(stages, group, number, keyBlock, scores, dim);
      PtxWarpGroups.wgmmaWaitGroup(0);
      stages.release(block, Stages.KEYS, keyBlock);
      if (i == part.from()) {
        stages.releaseQueries(block, number);
      }
      Consumer.mask(block, scores, part, i, extents, true, N, variant);
      for (int half = 0; half < 2; half++) {
        greatest[half] = Float.NEGATIVE_INFINITY;
        sum[half] = 0;
      }
      Factors.prepare(ofKeys, ofValues, i, scale, reference, ofScores, logs, inverses);
      for (int half = 0; half < 2; half++) {
        Fp8Scores.raise(block, scores, greatest, sum, shrink, ofScores, logs, half, N);
        Fp8Scores.soften(scores, greatest, sum, ofScores, logs, inverses, half, N);
      }
      Fp8Scores.pack(scores, weights, N);
      // They arrive while the tensor cores work on what comes before.
      Factors.load(scales.keys(), Math.max(0, i - 1), base, last, ofKeys);
      Factors.load(scales.values(), Math.max(0, i - 1), base, last, ofValues);
      for (int j = 0; j < dim / 2; j++) {
        out[j] = 0;
      }
      if (i > part.from()) {
        stages.awaitFull(Stages.KEYS, keyBlock + 1);
      }
      keyBlock++;
      for (i--; i >= part.from(); i--) {
        Ptx.barSync(group + 1, 256);
        score(stages, group, number, keyBlock, scores, dim);
        stages.awaitFull(Stages.VALUES, keyBlock - 1);
        weight(stages, keyBlock - 1, out, weights, dim);
        Factors.prepare(ofKeys, ofValues, i, scale, reference, ofScores, logs, inverses);
        PtxWarpGroups.wgmmaWaitGroup(1);
        stages.release(block, Stages.KEYS, keyBlock);
        if (i == part.from()) {
          stages.releaseQueries(block, number);
        }
        Consumer.mask(block, scores, part, i, extents, false, N, variant);
        boolean upper = Fp8Scores.raise(block, scores, greatest, sum, shrink, ofScores, logs, 0, N);
        // Here, not when the products have begun: the other group's exponentials then come after.
        Ptx.barArrive(2 - group, 256);
        Fp8Scores.soften(scores, greatest, sum, ofScores, logs, inverses, 0, N);
        boolean lower = Fp8Scores.raise(block, scores, greatest, sum, shrink, ofScores, logs, 1, N);
        Factors.load(scales.keys(), Math.max(0, i - 1), base, last, ofKeys);
        Factors.load(scales.values(), Math.max(0, i - 1), base, last, ofValues);
        // Here, not after the wait: the assembler keeps exponentials before a loop. Half of them
        // come behind it, so that other instructions have something to hide behind.
        if (i > part.from()) {
          stages.awaitFull(Stages.KEYS, keyBlock + 1);
        }
        PtxWarpGroups.wgmmaWaitGroup(0);
        stages.release(block, Stages.VALUES, keyBlock - 1);
        if (upper) {
          Scores.shrink(out, shrink, 0, dim);
        }
        if (lower) {
          Scores.shrink(out, shrink, 1, dim);
        }
        Fp8Scores.soften(scores, greatest, sum, ofScores, logs, inverses, 1, N);
        Fp8Scores.pack(scores, weights, N);
        keyBlock++;
      }
      stages.awaitFull(Stages.VALUES, keyBlock - 1);
      weight(stages, keyBlock - 1, out, weights, dim);
      PtxWarpGroups.wgmmaWaitGroup(0);
      stages.release(block, Stages.VALUES, keyBlock - 1);
      for (int half = 0; half < 2; half++) {
        greatest[half] -= Fp8Scores.BITS;
      }
      Consumer.finish(
          block, group, stages, o, lse, number, extents, part, out, greatest, sum, unit, dim,
          variant);
      number++;
      part = Part.await(block, stages, number, group, extents, N, variant);
    }
    PtxBulkCopies.cpAsyncBulkWaitGroup(0);
  }

  /** Begins S = Q K^T. */
  private static void score(
      Stages stages, int group, int number, int keyBlock, float[] scores, @Const int dim) {
    PtxWarpGroups.wgmmaFence();
    int of = stages.queryStage(number) * Fp8WarpGroups.ROWS * dim + group * WarpGroups.ROWS * dim;
    long q = Wgmma.kMajor(stages.queries(), of, dim);
    long k = Wgmma.kMajor(stages.keys(), Stages.stage(keyBlock) * N * dim, dim);
    for (int step = 0; step < dim / 32; step++) {
      boolean add = step > 0;
      PtxWarpGroups.wgmmaE4m3(
          scores, 0, N, Wgmma.advance(q, 32 * step), Wgmma.advance(k, 32 * step), add);
    }
    PtxWarpGroups.wgmmaCommitGroup();
  }

  /** Begins O = O + P V. */
  private static void weight(
      Stages stages, int valueBlock, float[] out, int[] weights, @Const int dim) {
    PtxWarpGroups.wgmmaFence();
    int at = Stages.stage(valueBlock) * N * dim;
    long v = Wgmma.kMajor(stages.values(), at, Transposer.KEYS);
    for (int step = 0; step < N / 32; step++) {
      int to = step / 2 * Transposer.KEYS * dim + step % 2 * 32;
      PtxWarpGroups.wgmmaE4m3(out, 0, dim, weights, 4 * step, Wgmma.advance(v, to), true);
    }
    PtxWarpGroups.wgmmaCommitGroup();
  }
  // @end
}
