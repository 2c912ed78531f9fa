package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Synchronous and asynchronous: the same four steps, twice. First the host awaits every step; then
 * it enqueues all of them and awaits the last.
 */
final class Example01AwaitOnce {
  private static final int N = 256 << 10;
  private static final int ROUNDS = 100;
  private static final DeviceKernel SCRAMBLE = Kernels.scrambling(ROUNDS);
  private static final Grid GRID = Grid.covering(N, 256);
  private static final int COLUMNS = 60;

  private Example01AwaitOnce() {}

  private static void awaitEveryStep(Stream stream, MemorySegment host, GlobalInts x) {
    // @start region="everyStep"
    stream.copy(host, x).await();
    stream.launch(GRID, SCRAMBLE, x, ROUNDS, N);
    stream.await();
    stream.launch(GRID, SCRAMBLE, x, ROUNDS, N);
    stream.await();
    stream.copy(x, host).await();
    // @end
  }

  private static void awaitOnce(Stream stream, MemorySegment host, GlobalInts x) {
    // @start region="once"
    stream.copy(host, x);
    stream.launch(GRID, SCRAMBLE, x, ROUNDS, N);
    stream.launch(GRID, SCRAMBLE, x, ROUNDS, N);
    stream.copy(x, host).await();
    // @end
  }

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0]);
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts x = device.allocateInts(N)) {
      System.out.println(device + ", because " + device.reason());
      MemorySegment host = pinned.allocate(JAVA_INT, N);

      System.out.println("\nAn await after every step:");
      List<Span> every = recorded(device, host, () -> awaitEveryStep(stream, host, x));
      show(every, every.getLast().endNanos());

      System.out.println("\nOne await at the end:");
      show(recorded(device, host, () -> awaitOnce(stream, host, x)), every.getLast().endNanos());
    }
  }

  private static List<Span> recorded(Device device, MemorySegment host, Runnable work) {
    WarmUp.recorded(device, work);
    host.setAtIndex(JAVA_INT, 7, 42);
    try (Timeline timeline = Timeline.record(device)) {
      work.run();
      if (host.getAtIndex(JAVA_INT, 7) != Kernels.scrambled(42, 2 * ROUNDS)) {
        throw new AssertionError("wrong: " + host.getAtIndex(JAVA_INT, 7));
      }
      return timeline.spans();
    }
  }

  /** Draws what the device did in a period, and above it when the host called. */
  private static void show(List<Span> spans, long nanos) {
    char[] host = " ".repeat(COLUMNS).toCharArray();
    for (Span span : spans) {
      host[Math.clamp(span.enqueuedNanos() * COLUMNS / nanos, 0, COLUMNS - 1)] = '|';
    }
    System.out.println("host        " + new String(host).stripTrailing());
    System.out.print(TextTimeline.draw(spans, "host        ".length() + COLUMNS, 0, nanos));
    Span last = spans.getLast();
    System.out.printf(
        "The host had enqueued everything at %.1f µs, the device was done at %.1f µs.%n",
        last.enqueuedNanos() / 1e3, last.endNanos() / 1e3);
  }
}
