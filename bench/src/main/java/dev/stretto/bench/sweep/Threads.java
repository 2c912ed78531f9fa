package dev.stretto.bench.sweep;

import dev.stretto.Awaitable;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Threads that enqueue on streams of their own: operations a second of all of them together, from
 * the common start until the last operation is done.
 */
final class Threads {
  private static final int MOST = 16;
  private static final int MOST_OPERATIONS = 1000;

  private Threads() {}

  static void launches(Bench bench, String way) {
    try (GlobalBytes array = bench.device().allocateBytes(4096)) {
      Launch launch = bench.device().prepare(Grid.of(1, 1), EmptyKernel.IMAGE, 1, array, 2f);
      sweep(bench, way, 0, (stream, _) -> stream.launch(launch));
    }
  }

  /** Copies, each thread from memory of its own to an array of its own. */
  static void copies(Bench bench, String way, HostMemory.Kind kind, long size) {
    try (HostMemory host = HostMemory.of(kind, bench.device(), size * MOST);
        GlobalBytes array = bench.device().allocateBytes(size * MOST)) {
      Pattern.fill(host.segment());
      List<MemorySegment> from = new ArrayList<>();
      List<GlobalBytes> to = new ArrayList<>();
      for (int i = 0; i < MOST; i++) {
        from.add(host.segment().asSlice(i * size, size));
        to.add(array.slice(i * size, size));
      }
      sweep(
          bench,
          way,
          size,
          (stream, i) -> {
            Awaitable _ = stream.copy(from.get(i), to.get(i));
          });
      bench.data().require(array, _ -> true);
    }
  }

  /** What a thread enqueues. */
  private interface Operation {
    void enqueue(Stream stream, int thread);
  }

  private static void sweep(Bench bench, String way, long size, Operation operation) {
    int each = Math.min(MOST_OPERATIONS, bench.plan().operations());
    for (int count : Plan.THREADS) {
      bench.withStreams(count, streams -> rate(bench, way, size, each, streams, operation));
    }
  }

  private static void rate(
      Bench bench, String way, long size, int each, List<Stream> streams, Operation operation) {
    int count = streams.size();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    try (Crew crew =
        new Crew(
            count,
            thread -> {
              try {
                for (int i = 0; i < each; i++) {
                  operation.enqueue(streams.get(thread), thread);
                }
              } catch (RuntimeException | Error e) {
                failure.set(e);
              }
            })) {
      bench
          .meter()
          .rate(
              new Cell(way, size, count, count),
              each * count,
              0,
              () -> {
                crew.work();
                Bench.await(streams);
              });
    }
    if (failure.get() != null) {
      throw new IllegalStateException("a thread failed", failure.get());
    }
  }
}
