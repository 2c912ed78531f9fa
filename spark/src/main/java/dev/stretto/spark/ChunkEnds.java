package dev.stretto.spark;

import dev.stretto.Stream;
import dev.stretto.flow.Chunk;
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
