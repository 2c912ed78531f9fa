package dev.stretto.bench;

import com.sun.management.ThreadMXBean;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What it costs the host that the order is checked: the same operations on a device of each kind,
 * in turns, beside many streams and arrays that are alive.
 */
final class OrderCost {
  private static final int STREAMS = 64;
  private static final int ARRAYS = 10_000;
  private static final int INTS = 1024;
  private static final int ROUNDS = 60;
  private static final int WARM_UP = 400;
  private static final int OPERATIONS = 256;
  private static final Grid GRID = Grid.of(1, 256);

  @Kernel
  static void scale(ThreadBlock block, GlobalInts x, GlobalInts y) {
    long i = block.globalIndexX();
    if (i < x.length()) {
      y.set(i, 3 * x.get(i) + 1);
    }
  }

  /** An operation, the same for each round of turns. */
  private interface Operation {
    void run(Hands with, int number);
  }

  /** A device with all that is alive beside an operation. */
  private static final class Hands implements AutoCloseable {
    final Device device;
    final PinnedArena arena;
    final MemorySegment host;
    final Stream[] streams = new Stream[STREAMS];
    final GlobalInts[] arrays = new GlobalInts[ARRAYS];

    Hands(String name) {
      device = Device.open(name);
      arena = device.pinnedArena();
      host = arena.allocate((long) STREAMS * INTS * Integer.BYTES, 4096);
      Arrays.setAll(streams, _ -> device.stream());
      Arrays.setAll(arrays, _ -> device.allocateInts(INTS));
      for (int i = 0; i < ARRAYS; i++) {
        streams[i % STREAMS].fill(arrays[i], 0);
        if (i % OPERATIONS == 0) {
          device.await();
        }
      }
      device.await();
    }

    Stream stream(int number) {
      return streams[number % STREAMS];
    }

    /** {@return an array that only one stream uses} */
    GlobalInts array(int number) {
      return arrays[number % STREAMS + number / STREAMS % (ARRAYS / STREAMS) * STREAMS];
    }

    /** {@return another one of the same stream} */
    GlobalInts next(int number) {
      return array(number + STREAMS);
    }

    MemorySegment host(int number) {
      return host.asSlice((long) (number % STREAMS) * INTS * Integer.BYTES, INTS * Integer.BYTES);
    }

    @Override
    public void close() {
      device.close();
    }
  }

  private final String device;
  private final Report report;
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /**
   * Creates a benchmark.
   *
   * @param device the name of a device, without an order
   */
  OrderCost(String device, Report report) {
    this.device = device;
    this.report = report;
  }

  /**
   * Measures.
   *
   * @param wanted the names of operations; all if there is none
   */
  void run(List<String> wanted) {
    Map<String, Operation> operations = new TreeMap<>();
    operations.put("fill", (with, i) -> with.stream(i).fill(with.array(i), i));
    operations.put("copy-4k-in", (with, i) -> with.stream(i).copy(with.host(i), with.array(i)));
    operations.put("copy-4k-out", (with, i) -> with.stream(i).copy(with.array(i), with.host(i)));
    operations.put("copy-4k-within", (with, i) -> with.stream(i).copy(with.array(i), with.next(i)));
    operations.put(
        "launch",
        (with, i) -> with.stream(i).launch(GRID, OrderCost::scale, with.array(i), with.next(i)));
    operations.put(
        "record-wait",
        (with, i) -> {
          Event event = with.stream(i).record();
          with.stream(i + 1).waitFor(event);
        });
    if (!wanted.isEmpty()) {
      operations.keySet().retainAll(wanted);
    }
    try (Hands off = new Hands(named("off"));
        Hands checked = new Hands(named("checked"))) {
      List<Hands> both = List.of(off, checked);
      operations.forEach((name, operation) -> compare(name, operation, both));
    }
  }

  private String named(String order) {
    return device + (device.contains(":") ? "," : ":") + "order=" + order;
  }

  private void compare(String name, Operation operation, List<Hands> both) {
    for (int round = 0; round < WARM_UP; round++) {
      both.forEach(with -> batch(operation, with));
    }
    double[][] nanos = new double[2][ROUNDS];
    long[] allocated = new long[2];
    for (int round = 0; round < ROUNDS; round++) {
      for (int way = 0; way < 2; way++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        nanos[way][round] = batch(operation, both.get(way));
        allocated[way] += threads.getCurrentThreadAllocatedBytes() - before;
      }
    }
    for (int way = 0; way < 2; way++) {
      Arrays.sort(nanos[way]);
      report.cost(
          (way == 0 ? "off-" : "checked-") + name,
          OPERATIONS,
          nanos[way][ROUNDS / 2],
          allocated[way] / (double) (ROUNDS * OPERATIONS));
    }
  }

  /** {@return how long an operation takes the host} */
  private static double batch(Operation operation, Hands with) {
    long begin = System.nanoTime();
    for (int i = 0; i < OPERATIONS; i++) {
      operation.run(with, i);
    }
    double nanos = (System.nanoTime() - begin) / (double) OPERATIONS;
    with.device.await();
    return nanos;
  }
}
