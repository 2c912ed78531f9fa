package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.ThreadBlock;

/**
 * Stores the last rows of a packed sequence where fewer than a warp group has: behind them are
 * those of the next sequence, which a box would overwrite.
 */
final class SomeRows {
  private SomeRows() {}

  /** Stores a warp group's rows if they are not all of one sequence. */
  static void store(
      ThreadBlock block,
      Sequences sequences,
      Part part,
      float[] out,
      float[] sum,
      @Const int dim,
      @Const int variant) {
    if (!Variant.packed(variant) || part.row() < 0 || !part.isCut(variant)) {
      return;
    }
    int inGroup = block.threadRank() % 128;
    int lane = inGroup % 32;
    Places places = sequences.sizes().ofRows();
    for (int half = 0; half < 2; half++) {
      float all = sum[half];
      all += block.warp().shuffleXor(all, 1);
      all += block.warp().shuffleXor(all, 2);
      float by = all == 0 ? 0 : 1 / all;
      int row = part.row() + inGroup / 32 * 16 + lane / 4 + 8 * half;
      if (row < part.ofSequence()) {
        long at = places.row(0, part.head(), (long) part.start() + row) / 2 + lane % 4;
        for (int eight = 0; eight < dim / 8; eight++) {
          if (eight * 8 < sequences.sizes().headDim()) {
            int j = 4 * eight + 2 * half;
            int pair = Scores.pair(out[j] * by, out[j + 1] * by, Variant.bf16(variant));
            sequences.rows().set(at + 4L * eight, pair);
          }
        }
      }
    }
  }
}
