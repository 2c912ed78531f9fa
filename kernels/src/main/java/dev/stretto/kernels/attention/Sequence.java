package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.memory.GlobalInts;

/**
 * A batch's tokens, or those of a packed sequence.
 *
 * @param batch in the arrays; 0 for all packed sequences
 * @param firstQuery the place of its first query among the tokens of the array
 * @param queries how many it has
 * @param firstKey the place of its first key among the tokens of the array
 * @param keys how many it has
 */
record Sequence(int batch, int firstQuery, int queries, int firstKey, int keys) {
  /** What stands for it where there are none. */
  static Sequence none() {
    return new Sequence(0, 0, 0, 0, 0);
  }

  static Sequence of(
      int batch,
      GlobalInts queryStarts,
      GlobalInts keyStarts,
      PortableExtents extents,
      @Const int variant) {
    if (!Variant.packed(variant)) {
      return new Sequence(batch, 0, extents.queries(), 0, extents.keys());
    }
    int query = queryStarts.get(batch);
    int key = keyStarts.get(batch);
    return new Sequence(
        0, query, queryStarts.get(batch + 1) - query, key, keyStarts.get(batch + 1) - key);
  }
}
