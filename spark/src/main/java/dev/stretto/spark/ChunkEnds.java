package dev.stretto.spark;

import dev.stretto.Stream;
import dev.stretto.flow.Chunk;
import dev.stretto.flow.FlowPlan;
import java.lang.foreign.MemorySegment;

/**
 * What a partition's flow does with its chunks: on the task's thread before and after the device,
 * and on the device.
 */
interface ChunkEnds<R> {
  /** {@return how many bytes a row has as it comes in} */
  int bytesIn();

  /** {@return how many bytes a row has as it goes out} */
  int bytesOut();

  /** {@return the plan with its source; by default, the task's thread fills the chunks} */
  default FlowPlan from(FlowPlan plan, Exchange exchange) {
    return plan.from(exchange.source()).granularity(bytesIn());
  }

  /** {@return how many bytes leave the device of a chunk of so many} */
  default long leaving(long chunkBytes) {
    return chunkBytes / bytesIn() * bytesOut();
  }

  /** {@return whether each chunk leaves with as many bytes as it has} */
  default boolean keepsSize() {
    return bytesIn() == bytesOut();
  }

  /** {@return how many results are in what has left the device of a chunk} */
  default long results(MemorySegment from) {
    return from.byteSize() / bytesOut();
  }

  /**
   * Fills a chunk, unless the partition ends before.
   *
   * @return how many bytes it has then
   */
  long fill(MemorySegment into);

  /** Enqueues what makes the chunk's results. */
  void enqueue(Stream stream, Chunk chunk);

  /** {@return a row's result} Rows are asked for in their order. */
  R take(MemorySegment from, long row);
}
