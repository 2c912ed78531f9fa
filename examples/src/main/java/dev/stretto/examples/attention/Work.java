package dev.stretto.examples.attention;

import dev.stretto.kernel.ThreadBlock;

/**
 * What a block has to do: some rows of queries of one head, against the keys that they may see.
 * Query i sees, if attention is causal, the keys up to {@code i + keys - queries}.
 *
 * @param firstQuery of the block's rows within the head
 * @param head which head of queries, of those of all batches
 * @param keyHead which head of keys, of those of all batches
 * @param queries how many the head has
 * @param keys how many it has of those
 * @param causal whether later keys are hidden
 */
record Work(int firstQuery, int head, int keyHead, int queries, int keys, boolean causal) {
  /**
   * What this block has to do. The grid is tiles, heads, batches, so that what runs at the same
   * time reads the same keys; if attention is causal, it is heads, tiles, batches, and the last
   * tiles, which have the most to do, go first.
   *
   * @param group how many heads of queries share a head of keys; a constant, by which dividing is
   *     cheap
   */
  static Work of(ThreadBlock block, int rows, int queries, int keys, int group, boolean causal) {
    int tile = causal ? block.gridSizeY() - 1 - block.blockIndexY() : block.blockIndexX();
    int heads = causal ? block.gridSizeX() : block.gridSizeY();
    int inBatch = causal ? block.blockIndexX() : block.blockIndexY();
    int head = block.blockIndexZ() * heads + inBatch;
    return new Work(tile * rows, head, head / group, queries, keys, causal);
  }

  /** How many rows of queries lie before the head's. */
  long queryRow() {
    return (long) head * queries;
  }

  /** How many rows of keys lie before the head's. */
  long keyRow() {
    return (long) keyHead * keys;
  }

  /** How many keys a query sees; 0 or less for none. Of a query behind the last one anything. */
  int seen(int query) {
    return causal ? query + 1 + keys - queries : keys;
  }

  /** How many more the eighth query after one sees. */
  int more() {
    return causal ? 8 : 0;
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
