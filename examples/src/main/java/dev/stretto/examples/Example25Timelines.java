package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PeerAccess;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.Concurrency;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Timelines: two devices with one time axis, the inside of a graph, and what ran beside what. */
final class Example25Timelines {
  private static final int COUNT = 4 << 20;
  private static final long HALF = COUNT / 2;
  private static final Grid GRID = Grid.covering(HALF, 256);

  private Example25Timelines() {}

  public static void main(String... arguments) {
    List<Device> devices = open(arguments);
    try (Device first = devices.get(0);
        Device second = devices.get(1);
        PeerAccess _ = first.enablePeerAccess(second)) {
      System.out.println(first + " and " + second + ", because " + first.reason() + "\n");
      two(first, second);
      inside(first);
    }
  }

  /** Two GPUs, or two virtual devices of one machine. */
  private static List<Device> open(String... arguments) {
    long gpus = Device.all().stream().filter(device -> device.driver().equals("cuda")).count();
    if (arguments.length == 0 && gpus >= 2) {
      return List.of(Device.open("cuda:0"), Device.open("cuda:1"));
    }
    boolean unsaid = arguments.length == 0 || arguments[0].equals("virtual");
    return Device.openAll(unsaid ? "virtual:h200x2" : arguments[0]);
  }

  @Kernel
  static void scale(ThreadBlock block, GlobalInts x, int factor) {
    long i = block.globalIndexX();
    if (i < x.length()) {
      x.set(i, factor * x.get(i));
    }
  }

  private static void two(Device first, Device second) {
    try (Stream here = first.stream("here");
        Stream there = second.stream("there");
        GlobalInts x = first.allocateInts(COUNT);
        GlobalInts y = second.allocateInts(COUNT)) {
      MemorySegment in = first.pinnedArena().allocate(JAVA_INT, COUNT);
      MemorySegment out = second.pinnedArena().allocate(JAVA_INT, COUNT);
      WarmUp.of(first, () -> here.copy(in, x));
      WarmUp.of(second, () -> there.copy(y, out));
      WarmUp.of(first, () -> here.copy(x, y));
      // @start region="two"
      try (Timeline timeline = Timeline.record(List.of(first, second))) {
        for (int half = 0; half < 2; half++) {
          GlobalInts from = x.slice(half * HALF, HALF);
          GlobalInts to = y.slice(half * HALF, HALF);
          here.copy(in.asSlice(4L * half * HALF, from.byteSize()), from);
          here.copy(from, to);
          there.waitFor(here.record());
          there.copy(to, out.asSlice(4L * half * HALF, to.byteSize()));
        }
        there.await();
        List<Span> spans = timeline.spans();
        System.out.print(TextTimeline.draw(spans, 72));
        System.out.print(Concurrency.of(spans).table());
      }
      // @end
    }
  }

  private static void inside(Device device) {
    try (Stream stream = device.stream("replay");
        GlobalInts x = device.allocateInts(COUNT)) {
      MemorySegment host = device.pinnedArena().allocate(JAVA_INT, COUNT);
      try (Graph graph = graph(device, host, x)) {
        graph.launch(stream).await();
        // @start region="inside"
        try (Timeline timeline = Timeline.record(device).insideGraphs()) {
          graph.launch(stream);
          stream.await();
          List<Span> spans = timeline.spans();
          System.out.print(TextTimeline.draw(spans, 72));
          for (Span span : spans) {
            if (span.isNode()) {
              System.out.printf("node %d: %s%n", span.node(), span.name());
            }
          }
        }
        // @end
      }
    }
  }

  /** Two halves, side by side: in, scaled, and out. */
  private static Graph graph(Device device, MemorySegment host, GlobalInts x) {
    GraphBuilder builder = Graph.builder(device);
    for (int half = 0; half < 2; half++) {
      GlobalInts part = x.slice(half * HALF, HALF);
      MemorySegment piece = host.asSlice(4L * half * HALF, part.byteSize());
      Launch scale = device.prepare(GRID, Example25Timelines::scale, part, 3);
      GraphNode in = builder.copy(piece, part);
      builder.copy(part, piece, builder.launch(scale, in));
    }
    return builder.build().instantiate();
  }
}
