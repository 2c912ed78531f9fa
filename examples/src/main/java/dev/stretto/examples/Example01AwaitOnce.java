package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Synchronous against asynchronous: the same four steps, twice. First the host awaits every step,
 * then it enqueues all of them and awaits the last.
 */
final class Example01AwaitOnce {
  private static final int N = 256 << 10;
  private static final int ROUNDS = 100;
  private static final int COLUMNS = 60;

  private Example01AwaitOnce() {}

  public static void main(String... arguments) {
    Kernel scramble = Kernels.scrambling(ROUNDS);
    Grid grid = Grid.covering(N, 256);
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0]);
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts x = device.allocateInts(N)) {
      System.out.println(device + ", because " + device.reason());
      MemorySegment host = pinned.allocate(JAVA_INT, N);
      host.setAtIndex(JAVA_INT, 7, 42);

      long nanos;
      System.out.println("\nAn await after every step:");
      try (Timeline timeline = Timeline.record(device)) {
        // @start region="everyStep"
        stream.copy(host, x).await();
        stream.launch(grid, scramble, x, ROUNDS, N);
        stream.await();
        stream.launch(grid, scramble, x, ROUNDS, N);
        stream.await();
        stream.copy(x, host).await();
        // @end
        nanos = timeline.spans().getLast().endNanos();
        show(timeline.spans(), nanos);
      }

      System.out.println("\nOne await at the end:");
      try (Timeline timeline = Timeline.record(device)) {
        // @start region="once"
        stream.copy(host, x);
        stream.launch(grid, scramble, x, ROUNDS, N);
        stream.launch(grid, scramble, x, ROUNDS, N);
        stream.copy(x, host).await();
        // @end
        show(timeline.spans(), nanos);
      }

      int expected = Kernels.scrambled(42, 4 * ROUNDS);
      System.out.println("\nright: " + (host.getAtIndex(JAVA_INT, 7) == expected));
    }
  }

  /** Draws what the device did in so much time, and above it where the host called. */
  private static void show(List<Span> spans, long nanos) {
    char[] host = " ".repeat(COLUMNS).toCharArray();
    for (Span span : spans) {
      host[(int) Math.clamp(span.enqueuedNanos() * COLUMNS / nanos, 0, COLUMNS - 1)] = '|';
    }
    System.out.println("host        " + new String(host).stripTrailing());
    System.out.print(TextTimeline.draw(spans, "host        ".length() + COLUMNS, 0, nanos));
    Span last = spans.getLast();
    System.out.printf(
        "The host had enqueued everything at %.1f µs, the device was done at %.1f µs.%n",
        last.enqueuedNanos() / 1e3, last.endNanos() / 1e3);
  }
}
