package dev.stretto;

/**
 * How much host memory is pinned for a device's program.
 *
 * @param usedBytes now, what waits for its last copy included
 * @param peakBytes at most so far
 * @param budgetBytes what may be
 */
public record PinnedUse(long usedBytes, long peakBytes, long budgetBytes) {}
