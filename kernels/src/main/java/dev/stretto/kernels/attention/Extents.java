package dev.stretto.kernels.attention;

/**
 * The sizes that the warp groups' kernel gets.
 *
 * @param queries rows of a head of Q
 * @param keys rows of a head of K
 * @param heads of Q, over all batches
 * @param headsOfBatch of Q, in a batch
 * @param share how many heads of Q share a head of K
 * @param section how many heads have their tiles in turns, if tiles are not equally long
 * @param later query i sees the keys up to {@code i + later}, if there is such a limit
 * @param earlier query i sees the keys from {@code i + earlier} on, if there is such a limit
 * @param scale of scores, times the logarithm of e to base 2
 */
record Extents(
    int queries,
    int keys,
    int heads,
    int headsOfBatch,
    int share,
    int section,
    int later,
    int earlier,
    float scale) {}
