package dev.stretto.examples;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Registration;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Pinned, registered and ordinary memory: one call copies them all, the memory determines the
 * route, and the copy reports which route it took, and why. This example measures each route.
 */
final class Example04Routes {
  private static final int BYTES = 64 << 20;

  private Example04Routes() {}

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0]);
        Stream stream = device.stream();
        GlobalBytes there = device.allocateBytes(BYTES);
        PinnedArena pinned = device.pinnedArena();
        Arena ordinary = Arena.ofShared()) {
      System.out.println(device + ", because " + device.reason() + "\n");

      // The first small copy pins small buffers for those that follow.
      stream.copy(new byte[4096], there.slice(0, 4096)).await();

      MemorySegment plain = ordinary.allocate(BYTES);
      // @start region="ways"
      show("pinned", stream, pinned.allocate(BYTES), there);
      show("byte[]", stream, MemorySegment.ofArray(new byte[BYTES]), there);
      show("native", stream, plain, there);
      try (Registration _ = device.register(plain, ordinary)) {
        show("native, registered", stream, plain, there);
      }
      show("small byte[]", stream, MemorySegment.ofArray(new byte[4096]), there.slice(0, 4096));
      // @end

      // The behaviour that a port of a C program gets without pinned memory; the call blocks.
      Route.Kind way = Route.Kind.AWAITED_PAGEABLE;
      WarmUp.of(device, () -> stream.copy(plain, there, way));
      try (TimedEvent begin = stream.recordTimed()) {
        show("native, on demand", begin, stream.copy(plain, there, way));
      }
    }
  }

  private static void show(String memory, Stream stream, MemorySegment host, GlobalBytes there) {
    WarmUp.of(stream.device(), () -> stream.copy(host, there));
    try (TimedEvent begin = stream.recordTimed()) {
      show(memory, begin, stream.copy(host, there));
    }
  }

  // @start region="show"
  private static void show(String memory, TimedEvent begin, Copy copy) {
    try (TimedEvent end = copy.stream().recordTimed()) {
      end.await();
      Route route = copy.route();
      System.out.printf(
          "%-18s  %-16s  %.3f ms%n  %s%n",
          memory, route.kind(), begin.nanosTo(end) / 1e6, route.reason());
    }
  }
  // @end
}
