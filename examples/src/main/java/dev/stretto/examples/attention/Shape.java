package dev.stretto.examples.attention;

/**
 * The size of attention. Arrays are batches of heads of rows, each row of {@code headDim} numbers.
 *
 * @param batches how many
 * @param heads heads of queries in a batch
 * @param keyHeads heads of keys and values in a batch; a divisor of {@code heads}, and the first
 *     {@code heads / keyHeads} heads of queries share the first one
 * @param queries rows of a head of queries
 * @param keys rows of a head of keys and of values
 * @param headDim 64, 128 or 256; the steps' kernels are for the first two
 * @param causal whether query i sees only the keys up to {@code i + keys - queries}
 */
public record Shape(
    int batches, int heads, int keyHeads, int queries, int keys, int headDim, boolean causal) {
  /** Checks the sizes. */
  public Shape {
    boolean empty = batches < 1 || heads < 1 || keyHeads < 1 || queries < 1 || keys < 1;
    if (empty || heads % keyHeads != 0) {
      throw new IllegalArgumentException(
          "batches, heads and rows are 1 or more, and heads of queries share heads of keys evenly");
    }
    if (headDim != 64 && headDim != 128 && headDim != 256) {
      throw new IllegalArgumentException(
          headDim + " numbers in a row of a head: there are kernels for 64, 128 and 256");
    }
  }

  /** {@return how many heads of queries share a head of keys} */
  public int group() {
    return heads / keyHeads;
  }

  /** {@return how many rows of queries there are} */
  public int queryRows() {
    return Math.multiplyExact(Math.multiplyExact(batches, heads), queries);
  }

  /** {@return how many rows of keys there are, and as many of values} */
  public int keyRows() {
    return Math.multiplyExact(Math.multiplyExact(batches, keyHeads), keys);
  }

  /** {@return the factor of scores: {@code 1 / sqrt(headDim)}} */
  public float scale() {
    return (float) (1 / Math.sqrt(headDim));
  }

  /**
   * {@return the operations of both products, counted as usual: half of them for causal attention}
   */
  public double operations() {
    return 4.0 * queryRows() * keys * headDim * (causal ? 0.5 : 1);
  }
}
