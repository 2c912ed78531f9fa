package dev.stretto.bench;

import dev.stretto.CopyRequest;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory in stream order, graphs, waits, and batches of copies: what they cost the host, and how
 * long it takes until a thread that awaits work knows that it is done.
 */
final class AsyncJobs {
  private static final int NODES = 64; // of a graph, and copies of a batch
  private static final long COPY_BYTES = 4096;

  private AsyncJobs() {}

  // --- memory in the order of a stream

  static void allocateAndFree(AsyncBench bench, String name, long bytes) {
    try (Stream stream = bench.device().stream()) {
      bench.cost(name, bench.size().pairs(), () -> stream.allocateBytes(bytes).close());
    }
  }

  /** Memory that is allocated and freed on one stream, and used on another. */
  static void allocateUseAndFree(AsyncBench bench) {
    try (Stream owner = bench.device().stream();
        Stream user = bench.device().stream();
        GlobalBytes array = bench.device().allocateBytes(4096)) {
      Launch launch = emptyLaunch(bench, array);
      bench.cost(
          "allocate-use-free",
          bench.size().pairs(),
          () -> {
            GlobalBytes used = owner.allocateBytes(4096);
            user.waitFor(owner.record());
            user.launch(launch.set(1, used));
            used.close();
          });
    }
  }

  // --- graphs

  /**
   * Empty kernels, one after the other or concurrently: the time to launch them, and until they are
   * done.
   */
  static void kernels(AsyncBench bench, String name, boolean chain) {
    try (GlobalBytes array = bench.device().allocateBytes(4096)) {
      Launch launch = emptyLaunch(bench, array);
      GraphBuilder builder = Graph.builder(bench.device());
      GraphNode[] before = {};
      for (int i = 0; i < NODES; i++) {
        GraphNode node = builder.launch(launch, before);
        before = chain ? new GraphNode[] {node} : before;
      }
      try (Graph graph = builder.build()) {
        measure(bench, name, graph);
      }
    }
  }

  /** Copies of pinned memory to the device, one after the other or concurrently. */
  static void copies(AsyncBench bench, String name, boolean chain) {
    try (Copied copied = new Copied(bench)) {
      GraphBuilder builder = Graph.builder(bench.device());
      GraphNode[] before = {};
      for (int i = 0; i < NODES; i++) {
        GraphNode node = builder.copy(copied.source(i), copied.destination(i), before);
        before = chain ? new GraphNode[] {node} : before;
      }
      try (Graph graph = builder.build()) {
        measure(bench, name, graph);
      }
      copied.compare();
    }
  }

  private static void measure(AsyncBench bench, String name, Graph graph) {
    try (Stream stream = bench.device().stream()) {
      graph.instantiate().upload(stream).await();
      bench.cost(name, bench.size().launches(), () -> stream.launch(graph));
      bench.cost(name + "-event", bench.size().launches(), () -> graph.launch(stream));
      bench.latency(name + "-done", bench.size().samples(), () -> graph.launch(stream).await());
    }
  }

  // --- waiting

  /** From before the launch of a kernel until the thread continues after awaiting an event. */
  static void awaitEvent(AsyncBench bench) {
    try (Stream stream = bench.device().stream();
        GlobalBytes array = bench.device().allocateBytes(4096)) {
      awaitEvent(bench, "await-event", bench.size().samples(), stream, emptyLaunch(bench, array));
    }
  }

  /** The same with a kernel that runs for a number of nanoseconds. */
  static void awaitEvent(AsyncBench bench, String name, long nanos, int samples) {
    try (Stream stream = bench.device().stream()) {
      Launch spin = bench.device().prepare(Grid.of(1, 1), Gate::spin, nanos);
      awaitEvent(bench, name, samples, stream, spin);
    }
  }

  private static void awaitEvent(
      AsyncBench bench, String name, int samples, Stream stream, Launch launch) {
    bench.latency(
        name,
        samples,
        () -> {
          stream.launch(launch);
          stream.record().await();
        });
  }

  // --- batches of copies

  static void copyAll(AsyncBench bench) {
    try (Stream stream = bench.device().stream();
        Copied copied = new Copied(bench)) {
      List<CopyRequest> requests = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        requests.add(CopyRequest.of(copied.source(i), copied.destination(i)));
      }
      bench.cost("copy-all", bench.size().launches(), () -> stream.copyAll(requests));
      bench.latency(
          "copy-all-done", bench.size().samples(), () -> stream.copyAll(requests).await());
      copied.compare();
    }
  }

  // --- resources

  private static Launch emptyLaunch(AsyncBench bench, GlobalBytes array) {
    DeviceKernel kernel = SubmitCost.EMPTY;
    return bench.device().prepare(Grid.of(1, 1), kernel, 1, array, 2f);
  }

  /** Pinned memory with a pattern, and device memory of the same size to copy it to, in parts. */
  private static final class Copied implements AutoCloseable {
    private final AsyncBench bench;
    private final PinnedArena arena;
    private final MemorySegment source;
    private final GlobalBytes destination;

    Copied(AsyncBench bench) {
      this.bench = bench;
      this.arena = bench.device().pinnedArena();
      this.source = arena.allocate(NODES * COPY_BYTES, 4096);
      this.destination = bench.device().allocateBytes(NODES * COPY_BYTES);
      for (long i = 0; i < source.byteSize(); i++) {
        source.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + i / 251 + 7));
      }
      try (Stream stream = bench.device().stream()) {
        stream.fill(destination, (byte) 0xA5).await();
      }
    }

    MemorySegment source(int part) {
      return source.asSlice(part * COPY_BYTES, COPY_BYTES);
    }

    GlobalBytes destination(int part) {
      return destination.slice(part * COPY_BYTES, COPY_BYTES);
    }

    void compare() {
      MemorySegment back = MemorySegment.ofArray(new byte[(int) source.byteSize()]);
      try (Stream stream = bench.device().stream()) {
        stream.copy(destination, back).await();
      }
      long wrong = source.mismatch(back);
      if (wrong >= 0) {
        throw new IllegalStateException("byte " + wrong + " differs from the source");
      }
    }

    @Override
    public void close() {
      destination.close();
      arena.close();
    }
  }
}
