package dev.stretto.flow;

/**
 * What a flow did.
 *
 * @param bytes went through
 * @param chunks were they
 * @param chunkBytes had each but the last
 * @param depth so many at a time, each with a stream and buffers of its own
 * @param pinnedBytes of host memory were pinned for buffers
 * @param deviceBytes of device memory were allocated for buffers
 * @param wallNanos it took, by {@link System#nanoTime()}
 * @param sizing how chunk size and depth were chosen, in a sentence
 */
public record FlowReport(
    long bytes,
    long chunks,
    long chunkBytes,
    int depth,
    long pinnedBytes,
    long deviceBytes,
    long wallNanos,
    String sizing) {}
