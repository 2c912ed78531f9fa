package dev.stretto.bench.sweep;

import dev.stretto.Awaitable;
import dev.stretto.CopyRequest;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Launches, graphs, waits, callbacks and batches of copies. */
final class Calls {
  private static final long SMALL = 4096;
  private static final int COPIES = 64;
  private static final int BATCH = 250; // of a cost; it fits into a stream's launch queue
  private static final int FEW = 8;

  private Calls() {}

  /** Something that is enqueued on a stream. */
  interface Call {
    void on(Stream stream);
  }

  static void launchPrepared(Bench bench, String way) {
    try (GlobalBytes array = bench.device().allocateBytes(SMALL)) {
      Launch launch = bench.device().prepare(Grid.of(1, 1), EmptyKernel.IMAGE, 1, array, 2f);
      all(bench, way, BATCH, bench.plan().operations(), stream -> stream.launch(launch));
    }
  }

  static void launchImage(Bench bench, String way) {
    try (GlobalBytes array = bench.device().allocateBytes(SMALL)) {
      Grid grid = Grid.of(1, 1);
      all(
          bench,
          way,
          BATCH,
          bench.plan().operations(),
          stream -> stream.launch(grid, EmptyKernel.IMAGE, 1, array, 2f));
    }
  }

  static void launchMethod(Bench bench, String way) {
    try (GlobalBytes array = bench.device().allocateBytes(SMALL)) {
      Grid grid = Grid.of(1, 1);
      all(
          bench,
          way,
          BATCH,
          bench.plan().operations(),
          stream -> stream.launch(grid, EmptyKernel::empty, 1, array, 2f));
    }
  }

  /** A chain of empty kernels. */
  static void graph(Bench bench, String way, int nodes) {
    try (GlobalBytes array = bench.device().allocateBytes(SMALL)) {
      Launch launch = bench.device().prepare(Grid.of(1, 1), EmptyKernel.IMAGE, 1, array, 2f);
      GraphBuilder builder = Graph.builder(bench.device());
      GraphNode[] before = {};
      for (int i = 0; i < nodes; i++) {
        before = new GraphNode[] {builder.launch(launch, before)};
      }
      try (Graph graph = builder.build();
          Stream stream = bench.device().stream()) {
        graph.instantiate().upload(stream).await();
        int operations = Math.max(2, bench.plan().operations() / (2 * nodes));
        one(bench, way, FEW, operations, stream, () -> stream.launch(graph));
        bench.meter().time(Cell.of(way), () -> graph.launch(stream).await());
      }
    }
  }

  /** A stream waits for a point of another one. */
  static void recordAndWait(Bench bench, String way) {
    try (Stream first = bench.device().stream();
        Stream second = bench.device().stream()) {
      Runnable operation = () -> second.waitFor(first.record());
      one(bench, way, BATCH, bench.plan().operations(), second, operation);
      bench
          .meter()
          .time(
              Cell.of(way),
              () -> {
                operation.run();
                second.await();
              });
    }
  }

  /** A small copy, an event after it, and a wait for the event. */
  static void awaitEvent(Bench bench, String way) {
    try (HostMemory host = HostMemory.of(HostMemory.Kind.PINNED, bench.device(), SMALL);
        GlobalBytes array = bench.device().allocateBytes(SMALL);
        Stream stream = bench.device().stream()) {
      Pattern.fill(host.segment());
      bench
          .meter()
          .time(
              Cell.of(way),
              () -> {
                Awaitable _ = stream.copy(host.segment(), array);
                stream.record().await();
              });
      bench.data().require(array, _ -> true);
    }
  }

  static void callback(Bench bench, String way) {
    AtomicInteger called = new AtomicInteger();
    int expected = Math.min(BATCH, bench.plan().operations());
    try (Stream stream = bench.device().stream()) {
      Runnable operation =
          () -> {
            Event _ = stream.then(called::incrementAndGet);
          };
      one(bench, way, BATCH, expected, stream, operation);
      bench.meter().time(Cell.of(way), () -> stream.then(called::incrementAndGet).await());
      called.set(0);
      repeat(expected, operation);
      stream.await();
    }
    if (called.get() != expected) {
      throw new IllegalStateException(called + " callbacks ran, not " + expected);
    }
  }

  /** 64 copies of 4 KiB as a batch. */
  static void copyAll(Bench bench, String way) {
    try (HostMemory host = HostMemory.of(HostMemory.Kind.PINNED, bench.device(), COPIES * SMALL);
        GlobalBytes array = bench.device().allocateBytes(COPIES * SMALL);
        Stream stream = bench.device().stream()) {
      MemorySegment segment = host.segment();
      Pattern.fill(segment);
      List<CopyRequest> requests =
          IntStream.range(0, COPIES)
              .mapToObj(
                  i ->
                      CopyRequest.of(
                          segment.asSlice(i * SMALL, SMALL), array.slice(i * SMALL, SMALL)))
              .toList();
      int operations = Math.max(2, bench.plan().operations() / COPIES);
      Runnable operation =
          () -> {
            Awaitable _ = stream.copyAll(requests);
          };
      one(bench, way, FEW, operations, stream, operation);
      bench.meter().time(Cell.of(way), () -> stream.copyAll(requests).await());
      bench.data().require(array, _ -> true);
    }
  }

  /** Rates on several streams, cost, and time. */
  private static void all(Bench bench, String way, int batch, int operations, Call call) {
    for (int count : Plan.STREAMS) {
      bench.withStreams(
          count,
          streams ->
              bench
                  .meter()
                  .rate(
                      Cell.of(way, 0, count),
                      operations,
                      0,
                      () -> {
                        for (int i = 0; i < operations; i++) {
                          call.on(streams.get(i % streams.size()));
                        }
                        Bench.await(streams);
                      }));
    }
    try (Stream stream = bench.device().stream()) {
      cost(bench, way, batch, stream, () -> call.on(stream));
      bench
          .meter()
          .time(
              Cell.of(way),
              () -> {
                call.on(stream);
                stream.await();
              });
    }
  }

  /** The rate and the cost of an operation that the last of its streams ends. */
  private static void one(
      Bench bench, String way, int batch, int operations, Stream last, Runnable operation) {
    bench
        .meter()
        .rate(
            Cell.of(way),
            operations,
            0,
            () -> {
              repeat(operations, operation);
              last.await();
            });
    cost(bench, way, batch, last, operation);
  }

  private static void cost(Bench bench, String way, int batch, Stream stream, Runnable operation) {
    bench.meter().cost(Cell.of(way), batch, () -> repeat(batch, operation), stream::await);
  }

  private static void repeat(int times, Runnable operation) {
    for (int i = 0; i < times; i++) {
      operation.run();
    }
  }
}
