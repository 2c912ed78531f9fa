package dev.stretto.observe;

/**
 * What a thread of the host did for copies.
 *
 * @param isWrite whether it wrote bytes that came from the device, rather than read some for it
 * @param name what it read or wrote
 * @param bytes how many
 * @param beginNanos when it began; by {@link System#nanoTime()}, or in the time of a model
 * @param endNanos when it ended
 */
public record HostTask(boolean isWrite, String name, long bytes, long beginNanos, long endNanos) {}
