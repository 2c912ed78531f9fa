package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;

/**
 * From synchronous to asynchronous: the same function before and after. Afterwards it takes a
 * stream and pinned memory, awaits nothing, and hands back what its caller may await.
 */
final class Example08FromSynchronousToAsynchronous {
  private static final int N = 256 << 10;
  private static final int ROUNDS = 200;
  private static final Grid GRID = Grid.covering(N, 256);
  private static final DeviceKernel SCRAMBLE = Kernels.scrambling(ROUNDS);

  private Example08FromSynchronousToAsynchronous() {}

  // @start region="before"
  static void scrambleAndWait(Device device, MemorySegment numbers) {
    try (Stream stream = device.stream();
        GlobalInts x = device.allocateInts(N)) {
      stream.copy(numbers, x).await();
      stream.launch(GRID, SCRAMBLE, x, ROUNDS, N);
      stream.await();
      stream.copy(x, numbers).await();
    }
  }

  // @end

  // @start region="after"
  static Copy scramble(Stream stream, MemorySegment numbers) {
    try (GlobalInts x = stream.device().allocateInts(N)) {
      stream.copy(numbers, x);
      stream.launch(GRID, SCRAMBLE, x, ROUNDS, N);
      return stream.copy(x, numbers);
    } // x is closed in flight, and freed after its last use
  }

  // @end

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0]);
        Stream first = device.stream();
        Stream second = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      System.out.println(device + ", because " + device.reason());
      MemorySegment some = pinned.allocate(JAVA_INT, N);
      MemorySegment others = pinned.allocate(JAVA_INT, N);

      System.out.println("\nBefore:");
      show(
          device,
          some,
          () -> {
            // @start region="callBefore"
            scrambleAndWait(device, some);
            scrambleAndWait(device, others);
            // @end
          });

      System.out.println("\nAfter:");
      show(
          device,
          others,
          () -> {
            // @start region="callAfter"
            scramble(first, some);
            scramble(second, others);
            device.await();
            // @end
          });
    }
  }

  private static void show(Device device, MemorySegment numbers, Runnable work) {
    WarmUp.recorded(device, work);
    numbers.setAtIndex(JAVA_INT, 7, 42);
    try (Timeline timeline = Timeline.record(device)) {
      work.run();
      System.out.print(TextTimeline.draw(timeline.spans(), 72));
    }
    boolean right = numbers.getAtIndex(JAVA_INT, 7) == Kernels.scrambled(42, ROUNDS);
    System.out.println("right: " + right);
  }
}
