package dev.stretto.flow;

import dev.stretto.Stream;

/** What a flow does with each chunk on the device. */
@FunctionalInterface
public interface Stage {
  /**
   * Enqueues the work for a chunk: kernels that read {@code chunk.in()} and write {@code
   * chunk.out()}. The chunk is copied in before this work, and copied out after it, in stream
   * order. In a flow over several devices {@code stream.device()} is the device that the chunk was
   * assigned to; see {@link FlowPlan#throughEach} for objects that each device needs. The flow
   * calls this on its own threads, for one chunk of a slot at a time. An exception stops the flow.
   * The stage must not await its own stream, which is held until it returns, nor the flow: if that
   * could never end, a {@link dev.stretto.fault.DeadlockException} is thrown.
   *
   * @param stream the chunk's stream, of the device that it was assigned to
   * @param chunk the chunk to work on; do not keep it
   */
  void enqueue(Stream stream, Chunk chunk);
}
