package dev.stretto.kernels.attention;

/**
 * The size of attention: for each head of queries, a matrix Q of {@code queries} rows, and of its
 * head of keys matrices K and V of {@code keys} rows, all with {@code headDim} numbers a row.
 *
 * @param batches how many independent problems of this size there are, 1 or more
 * @param heads heads of queries in a batch, 1 or more
 * @param keyHeads heads of keys and values in a batch, a divisor of {@code heads}: the first {@code
 *     heads / keyHeads} heads of queries share the first one, and so on (grouped-query attention)
 * @param queries rows of a head of queries, 1 to 2<sup>29</sup>
 * @param keys rows of a head of keys and of values, 1 to 2<sup>29</sup>
 * @param headDim numbers in a row, a multiple of 8 up to 256
 */
public record AttentionShape(
    int batches, int heads, int keyHeads, int queries, int keys, int headDim) {
  /** The greatest {@code headDim}. */
  public static final int MOST_DIM = 256;

  /** The greatest number of rows of a head. */
  public static final int MOST_ROWS = 1 << 29;

  private static final int UNIT = 8;

  /**
   * Checks the sizes.
   *
   * @throws IllegalArgumentException if a number is outside its range above
   */
  public AttentionShape {
    requireCount("batches", batches, Integer.MAX_VALUE);
    requireCount("heads", heads, Integer.MAX_VALUE);
    requireCount("keyHeads", keyHeads, Integer.MAX_VALUE);
    requireCount("queries", queries, MOST_ROWS);
    requireCount("keys", keys, MOST_ROWS);
    if (heads % keyHeads != 0) {
      throw new IllegalArgumentException(
          "%d heads of queries cannot share %d heads of keys evenly: heads has to be a multiple of keyHeads"
              .formatted(heads, keyHeads));
    }
    if (headDim < UNIT || headDim > MOST_DIM || headDim % UNIT != 0) {
      throw new IllegalArgumentException(
          "%d numbers in a row of a head: it has to be a multiple of %d up to %d; fill rows with zeros"
              .formatted(headDim, UNIT, MOST_DIM));
    }
    if ((long) batches * heads > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%d batches of %d heads: there may be %d heads in all"
              .formatted(batches, heads, Integer.MAX_VALUE));
    }
  }

  /**
   * {@return self-attention: as many keys as queries, and a head of keys for each of queries}
   *
   * @param batches how many independent problems
   * @param heads heads in a batch
   * @param tokens rows of a head
   * @param headDim numbers in a row
   * @throws IllegalArgumentException if a number is outside its range
   */
  public static AttentionShape of(int batches, int heads, int tokens, int headDim) {
    return new AttentionShape(batches, heads, heads, tokens, tokens, headDim);
  }

  /**
   * {@return the same with fewer heads of keys and values}
   *
   * @param count heads of keys in a batch, a divisor of {@code heads}
   * @throws IllegalArgumentException if it is none
   */
  public AttentionShape withKeyHeads(int count) {
    return new AttentionShape(batches, heads, count, queries, keys, headDim);
  }

  /**
   * {@return the same with another number of keys}
   *
   * @param count rows of a head of keys and of values
   * @throws IllegalArgumentException if the number is outside its range
   */
  public AttentionShape withKeys(int count) {
    return new AttentionShape(batches, heads, keyHeads, queries, count, headDim);
  }

  /** {@return how many rows of queries there are in all} */
  public long queryRows() {
    return (long) batches * heads * queries;
  }

  /** {@return how many rows of keys there are in all, and as many of values} */
  public long keyRows() {
    return (long) batches * keyHeads * keys;
  }

  private static void requireCount(String name, int count, int most) {
    if (count < 1 || count > most) {
      throw new IllegalArgumentException(
          "%s is %d: it has to be 1 to %d".formatted(name, count, most));
    }
  }
}
