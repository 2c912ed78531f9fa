package dev.stretto.bench.sweep;

import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;

/** Device memory in the order of streams and out of it, and pinned memory. */
final class Allocations {
  private static final int BATCH = 250; // of a cost; it fits into a stream's launch queue

  private Allocations() {}

  static void inOrder(Bench bench, String way) {
    for (long size : bench.plan().sizes()) {
      inOrder(bench, way, size, stream -> stream.allocateBytes(size).close());
    }
  }

  /** Memory that a kernel gets before it is freed. */
  static void used(Bench bench, String way) {
    try (GlobalBytes array = bench.device().allocateBytes(4096)) {
      Launch launch = bench.device().prepare(Grid.of(1, 1), EmptyKernel.IMAGE, 1, array, 2f);
      for (long size : bench.plan().sizes()) {
        inOrder(
            bench,
            way,
            size,
            stream -> {
              try (GlobalBytes used = stream.allocateBytes(size)) {
                stream.launch(launch.set(1, used));
              }
            });
      }
    }
  }

  private static void inOrder(Bench bench, String way, long size, Calls.Call call) {
    int operations = bench.plan().operations();
    for (int count : Plan.STREAMS) {
      bench.withStreams(
          count,
          streams ->
              bench
                  .meter()
                  .rate(
                      Cell.of(way, size, count),
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
      bench
          .meter()
          .cost(
              Cell.of(way, size),
              BATCH,
              () -> {
                for (int i = 0; i < BATCH; i++) {
                  call.on(stream);
                }
              },
              stream::await);
      bench
          .meter()
          .time(
              Cell.of(way, size),
              () -> {
                call.on(stream);
                stream.await();
              });
    }
  }

  static void ofDevice(Bench bench, String way) {
    for (long size : bench.plan().sizes()) {
      bench.meter().time(Cell.of(way, size), () -> bench.device().allocateBytes(size).close());
    }
  }

  /** Allocates pinned memory; that it is released afterwards does not count. */
  static void pinned(Bench bench, String way) {
    for (long size : bench.plan().sizes()) {
      bench.meter().timed(Cell.of(way, size), () -> pin(bench, size));
    }
  }

  private static long pin(Bench bench, long size) {
    long before = bench.device().pinned().usedBytes();
    long took;
    try (PinnedArena arena = bench.device().pinnedArena()) {
      long begin = System.nanoTime();
      MemorySegment segment = arena.allocate(size, 4096);
      took = System.nanoTime() - begin;
      if (segment.byteSize() != size) {
        throw new IllegalStateException("not " + size + " bytes: " + segment);
      }
    }
    while (bench.device().pinned().usedBytes() > before) {
      LockSupport.parkNanos(20_000); // it is unpinned in the background
    }
    return took;
  }
}
