package dev.stretto.bench;

import com.sun.management.ThreadMXBean;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.Tasks;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Tasks beside streams written by hand, in turns: what the host pays for an operation, and how fast
 * a pipeline of chunks is.
 */
final class TaskCost {
  private static final int ROUNDS = 40;
  private static final int WARM_UP = 300;
  private static final int OPERATIONS = 400;
  private static final int STREAMS = 4;
  private static final int SMALL = 4096;

  private final Device device;
  private final Report report;
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  TaskCost(Device device, Report report) {
    this.device = device;
    this.report = report;
  }

  // --- the host
  // -------------------------------------------------------------------------------------------------------------

  /** Copies to some arrays, each with pinned memory of its own, round and round. */
  void copies() {
    for (int arrays : new int[] {1, 64, 10_000}) {
      try (PinnedArena arena = device.pinnedArena();
          GlobalBytes memory = device.allocateBytes((long) arrays * SMALL);
          Tasks tasks = device.tasks()) {
        List<Stream> streams = IntStream.range(0, STREAMS).mapToObj(_ -> device.stream()).toList();
        MemorySegment host = arena.allocate((long) arrays * SMALL, SMALL);
        GlobalBytes[] to = new GlobalBytes[arrays];
        MemorySegment[] from = new MemorySegment[arrays];
        for (int i = 0; i < arrays; i++) {
          to[i] = memory.slice((long) i * SMALL, SMALL);
          from[i] = host.asSlice((long) i * SMALL, SMALL);
        }
        compare(
            "copy-4k-" + arrays,
            i -> streams.get(i % arrays % STREAMS).copy(from[i % arrays], to[i % arrays]),
            i -> tasks.copy(from[i % arrays], to[i % arrays]));
        streams.forEach(Stream::close);
      }
    }
  }

  @Kernel
  static void scale(ThreadBlock block, GlobalInts x, GlobalInts y) {
    long i = block.globalIndexX();
    if (i < x.length()) {
      y.set(i, 3 * x.get(i) + 1);
    }
  }

  /** Launches of a method on some pairs of arrays. */
  void launches() {
    int pairs = 64;
    GlobalInts[] arrays = new GlobalInts[2 * pairs];
    Arrays.setAll(arrays, _ -> device.allocateInts(256));
    Grid grid = Grid.of(1, 256);
    try (Tasks tasks = device.tasks()) {
      List<Stream> streams = IntStream.range(0, STREAMS).mapToObj(_ -> device.stream()).toList();
      compare(
          "launch-" + pairs,
          i -> {
            int at = i % pairs;
            streams
                .get(at % STREAMS)
                .launch(grid, TaskCost::scale, arrays[2 * at], arrays[2 * at + 1]);
          },
          i -> {
            int at = i % pairs;
            tasks.launch(grid, TaskCost::scale, arrays[2 * at], arrays[2 * at + 1]);
          });
      streams.forEach(Stream::close);
    }
    Arrays.stream(arrays).forEach(GlobalInts::close);
  }

  /** Measures both in turns, in batches that the driver's queues take. */
  private void compare(String name, IntConsumer byHand, IntConsumer asTask) {
    for (int round = 0; round < WARM_UP; round++) {
      batch(byHand);
      batch(asTask);
    }
    double[][] nanos = new double[2][ROUNDS];
    long[] allocated = new long[2];
    for (int round = 0; round < ROUNDS; round++) {
      for (int way = 0; way < 2; way++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        nanos[way][round] = batch(way == 0 ? byHand : asTask);
        allocated[way] += threads.getCurrentThreadAllocatedBytes() - before;
      }
    }
    for (int way = 0; way < 2; way++) {
      Arrays.sort(nanos[way]);
      report.cost(
          (way == 0 ? "stream-" : "task-") + name,
          OPERATIONS,
          nanos[way][ROUNDS / 2],
          allocated[way] / (double) (ROUNDS * OPERATIONS));
    }
  }

  /** {@return how long an operation takes the host} */
  private double batch(IntConsumer operation) {
    long begin = System.nanoTime();
    for (int i = 0; i < OPERATIONS; i++) {
      operation.accept(i);
    }
    double nanos = (System.nanoTime() - begin) / (double) OPERATIONS;
    device.await();
    return nanos;
  }

  // --- a pipeline
  // -----------------------------------------------------------------------------------------------------------

  /** Chunks in, through a kernel, and out, by four streams and as a plain sequence of tasks. */
  void pipeline() {
    for (int mebibytes : new int[] {1, 2, 4, 16}) {
      int chunk = mebibytes << 18;
      int chunks = 1024 / mebibytes;
      try (PinnedArena arena = device.pinnedArena();
          GlobalInts x = device.allocateInts((long) STREAMS * chunk);
          GlobalInts y = device.allocateInts((long) STREAMS * chunk);
          Tasks tasks = device.tasks()) {
        MemorySegment in = arena.allocate(1L << 30, SMALL);
        MemorySegment out = arena.allocate(1L << 30, SMALL);
        List<Stream> streams = IntStream.range(0, STREAMS).mapToObj(_ -> device.stream()).toList();
        double[][] rates = new double[2][7];
        for (int round = -3; round < rates[0].length; round++) {
          for (int way = 0; way < 2; way++) {
            long begin = System.nanoTime();
            if (way == 0) {
              byHand(streams, in, x, y, out, chunks, chunk);
            } else {
              asTasks(tasks, in, x, y, out, chunks, chunk);
            }
            double rate = (1L << 30) / (double) (System.nanoTime() - begin);
            if (round >= 0) {
              rates[way][round] = rate;
            }
          }
        }
        for (int way = 0; way < 2; way++) {
          Arrays.sort(rates[way]);
          report.rate(
              (way == 0 ? "stream" : "task") + "-pipeline-" + mebibytes + "m",
              1L << 30,
              rates[way][rates[way].length / 2]);
        }
        streams.forEach(Stream::close);
      }
    }
  }

  private static void byHand(
      List<Stream> streams,
      MemorySegment in,
      GlobalInts x,
      GlobalInts y,
      MemorySegment out,
      int chunks,
      int chunk) {
    Grid grid = Grid.covering(chunk, 256);
    List<Event> ends = new ArrayList<>();
    for (int i = 0; i < chunks; i++) {
      Stream stream = streams.get(i % STREAMS);
      GlobalInts from = x.slice((long) i % STREAMS * chunk, chunk);
      GlobalInts to = y.slice((long) i % STREAMS * chunk, chunk);
      stream.copy(in.asSlice(4L * i * chunk, 4L * chunk), from);
      stream.launch(grid, TaskCost::scale, from, to);
      stream.copy(to, out.asSlice(4L * i * chunk, 4L * chunk));
    }
    streams.forEach(stream -> ends.add(stream.record()));
    ends.forEach(Event::await);
  }

  private static void asTasks(
      Tasks tasks,
      MemorySegment in,
      GlobalInts x,
      GlobalInts y,
      MemorySegment out,
      int chunks,
      int chunk) {
    Grid grid = Grid.covering(chunk, 256);
    for (int i = 0; i < chunks; i++) {
      GlobalInts from = x.slice((long) i % STREAMS * chunk, chunk);
      GlobalInts to = y.slice((long) i % STREAMS * chunk, chunk);
      tasks.copy(in.asSlice(4L * i * chunk, 4L * chunk), from);
      tasks.launch(grid, TaskCost::scale, from, to);
      tasks.copy(to, out.asSlice(4L * i * chunk, 4L * chunk));
    }
    tasks.await();
  }
}
