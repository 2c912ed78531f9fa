package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxWarpGroups;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Wgmma;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.TensorMap;

/** A warp group that multiplies E4M3 numbers: it has 64 rows of each tile of its block. */
final class Fp8Consumer {
  private static final int DIM = Fp8WarpGroups.DIM;
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
      @Const int variant) {
    int keyBlock = 0;
    int number = 0;
    float[] out = new float[DIM / 2];
    float[] greatest = new float[2];
    float[] sum = new float[2];
    float[] scores = new float[N / 2];
    int[] weights = new int[N / 8];
    float[] shrink = new float[2];
    if (group == 1) {
      Ptx.barArrive(1, 256);
    }
    Part part = Part.await(block, stages, number, group, extents, N, variant);
    while (part.head() >= 0) {
      int row = Math.max(0, Math.min(part.row(), extents.queries() - 1));
      int ofRow = part.head() * Scales.blocks(extents.queries()) + row / Scales.ROWS;
      float scale = scales.queries().get(ofRow) * scales.ofScores();
      int base = part.head() / extents.share() * Scales.blocks(extents.keys());
      int i = part.blocks() - 1;
      float unit = scales.values().get(base + i);
      float ofKeys = scales.keys().get(base + i);
      stages.awaitFull(Stages.KEYS, keyBlock);
      score(stages, group, number, keyBlock, scores);
      PtxWarpGroups.wgmmaWaitGroup(0);
      stages.release(block, Stages.KEYS, keyBlock);
      if (i == part.from()) {
        stages.releaseQueries(block, number);
      }
      Consumer.mask(block, scores, part, i, extents, N, variant);
      for (int half = 0; half < 2; half++) {
        greatest[half] = Float.NEGATIVE_INFINITY;
        sum[half] = 0;
      }
      Scores.softenScaled(block, scores, greatest, sum, shrink, scale * ofKeys, N);
      Scores.packE4m3(scores, weights, N);
      for (int j = 0; j < DIM / 2; j++) {
        out[j] = 0;
      }
      keyBlock++;
      for (i--; i >= part.from(); i--) {
        // They arrive while the tensor cores work.
        float ofValues = scales.values().get(base + i);
        ofKeys = scales.keys().get(base + i);
        stages.awaitFull(Stages.KEYS, keyBlock);
        Ptx.barSync(group + 1, 256);
        score(stages, group, number, keyBlock, scores);
        stages.awaitFull(Stages.VALUES, keyBlock - 1);
        weight(stages, keyBlock - 1, out, weights);
        Ptx.barArrive(2 - group, 256);
        PtxWarpGroups.wgmmaWaitGroup(1);
        stages.release(block, Stages.KEYS, keyBlock);
        if (i == part.from()) {
          stages.releaseQueries(block, number);
        }
        Consumer.mask(block, scores, part, i, extents, N, variant);
        Scores.softenScaled(block, scores, greatest, sum, shrink, scale * ofKeys, N);
        PtxWarpGroups.wgmmaWaitGroup(0);
        stages.release(block, Stages.VALUES, keyBlock - 1);
        Scores.packE4m3(scores, weights, N);
        // Results are in units of the block's factor.
        float change = unit / ofValues;
        for (int j = 0; j < DIM / 2; j++) {
          out[j] *= shrink[j / 2 & 1] * change;
        }
        unit = ofValues;
        keyBlock++;
      }
      stages.awaitFull(Stages.VALUES, keyBlock - 1);
      weight(stages, keyBlock - 1, out, weights);
      PtxWarpGroups.wgmmaWaitGroup(0);
      stages.release(block, Stages.VALUES, keyBlock - 1);
      for (int j = 0; j < DIM / 2; j++) {
        out[j] *= unit;
      }
      for (int half = 0; half < 2; half++) {
        greatest[half] -= Scores.E4M3_BITS;
      }
      Consumer.finish(
          block, group, stages, o, lse, number, extents, part, out, greatest, sum, DIM, variant);
      number++;
      part = Part.await(block, stages, number, group, extents, N, variant);
    }
    PtxBulkCopies.cpAsyncBulkWaitGroup(0);
  }

  /** Begins S = Q K^T. */
  private static void score(Stages stages, int group, int number, int keyBlock, float[] scores) {
    PtxWarpGroups.wgmmaFence();
    int of = stages.queryStage(number) * Fp8WarpGroups.BYTES + group * 64 * Fp8WarpGroups.SPAN;
    long q = Wgmma.kMajor(stages.queries(), of, Fp8WarpGroups.SPAN);
    int at = Stages.stage(keyBlock) * Fp8WarpGroups.BYTES;
    long k = Wgmma.kMajor(stages.keys(), at, Fp8WarpGroups.SPAN);
    for (int step = 0; step < DIM / 32; step++) {
      boolean add = step > 0;
      PtxWarpGroups.wgmmaE4m3(
          scores, 0, N, Wgmma.advance(q, 32 * step), Wgmma.advance(k, 32 * step), add);
    }
    PtxWarpGroups.wgmmaCommitGroup();
  }

  /** Begins O = O + P V. */
  private static void weight(Stages stages, int valueBlock, float[] out, int[] weights) {
    PtxWarpGroups.wgmmaFence();
    int at = Stages.stage(valueBlock) * Fp8WarpGroups.BYTES;
    long v = Wgmma.kMajor(stages.values(), at, Fp8WarpGroups.SPAN);
    for (int step = 0; step < N / 32; step++) {
      PtxWarpGroups.wgmmaE4m3(out, 0, DIM, weights, 4 * step, Wgmma.advance(v, 32 * step), true);
    }
    PtxWarpGroups.wgmmaCommitGroup();
  }
  // @end
}
