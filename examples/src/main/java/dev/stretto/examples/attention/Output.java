package dev.stretto.examples.attention;

import dev.stretto.kernel.FastMath;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalFloats;

/** The code around the products that the first three steps share: each warp has 16 rows. */
final class Output {
  private Output() {}

  /** Hides the keys that a query does not see, including those after the last one. */
  static void mask(Work work, Warp warp, float[] scores, int columns, int firstKey) {
    int query = work.firstQuery() + 16 * warp.index() + warp.lane() / 4;
    int first = firstKey + warp.lane() % 4 * 2;
    Fragments.mask(scores, 2, columns, work.seen(query) - first, work.more());
  }

  /**
   * Divides by the sums of the powers, and stores.
   *
   * @param memory the memory of the block's queries, which are no longer needed
   */
  static void store(
      Work work,
      Warp warp,
      Softmax softmax,
      SharedBytes memory,
      boolean bfloat,
      float[] out,
      int headDim,
      GlobalArray o,
      GlobalFloats lse) {
    int inBlock = 16 * warp.index();
    int first = work.firstQuery() + inBlock;
    for (int row = 0; row < 2; row++) {
      float total = softmax.total(warp, row);
      int query = first + 8 * row + warp.lane() / 4;
      if (warp.lane() % 4 == 0 && query < work.queries()) {
        lse.set(work.queryRow() + query, softmax.max(row) + FastMath.log(total));
      }
      Fragments.scale(out, row, headDim, total == 0 ? 0 : 1 / total);
    }
    Rows.store(
        warp,
        memory.asInts(),
        inBlock * Rows.bytes(headDim),
        bfloat,
        out,
        2,
        headDim,
        o,
        work.queryRow(),
        first,
        work.queries());
  }
}
