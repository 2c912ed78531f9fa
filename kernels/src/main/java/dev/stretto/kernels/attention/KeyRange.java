package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Warp;

/**
 * The blocks of keys that some row of a tile sees.
 *
 * @param from the first one
 * @param blocks the one after the last
 * @param later query i sees the keys up to {@code i + later}, if there is such a limit
 * @param earlier query i sees the keys from {@code i + earlier} on, if there is such a limit
 */
record KeyRange(int from, int blocks, int later, int earlier) {
  static KeyRange of(
      int first,
      int rows,
      Sequence sequence,
      PortableExtents extents,
      @Const int n,
      @Const int variant) {
    int more = sequence.keys() - sequence.queries();
    int later = more + extents.after();
    int earlier = more - extents.before();
    int last = Math.min(first + rows, sequence.queries()) - 1;
    int end =
        Variant.endsEarly(variant)
            ? Math.min(sequence.keys(), Math.max(0, last + later + 1))
            : sequence.keys();
    int from = Variant.beginsLate(variant) ? Math.max(0, first + earlier) / n : 0;
    return new KeyRange(from, (end + n - 1) / n, later, earlier);
  }

  /** Hides the keys of block i that a lane's rows do not see. */
  void mask(
      Warp warp, int first, int i, int keys, float[] scores, @Const int n, @Const int variant) {
    int row = first + 16 * warp.index() + warp.lane() / 4;
    int begin = i * n + warp.lane() % 4 * 2;
    int upper = keys - 1;
    int lower = keys - 1;
    if (Variant.endsEarly(variant)) {
      upper = Math.min(upper, row + later);
      lower = Math.min(lower, row + 8 + later);
    }
    Scores.mask(scores, begin, upper, lower, n);
    if (Variant.beginsLate(variant)) {
      Scores.maskBefore(scores, begin, row + earlier, row + 8 + earlier, n);
    }
  }
}
