package dev.stretto.flow;

/**
 * Where a chunk came from, and where in the sink it went: of the chunks of a flow whose stages
 * change their sizes, these are an index of the sink.
 *
 * @param index of the chunk, 0 for the first
 * @param position of its first byte in the source
 * @param bytes how many bytes of the source it had
 * @param outPosition of its first byte in the sink
 * @param outBytes how many bytes left the last stage; 0 or more
 */
public record ChunkPlace(long index, long position, long bytes, long outPosition, long outBytes) {}
