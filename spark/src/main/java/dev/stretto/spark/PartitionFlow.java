package dev.stretto.spark;

import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowPlan;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a partition on their way through the device. The caller's thread moves them into
 * the flow's pinned buffers and out of them, as it asks for results; the copies and the stage run
 * meanwhile.
 */
final class PartitionFlow<T, R> implements Iterator<R> {
  private static final long LOOK_MILLIS = 100;

  private final Iterator<T> from;
  private final Rows<T> rowsIn;
  private final Rows<R> rowsOut;
  private final TaskContext context = Objects.requireNonNull(TaskContext.get(), "task");
  private final Exchange exchange = new Exchange();
  private final Flow flow;
  private @Nullable MemorySegment result;
  private long position;
  private boolean ended;

  PartitionFlow(Iterator<T> from, Rows<T> rowsIn, Rows<R> rowsOut, SparkStage stage) {
    this.from = from;
    this.rowsIn = rowsIn;
    this.rowsOut = rowsOut;
    TaskDevice task = SparkDevices.ofTask();
    int in = rowsIn.byteSize();
    int out = rowsOut.byteSize();
    ChunkSize size = ChunkSize.of(task, in, out);
    flow =
        task.flow(
            size.pinnedBytes(),
            exchange::end,
            device -> {
              FlowPlan plan =
                  Flow.on(device)
                      .from(exchange.source())
                      .granularity(in)
                      .chunkBytes(size.bytes())
                      .depth(size.depth());
              return (in == out
                      ? plan.through(stage)
                      : plan.through(
                          (stream, chunk, bytes) -> {
                            stage.enqueue(stream, chunk);
                            stream.fill(bytes, chunk.byteSize() / in * out);
                          },
                          most -> most / in * out))
                  .to(exchange.sink());
            });
    CompletableFuture<?> _ = flow.toCompletableFuture().whenComplete((_, _) -> exchange.end());
  }

  @Override
  public boolean hasNext() {
    while (result == null && !ended) {
      step();
    }
    return result != null;
  }

  private void step() {
    context.killTaskIfInterrupted();
    try {
      switch (exchange.next(LOOK_MILLIS)) {
        case TAKE -> result = exchange.toTake();
        case FILL -> fill();
        case END -> end();
        case WAIT -> {}
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AwaitInterruptedException("interrupted while a task awaited its flow", e);
    }
  }

  private void fill() {
    MemorySegment into = exchange.toFill();
    if (into == null) {
      return; // the flow has failed meanwhile
    }
    long offset = 0;
    while (offset < into.byteSize() && from.hasNext()) {
      rowsIn.write(from.next(), into, offset);
      offset += rowsIn.byteSize();
    }
    exchange.filled(offset);
  }

  /** Throws what has failed, if something has. */
  private void end() {
    ended = true;
    var _ = flow.await();
  }

  @Override
  public R next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the partition has ended");
    }
    MemorySegment from = Objects.requireNonNull(result, "result");
    R row = rowsOut.read(from, position);
    position += rowsOut.byteSize();
    if (position >= from.byteSize()) {
      position = 0;
      result = null;
      exchange.taken();
    }
    return row;
  }
}
