package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;

/**
 * Events: one stream waits for one point of another, and for nothing after it; the device measures
 * how long something took; and the host polls without blocking.
 */
final class Example05Events {
  private static final int N = 1 << 20;
  private static final int ROUNDS = 100;
  private static final DeviceKernel SCRAMBLE = Kernels.scrambling(ROUNDS);
  private static final Grid GRID = Grid.covering(N, 256);

  private Example05Events() {}

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0]);
        Stream first = device.stream();
        Stream second = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts x = device.allocateInts(N);
        GlobalInts y = device.allocateInts(N)) {
      System.out.println(device + ", because " + device.reason());
      MemorySegment in = pinned.allocate(JAVA_INT, N);
      MemorySegment out = pinned.allocate(JAVA_INT, N);
      in.setAtIndex(JAVA_INT, 7, 42);

      Runnable work =
          () -> {
            // @start region="order"
            first.copy(in, x);
            Event copied = first.record();
            first.fill(y, 0); // after the point: the wait does not cover it
            first.launch(GRID, SCRAMBLE, y, ROUNDS, N);

            second.waitFor(copied);
            second.copy(x, out);
            // @end
          };
      WarmUp.recorded(device, work);
      System.out.println("\nThe second stream waits for a point of the first:");
      try (Timeline timeline = Timeline.record(device)) {
        work.run();
        device.await();
        System.out.print(TextTimeline.draw(timeline.spans(), 72));
        System.out.println("out[7] = " + out.getAtIndex(JAVA_INT, 7));
      }

      System.out.println("\nThe device's own clock:");
      // @start region="time"
      try (TimedEvent begin = first.recordTimed()) {
        first.launch(GRID, SCRAMBLE, y, ROUNDS, N);
        try (TimedEvent end = first.recordTimed()) {
          end.await();
          System.out.printf("the kernel took %.1f µs%n", begin.nanosTo(end) / 1e3);
        }
      }
      // @end

      System.out.println("\nAsking without blocking:");
      // @start region="query"
      Event done = first.fill(x, 1);
      while (!done.isDone()) {
        Thread.onSpinWait(); // or something useful
      }
      // @end
      System.out.println(done.isDone() + ", and " + done.stream().isIdle());
    }
  }
}
