package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.TaskDrawing;
import dev.stretto.Tasks;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.Overlap;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Tasks: a plain sequence of copies and launches, without streams and events. The bytes that they
 * use decide what waits for what; the rest overlaps.
 */
final class Example24Tasks {
  private static final int CHUNKS = 8;
  private static final int CHUNK = 512 << 10;
  private static final int SLOTS = 3;
  private static final Grid GRID = Grid.covering(CHUNK, 256);

  private Example24Tasks() {}

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0]);
        Tasks tasks = device.tasks();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts x = device.allocateInts(SLOTS * CHUNK);
        GlobalInts y = device.allocateInts(SLOTS * CHUNK)) {
      System.out.println(device + ", because " + device.reason() + "\n");
      MemorySegment in = pinned.allocate(JAVA_INT, CHUNKS * CHUNK);
      MemorySegment out = pinned.allocate(JAVA_INT, CHUNKS * CHUNK);
      for (int i = 0; i < CHUNKS * CHUNK; i++) {
        in.setAtIndex(JAVA_INT, i, i);
      }
      WarmUp.recorded(device, () -> work(tasks, in, x, y, out));
      overlap(device, tasks, in, x, y, out);
      explain(tasks, in, x, y, out);
      capture(tasks, in, x, y, out);
    }
  }

  // @start region="kernel"
  @Kernel
  static void scale(ThreadBlock block, GlobalInts x, GlobalInts y) {
    long i = block.globalIndexX();
    if (i < x.length()) {
      y.set(i, 3 * x.get(i) + 1);
    }
  }

  // @end

  private static void work(
      Tasks tasks, MemorySegment in, GlobalInts x, GlobalInts y, MemorySegment out) {
    enqueue(tasks, in, x, y, out, CHUNKS);
    tasks.await();
  }

  private static void enqueue(
      Tasks tasks, MemorySegment in, GlobalInts x, GlobalInts y, MemorySegment out, int chunks) {
    // @start region="chunks"
    for (int i = 0; i < chunks; i++) {
      GlobalInts from = x.slice((long) i % SLOTS * CHUNK, CHUNK);
      GlobalInts to = y.slice((long) i % SLOTS * CHUNK, CHUNK);
      tasks.copy(in.asSlice(4L * i * CHUNK, from.byteSize()), from);
      tasks.launch(GRID, Example24Tasks::scale, from, to);
      tasks.copy(to, out.asSlice(4L * i * CHUNK, to.byteSize()));
    }
    // @end
  }

  private static void overlap(
      Device device, Tasks tasks, MemorySegment in, GlobalInts x, GlobalInts y, MemorySegment out) {
    try (Timeline timeline = Timeline.record(device)) {
      work(tasks, in, x, y, out);
      List<Span> spans = timeline.spans();
      System.out.print(TextTimeline.draw(spans, 80));
      Overlap overlap = Overlap.of(spans);
      System.out.printf(
          "%.0f µs; %.0f %% of the copying was hidden%n",
          overlap.seconds() * 1e6, overlap.ratio() * 100);
    }
    check(out);
  }

  private static void explain(
      Tasks tasks, MemorySegment in, GlobalInts x, GlobalInts y, MemorySegment out) {
    // @start region="draw"
    try (TaskDrawing drawing = tasks.draw()) {
      enqueue(tasks, in, x, y, out, SLOTS + 1);
      System.out.println();
      drawing.toText().lines().map(Example24Tasks::withoutAddresses).forEach(System.out::println);
    }
    // @end
    tasks.await();
  }

  /** Addresses differ from run to run. */
  private static String withoutAddresses(String line) {
    return line.replaceAll(" at 0x[0-9a-f]+", "");
  }

  private static void capture(
      Tasks tasks, MemorySegment in, GlobalInts x, GlobalInts y, MemorySegment out) {
    out.fill((byte) 0);
    // @start region="capture"
    try (Graph graph = tasks.capture(() -> enqueue(tasks, in, x, y, out, CHUNKS))) {
      tasks.launch(graph).await();
      System.out.println("\n" + graph.nodes().size() + " nodes");
    }
    // @end
    check(out);
  }

  private static void check(MemorySegment out) {
    long wrong =
        IntStream.range(0, CHUNKS * CHUNK)
            .filter(i -> out.getAtIndex(JAVA_INT, i) != 3 * i + 1)
            .count();
    System.out.println(wrong + " of " + CHUNKS * CHUNK + " numbers are wrong");
  }
}
