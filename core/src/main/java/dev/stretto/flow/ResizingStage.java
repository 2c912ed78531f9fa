package dev.stretto.flow;

import dev.stretto.Stream;
import dev.stretto.memory.GlobalLongs;

/** What a flow does with each chunk on the device, if as many bytes leave as the device finds. */
@FunctionalInterface
public interface ResizingStage {
  /**
   * Enqueues the work for a chunk: kernels that read {@code chunk.in()}, write the beginning of
   * {@code chunk.out()}, and leave in {@code size} how many bytes they have written. What {@link
   * Stage#enqueue} says holds here too.
   *
   * @param stream the chunk's stream, of the device that it was assigned to
   * @param chunk the chunk to work on; {@code chunk.out()} has room for as many bytes as the plan
   *     says; do not keep it
   * @param size one element, in device memory: the number of bytes that leave this stage; 0 before,
   *     so that a kernel may add to it
   */
  void enqueue(Stream stream, Chunk chunk, GlobalLongs size);
}
