package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.PtxWarpGroups;
import dev.stretto.kernel.Wgmma;

/** Both products of a warp group. */
final class Products {
  private Products() {}

  /** Begins S = Q K^T. */
  static void score(
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
    int of = stages.queryStage(number) * rows * dim * 2;
    long q =
        Wgmma.kMajor(
            stages.queries(), of + group * WarpGroups.ROWS * WarpGroups.SPAN, WarpGroups.SPAN);
    long k = Wgmma.kMajor(stages.keys(), Stages.stage(keyBlock) * n * dim * 2, WarpGroups.SPAN);
    for (int step = 0; step < dim / 16; step++) {
      boolean add = step > 0;
      long left = Wgmma.advance(q, step / 4 * rows * WarpGroups.SPAN + step % 4 * 32);
      long right = Wgmma.advance(k, step / 4 * n * WarpGroups.SPAN + step % 4 * 32);
      if (bf16) {
        PtxWarpGroups.wgmmaBf16(scores, 0, n, left, right, add, 0, 0);
      } else {
        PtxWarpGroups.wgmmaF16(scores, 0, n, left, right, add, 0, 0);
      }
    }
    PtxWarpGroups.wgmmaCommitGroup();
  }

  /** Begins O = O + P V. */
  static void weight(
      Stages stages,
      int valueBlock,
      float[] out,
      int[] weights,
      @Const int dim,
      @Const int n,
      @Const boolean bf16) {
    PtxWarpGroups.wgmmaFence();
    long v =
        Wgmma.mnMajor(
            stages.values(),
            Stages.stage(valueBlock) * n * dim * 2,
            WarpGroups.SPAN,
            n * WarpGroups.SPAN);
    for (int step = 0; step < n / 16; step++) {
      long right = Wgmma.advance(v, step * 16 * WarpGroups.SPAN);
      if (bf16) {
        PtxWarpGroups.wgmmaBf16(out, 0, dim, weights, 4 * step, right, true, 1);
      } else {
        PtxWarpGroups.wgmmaF16(out, 0, dim, weights, 4 * step, right, true, 1);
      }
    }
    PtxWarpGroups.wgmmaCommitGroup();
  }
}
