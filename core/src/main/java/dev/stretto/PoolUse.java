package dev.stretto;

/**
 * How much memory a device's pool has, and how much of it is allocated. The four numbers are asked
 * for one after the other; with other threads at work they may not fit each other exactly.
 *
 * @param usedBytes allocated now; CUDA counts in blocks of its own size, so that this may be more
 *     than was asked for
 * @param peakUsedBytes most that was allocated since the device was opened or {@link
 *     MemoryPool#resetPeaks()}
 * @param reservedBytes what the pool has of the device's memory now, allocated or kept for reuse
 * @param peakReservedBytes most that it had since then
 */
public record PoolUse(
    long usedBytes, long peakUsedBytes, long reservedBytes, long peakReservedBytes) {}
