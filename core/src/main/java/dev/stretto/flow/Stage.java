package dev.stretto.flow;

import dev.stretto.Stream;

/** What a flow does with each chunk on the device. */
@FunctionalInterface
public interface Stage {
  /**
   * Enqueues the work for a chunk: kernels that read {@code chunk.in()} and write {@code
   * chunk.out()}. The chunk has been copied in by then, and is copied out after it, in the order of
   * the stream. In a flow over several devices {@code stream.device()} says which one the chunk was
   * dealt to; see {@link FlowPlan#throughEach} for what has to be made for each. Called on threads
   * of the flow's, for one chunk of a slot at a time. What it throws stops the flow. It must not
   * await its own stream, which is held until it returns, nor the flow: where that would never end,
   * a {@link dev.stretto.fault.DeadlockException} is thrown.
   *
   * @param stream the chunk's stream, of the device that it was dealt to
   * @param chunk what is to be worked on; not to be kept
   */
  void enqueue(Stream stream, Chunk chunk);
}
