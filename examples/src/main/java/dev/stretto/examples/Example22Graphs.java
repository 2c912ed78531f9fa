package dev.stretto.examples;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.GraphException;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Graphs: the work of two streams is captured and launched again, also with other arguments; a loop
 * that runs on the device by itself searches for shortest paths; operations that cannot be captured
 * are refused.
 */
final class Example22Graphs {
  private static final int COUNT = 1 << 20;
  private static final int CITIES = 5000;
  private static final int ROADS = 3;
  private static final int FAR = 1 << 29;
  private static final Grid GRID = Grid.covering(COUNT, 256);

  private Example22Graphs() {}

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0])) {
      System.out.println(device + ", because " + device.reason() + "\n");
      capture(device);
      search(device);
      refused(device);
    }
  }

  @Kernel
  static void scale(ThreadBlock block, GlobalInts in, GlobalInts out, int factor) {
    long i = block.globalIndexX();
    if (i < in.length()) {
      out.set(i, in.get(i) * factor);
    }
  }

  @Kernel
  static void add(ThreadBlock block, GlobalInts to, GlobalInts from) {
    long i = block.globalIndexX();
    if (i < to.length()) {
      to.set(i, to.get(i) + from.get(i));
    }
  }

  // --- what streams do, again and again
  // ---------------------------------------------------------

  private static void capture(Device device) {
    try (Stream stream = device.stream();
        Stream side = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts x = device.allocateInts(COUNT);
        GlobalInts y = device.allocateInts(COUNT);
        GlobalInts z = device.allocateInts(COUNT)) {
      MemorySegment in = pinned.allocate(ValueLayout.JAVA_INT, COUNT);
      MemorySegment out = pinned.allocate(ValueLayout.JAVA_INT, COUNT);
      // @start region="capture"
      Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.copy(in, x);
                side.waitFor(stream.record());
                stream.launch(GRID, Example22Graphs::scale, x, y, 2);
                side.launch(GRID, Example22Graphs::scale, x, z, 3);
                stream.waitFor(side.record());
                stream.launch(GRID, Example22Graphs::add, y, z);
                stream.copy(y, out);
              });
      // @end
      // @start region="launch"
      for (int round = 1; round <= 3; round++) {
        in.setAtIndex(ValueLayout.JAVA_INT, 7, round);
        graph.launch(stream).await();
        System.out.println("round " + round + ": " + out.getAtIndex(ValueLayout.JAVA_INT, 7));
      }
      // @end
      // @start region="change"
      GraphNode triple = graph.nodes().get(2);
      graph.setArgument(triple, 2, 1000);
      graph.launch(stream).await();
      // @end
      System.out.println("changed: " + out.getAtIndex(ValueLayout.JAVA_INT, 7));
      graph.nodes().forEach(System.out::println);
      graph.close();
    }
  }

  // --- a loop on the device
  // ---------------------------------------------------------------------

  // @start region="kernel"
  /** One round: the distance of each city, from those of its neighbours in the round before. */
  @Kernel
  static void lookAround(
      ThreadBlock block, GlobalInts roads, GlobalInts far, GlobalInts nearer, GlobalInts changed) {
    int city = (int) block.globalIndexX();
    if (city < far.length()) {
      int best = far.get(city);
      for (int road = 0; road < ROADS; road++) {
        int from = roads.get(city * ROADS + road);
        best = Math.min(best, far.get(from) + length(from, city));
      }
      nearer.set(city, best);
      if (best < far.get(city)) {
        Atomics.max(changed, 0, 1);
      }
    }
  }

  // @end

  private static int length(int from, int to) {
    return 1 + (from ^ to) % 100;
  }

  private static void search(Device device) {
    int[] map = map();
    try (Stream stream = device.stream();
        GlobalInts roads = device.allocateInts(map.length);
        GlobalInts far = device.allocateInts(CITIES);
        GlobalInts nearer = device.allocateInts(CITIES);
        GlobalInts state = device.allocateInts(2)) {
      stream.copy(map, roads);
      Grid grid = Grid.covering(CITIES, 128);
      // @start region="loop"
      GlobalInts changed = state.slice(0, 1);
      GraphBuilder builder = Graph.builder(device);
      GraphNode unknown = builder.fill(far, FAR);
      GraphNode start = builder.fill(far.slice(0, 1), 0, unknown);
      GraphNode first = builder.fill(changed, 1);
      builder.whileNonZero(
          changed,
          body -> {
            GraphNode settled = body.fill(changed, 0);
            GraphNode looked =
                body.launch(
                    device.prepare(grid, Example22Graphs::lookAround, roads, far, nearer, changed),
                    settled);
            body.copy(nearer, far, looked);
          },
          start,
          first);
      try (Graph graph = builder.build()) {
        graph.launch(stream).await();
      }
      // @end
      int[] found = new int[CITIES];
      stream.copy(far, found).await();
      System.out.println(
          "\nthe farthest city is "
              + Arrays.stream(found).max().orElse(0)
              + " away, on the host "
              + Arrays.stream(onTheHost(map)).max().orElse(0));
    }
  }

  /** The cities that the roads to each city come from: one of them from the city before. */
  private static int[] map() {
    int[] roads = new int[CITIES * ROADS];
    for (int city = 0; city < CITIES; city++) {
      roads[city * ROADS] = Math.max(0, city - 1);
      for (int road = 1; road < ROADS; road++) {
        roads[city * ROADS + road] = (int) ((city * 7919L + road * 104_729L) % CITIES);
      }
    }
    return roads;
  }

  private static int[] onTheHost(int[] roads) {
    int[] far = new int[CITIES];
    Arrays.fill(far, FAR);
    far[0] = 0;
    for (boolean changed = true; changed; ) {
      changed = false;
      for (int city = 0; city < CITIES; city++) {
        for (int road = 0; road < ROADS; road++) {
          int from = roads[city * ROADS + road];
          int way = far[from] + length(from, city);
          changed |= way < far[city];
          far[city] = Math.min(far[city], way);
        }
      }
    }
    return far;
  }

  // --- what a graph cannot contain -------------------------------------------------------------

  private static void refused(Device device) {
    try (Stream stream = device.stream();
        GlobalInts x = device.allocateInts(100)) {
      int[] array = new int[100];
      // @start region="refused"
      try {
        Graph.capture(stream, () -> stream.copy(array, x)).close();
      } catch (GraphException e) {
        System.out.println("\n" + e.getMessage());
      }
      // @end
    }
  }
}
