package dev.stretto.kernels.attention;

import dev.stretto.memory.GlobalInts;

/**
 * Packed sequences as the kernel of warp groups gets them.
 *
 * @param queryStarts the first query of each, and the number of all
 * @param keyStarts the first key of each, and the number of all
 * @param rows O, two numbers in each element
 * @param sizes the sizes
 */
record Sequences(GlobalInts queryStarts, GlobalInts keyStarts, GlobalInts rows, PackedSizes sizes) {
  /** How many tiles of so many rows a head of a sequence has. */
  int tiles(int sequence, int ofRows) {
    return (queryStarts.get(sequence + 1) - queryStarts.get(sequence) + ofRows - 1) / ofRows;
  }

  Sequence at(int sequence) {
    int query = queryStarts.get(sequence);
    int key = keyStarts.get(sequence);
    return new Sequence(
        0, query, queryStarts.get(sequence + 1) - query, key, keyStarts.get(sequence + 1) - key);
  }
}
