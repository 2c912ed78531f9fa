package dev.stretto.bench.file;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.flow.Chunk;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowPlan;
import dev.stretto.flow.FlowProgress;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalLongs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The flows that are measured: a file into a sum, and into another file.
 *
 * @param device they go through
 * @param chunk bytes of a chunk; 0 if the flow chooses
 * @param depth chunks in flight; 0 if the flow chooses
 */
record FileFlows(Device device, long chunk, int depth) {
  private static final int BLOCKS = 264;
  private static final int THREADS = 256;
  private static final Grid GRID = Grid.of(BLOCKS, THREADS);

  /** Adds all numbers of a chunk to each other. */
  @Kernel
  static void sums(ThreadBlock block, GlobalLongs in, GlobalLongs sum, long count) {
    long all = 0;
    long step = (long) BLOCKS * THREADS;
    for (long i = block.globalIndexX(); i < count; i += step) {
      all += in.get(i);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
      all += block.warp().shuffleDown(all, distance);
    }
    if (block.warp().lane() == 0) {
      Atomics.add(sum, 0, all);
    }
  }

  /** Adds one to each number of a chunk. */
  @Kernel
  static void increments(ThreadBlock block, GlobalLongs numbers, long count) {
    long step = (long) BLOCKS * THREADS;
    for (long i = block.globalIndexX(); i < count; i += step) {
      numbers.set(i, numbers.get(i) + 1);
    }
  }

  /** {@return the report of a flow into a sum} Awaits it. */
  FlowReport sum(Source source, Consumer<FlowProgress> listener) {
    try (Arena arena = Arena.ofShared()) {
      return startSum(source, listener, arena.allocate(8)).await();
    }
  }

  /** {@return a flow into a sum, which runs} */
  Flow startSum(Source source, Consumer<FlowProgress> listener, MemorySegment sum) {
    return sized(
            Flow.on(device)
                .from(source)
                .through(FileFlows::enqueueSum)
                .onProgress(listener)
                .reduce(
                    sum,
                    (all, each) ->
                        all.set(
                            ValueLayout.JAVA_LONG,
                            0,
                            all.get(ValueLayout.JAVA_LONG, 0)
                                + each.get(ValueLayout.JAVA_LONG, 0))))
        .start();
  }

  /** {@return the report of a flow into another file, each number one larger} Awaits it. */
  FlowReport copy(Path from, Path to) {
    return sized(
            Flow.on(device)
                .from(Source.file(from))
                .through(FileFlows::enqueueIncrement)
                .inPlace()
                .to(Sink.file(to)))
        .start()
        .await();
  }

  private FlowPlan sized(FlowPlan plan) {
    if (chunk > 0) {
      plan.chunkBytes(chunk);
    }
    if (depth > 0) {
      plan.depth(depth);
    }
    return plan;
  }

  private static void enqueueSum(Stream stream, Chunk chunk) {
    stream.fill(chunk.out(), (byte) 0);
    stream.launch(
        GRID,
        FileFlows::sums,
        chunk.in().asLongs(),
        chunk.out().asLongs(),
        chunk.byteSize() / Long.BYTES);
  }

  private static void enqueueIncrement(Stream stream, Chunk chunk) {
    stream.launch(
        GRID, FileFlows::increments, chunk.out().asLongs(), chunk.byteSize() / Long.BYTES);
  }
}
