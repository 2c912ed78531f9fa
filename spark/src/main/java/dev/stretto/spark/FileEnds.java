package dev.stretto.spark;

import dev.stretto.Stream;
import dev.stretto.flow.Chunk;
import dev.stretto.flow.FlowPlan;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * A split of a file: the flow reads it by itself, and each chunk comes back as one result.
 *
 * @param result how the result of a chunk lies in its memory
 * @param source opens the bytes, again if a flow could not begin
 * @param records ends chunks where records end
 * @param stage makes the result of a chunk
 */
record FileEnds<R>(
    ChunkOfFile<R> result, Supplier<SplitSource> source, SparkSplitter records, SparkStage stage)
    implements ChunkEnds<R> {
  /** A chunk's result: of a size that is known, or as many bytes as the chunk has. */
  interface ChunkOfFile<R> {
    /** {@return of a chunk of so many bytes} */
    long bytes(long chunkBytes);

    /** {@return whether it has as many bytes as the chunk} */
    boolean keepsSize();

    R read(MemorySegment from);
  }

  @Override
  public int bytesIn() {
    return 1;
  }

  @Override
  public int bytesOut() {
    return 1;
  }

  @Override
  public FlowPlan from(FlowPlan plan, Exchange exchange) {
    return plan.from(source.get()).granularity(1).split(records);
  }

  @Override
  public long fill(MemorySegment into) {
    throw new IllegalStateException("a file is read by the flow");
  }

  @Override
  public void enqueue(Stream stream, Chunk chunk) {
    stage.enqueue(stream, chunk);
  }

  @Override
  public long leaving(long chunkBytes) {
    return result.bytes(chunkBytes);
  }

  @Override
  public boolean keepsSize() {
    return result.keepsSize();
  }

  @Override
  public long results(MemorySegment from) {
    return 1;
  }

  @Override
  public R take(MemorySegment from, long row) {
    return result.read(from);
  }
}
