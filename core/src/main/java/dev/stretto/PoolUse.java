package dev.stretto;

/**
 * How much memory a device's pool has, and how much of it is allocated. The four numbers are read
 * one after the other; while other threads allocate or free, they may not match exactly.
 *
 * @param usedBytes bytes that are allocated now; CUDA counts in blocks of its own size, so this may
 *     be more than was requested
 * @param peakUsedBytes the most that was allocated since the device was opened, or since {@link
 *     MemoryPool#resetPeaks()}
 * @param reservedBytes bytes of the device's memory that the pool has now, allocated or kept for
 *     reuse
 * @param peakReservedBytes the most that the pool had since then
 */
public record PoolUse(
    long usedBytes, long peakUsedBytes, long reservedBytes, long peakReservedBytes) {}
