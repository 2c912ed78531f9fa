package dev.stretto;

/**
 * How much host memory is pinned through a device.
 *
 * @param usedBytes bytes that are pinned now, including memory that waits for its last copy
 * @param peakBytes the most that was pinned so far
 * @param budgetBytes the limit
 */
public record PinnedUse(long usedBytes, long peakBytes, long budgetBytes) {}
