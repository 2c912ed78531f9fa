package dev.stretto.examples.attention;

import dev.stretto.kernel.ThreadBlock;

/**
 * The work of a block: some rows of queries of one head, with the keys that they may see. If
 * attention is causal, query i sees the keys up to {@code i + keys - queries}.
 *
 * @param firstQuery the first of the block's rows within the head
 * @param head the number of the head of queries, over all batches
 * @param keyHead the number of the head of keys, over all batches
 * @param queries how many queries the head has
 * @param keys how many keys it has
 * @param causal whether later keys are hidden
 */
record Work(int firstQuery, int head, int keyHead, int queries, int keys, boolean causal) {
  /**
   * The work of this block. The grid is tiles, heads, batches, so that blocks that run at the same
   * time read the same keys; if attention is causal, it is heads, tiles, batches, and the last
   * tiles, which have the most work, go first.
   *
   * @param group how many heads of queries share a head of keys; a constant, which makes division
   *     cheap
   */
  static Work of(ThreadBlock block, int rows, int queries, int keys, int group, boolean causal) {
    int tile = causal ? block.gridSizeY() - 1 - block.blockIndexY() : block.blockIndexX();
    int heads = causal ? block.gridSizeX() : block.gridSizeY();
    int inBatch = causal ? block.blockIndexX() : block.blockIndexY();
    int head = block.blockIndexZ() * heads + inBatch;
    return new Work(tile * rows, head, head / group, queries, keys, causal);
  }

  /** How many rows of queries come before the head's. */
  long queryRow() {
    return (long) head * queries;
  }

  /** How many rows of keys come before the head's. */
  long keyRow() {
    return (long) keyHead * keys;
  }

  /** How many keys a query sees; 0 or less for none. Arbitrary for a query after the last one. */
  int seen(int query) {
    return causal ? query + 1 + keys - queries : keys;
  }

  /** How many more keys the eighth query after another sees. */
  int more() {
    return causal ? 8 : 0;
  }

  /** How many blocks of keys at least one of the rows sees. */
  int blocks(int rows, int size) {
    return (Math.clamp(seen(firstQuery + rows - 1), 0, keys) + size - 1) / size;
  }

  /** How many blocks of keys, counted from the first, every row sees completely. */
  int wholeBlocks(int size) {
    return Math.clamp(seen(firstQuery), 0, keys) / size;
  }
}
