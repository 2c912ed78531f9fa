package dev.stretto.examples.attention;

import dev.stretto.kernel.ThreadBlock;

/**
 * What a block has to do: some rows of queries of one head, against the keys that they may see.
 *
 * <p>The grid is (tiles of queries, heads of queries for each head of keys, heads of keys of all
 * batches). Heads of queries that share keys are neighbours, so no index has to be divided.
 *
 * @param firstQuery of the block's rows within the head
 * @param queryRow how many rows of queries lie before the head
 * @param keyRow how many rows of keys lie before the head's
 * @param queries how many the head has
 * @param keys how many it has of those
 * @param causal whether query i sees keys up to {@code i + keys - queries} alone
 */
record Work(
    int firstQuery, long queryRow, long keyRow, int queries, int keys, boolean causal) {
  /** Of causal attention the last tiles have the most keys to see: they go first. */
  static Work of(ThreadBlock block, int rows, int queries, int keys, boolean causal) {
    int tile = causal ? block.gridSizeX() - 1 - block.blockIndexX() : block.blockIndexX();
    long head = (long) block.blockIndexZ() * block.gridSizeY() + block.blockIndexY();
    return new Work(
        tile * rows, head * queries, (long) block.blockIndexZ() * keys, queries, keys, causal);
  }

  /** How many keys a query sees; 0 or less for none. Of a query behind the last one anything. */
  int seen(int query) {
    return causal ? query + 1 + keys - queries : keys;
  }

  /** How many blocks of keys some of the rows see. */
  int blocks(int rows, int size) {
    return (Math.clamp(seen(firstQuery + rows - 1), 0, keys) + size - 1) / size;
  }

  /** How many blocks of keys, the first ones, every row sees all of. */
  int wholeBlocks(int size) {
    return Math.clamp(seen(firstQuery), 0, keys) / size;
  }
}
