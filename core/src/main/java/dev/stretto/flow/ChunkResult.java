package dev.stretto.flow;

import java.lang.foreign.MemorySegment;

/** Takes what a flow's stage has computed of each chunk. */
@FunctionalInterface
public interface ChunkResult {
  /**
   * Takes the result of a chunk. The flow calls this on its own threads, in any order, and for
   * several chunks at once. An exception stops the flow.
   *
   * @param index the chunk's index, 0 for the first
   * @param result the bytes that the stage has written to {@code chunk.out()}; only during this
   *     call
   */
  void accept(long index, MemorySegment result);
}
