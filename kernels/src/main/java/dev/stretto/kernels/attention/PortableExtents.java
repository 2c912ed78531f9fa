package dev.stretto.kernels.attention;

/**
 * The sizes that {@link PortableAttention} gets.
 *
 * @param batches how many; packed sequences are batches too
 * @param heads of Q in a batch
 * @param share how many heads of Q share a head of K
 * @param queries rows of a head of Q; of packed ones, of the longest
 * @param keys rows of a head of K; unused if they are packed
 * @param tokens rows of a head of Q in the array: of all sequences if they are packed
 * @param headDim numbers in a row
 * @param before how many keys before its own place a query sees, if there is such a limit
 * @param after how many behind it
 * @param ofQueries where the rows of Q and O are
 * @param ofKeys where those of K and V are
 * @param scale of scores, times the logarithm of e to base 2
 */
record PortableExtents(
    int batches,
    int heads,
    int share,
    int queries,
    int keys,
    int tokens,
    int headDim,
    int before,
    int after,
    Places ofQueries,
    Places ofKeys,
    float scale) {}
