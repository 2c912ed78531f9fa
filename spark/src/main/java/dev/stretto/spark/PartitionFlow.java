package dev.stretto.spark;

import dev.stretto.Device;
import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowPlan;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * A partition on its way through the device. The caller's thread moves rows into the flow's pinned
 * buffers and results out of them, as it asks for results; the copies and the stage run meanwhile.
 */
final class PartitionFlow<R> implements Iterator<R> {
  private static final long LOOK_MILLIS = 100;

  private final ChunkEnds<R> ends;
  private final TaskContext context = Objects.requireNonNull(TaskContext.get(), "task");
  private final Exchange exchange = new Exchange();
  private final TaskFlow flow;
  private @Nullable MemorySegment result;
  private long row;
  private boolean ended;

  PartitionFlow(ChunkEnds<R> ends) {
    this.ends = ends;
    TaskDevice task = SparkDevices.ofTask();
    ChunkSize size = ChunkSize.of(task, ends.bytesIn(), ends.bytesOut());
    flow = task.flow(size.pinnedBytes(), exchange, device -> plan(device, size));
  }

  private FlowPlan plan(Device device, ChunkSize size) {
    FlowPlan plan =
        ends.from(Flow.on(device), exchange)
            .chunkBytes(size.bytes())
            .depth(size.depth())
            .to(exchange.sink());
    if (ends.keepsSize()) {
      return plan.through(ends::enqueue);
    }
    return plan.through(
        (stream, chunk, bytes) -> {
          ends.enqueue(stream, chunk);
          stream.fill(bytes, ends.leaving(chunk.byteSize()));
        },
        ends::leaving);
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
    if (into != null) { // or else the flow has failed meanwhile
      exchange.filled(ends.fill(into));
    }
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
    R taken = ends.take(from, row);
    row++;
    if (row == ends.results(from)) {
      row = 0;
      result = null;
      exchange.taken();
    }
    return taken;
  }
}
