package dev.stretto.kernels.attention;

import dev.stretto.memory.GlobalInts;

/**
 * Where packed sequences begin, or what stands for it where there are none.
 *
 * @param queries the first query of each sequence, and the number of all
 * @param keys the first key of each sequence, and the number of all
 * @param queryTokens rows of a head in Q's array
 * @param keyTokens rows of a head in K's array
 */
record Starts(GlobalInts queries, GlobalInts keys, int queryTokens, int keyTokens) {}
