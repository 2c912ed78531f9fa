package dev.stretto.kernels.product;

/**
 * How a product is computed.
 *
 * @param kernel the kernel
 * @param tileRows rows of C that a block of threads computes at a time
 * @param tileColumns columns of C that a block of threads computes at a time
 * @param clusterBlocks how many blocks share what they load, 1 or 2
 * @param splits in how many parts the inner dimension is divided; if more than 1, the parts' sums
 *     are floats, which the blocks of a cluster or a second kernel add, always in the same order
 * @param reason a sentence that says why
 */
public record ProductChoice(
    ProductKernel kernel,
    int tileRows,
    int tileColumns,
    int clusterBlocks,
    int splits,
    String reason) {
  /**
   * Refuses what no kernel has.
   *
   * @throws IllegalArgumentException if a number is less than 1
   */
  public ProductChoice {
    if (tileRows < 1 || tileColumns < 1 || clusterBlocks < 1 || splits < 1) {
      throw new IllegalArgumentException(
          "%d x %d tiles, %d blocks, %d splits"
              .formatted(tileRows, tileColumns, clusterBlocks, splits));
    }
  }

  /** {@return the choice and its reason in a line} */
  @Override
  public String toString() {
    return "%s, tiles of %d x %d, %d blocks a cluster, %d splits: %s"
        .formatted(kernel, tileRows, tileColumns, clusterBlocks, splits, reason);
  }
}
