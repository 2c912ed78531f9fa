package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;

/**
 * The default streams: the same two copies, which could run at the same time, on three pairs of
 * streams. The legacy stream and a per-thread stream wait for each other; the streams of {@code
 * device.stream()} never wait for either.
 */
final class Example03DefaultStreams {
  private static final int N = 1 << 20;

  private Example03DefaultStreams() {}

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0]);
        Stream own = device.stream();
        Stream another = device.stream()) {
      System.out.println(device + ", because " + device.reason());
      // @start region="pairs"
      copyBothWays(device, "two streams of device.stream()", own, another);
      copyBothWays(
          device, "legacy and per-thread", device.legacyStream(), device.perThreadStream());
      copyBothWays(device, "legacy and device.stream()", device.legacyStream(), own);
      // @end
      copyArray(device.legacyStream());
    }
  }

  private static void copyBothWays(Device device, String which, Stream first, Stream second) {
    try (PinnedArena pinned = device.pinnedArena();
        GlobalInts x = device.allocateInts(N);
        GlobalInts y = device.allocateInts(N)) {
      MemorySegment in = pinned.allocate(JAVA_INT, N);
      MemorySegment out = pinned.allocate(JAVA_INT, N);
      Runnable copies =
          () -> {
            // @start region="bothWays"
            first.copy(in, x);
            second.copy(y, out);
            // @end
          };
      WarmUp.recorded(device, copies);
      try (Timeline timeline = Timeline.record(device)) {
        copies.run();
        device.await();
        System.out.println("\n" + which);
        System.out.print(TextTimeline.draw(timeline.spans(), 60));
      }
    }
  }

  /** An operation that would have to hold back a default stream is refused there. */
  private static void copyArray(Stream legacy) {
    try (GlobalInts x = legacy.device().allocateInts(N)) {
      legacy.copy(new int[N], x);
    } catch (RouteException e) {
      System.out.println("\n" + e.getMessage());
    }
  }
}
