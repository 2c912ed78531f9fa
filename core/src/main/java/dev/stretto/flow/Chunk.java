package dev.stretto.flow;

import dev.stretto.memory.GlobalBytes;

/**
 * A part of what goes through a flow, on the device.
 *
 * @param index 0 for the first
 * @param position of its first byte in the whole
 * @param byteSize how many bytes; as large as all others, but for the last
 * @param slot 0 to depth - 1: chunks of one slot follow each other and share their memory, so a
 *     prepared launch may be kept for each
 * @param in the chunk's bytes
 * @param out where the result goes; the same as {@code in} if the flow works in place
 */
public record Chunk(
    long index, long position, long byteSize, int slot, GlobalBytes in, GlobalBytes out) {}
