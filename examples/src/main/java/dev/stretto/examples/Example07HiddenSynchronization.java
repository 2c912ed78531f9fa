package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.Overlap;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Hidden synchronization: every call is asynchronous, and yet the work is serial. The same job in
 * six ways, and the three figures that show which of them wait, and where.
 */
final class Example07HiddenSynchronization {
  private static final int CHUNKS = 8;
  private static final int CHUNK = 512 << 10;
  private static final int ROUNDS = 100;
  private static final DeviceKernel SCRAMBLE = Kernels.scrambling(ROUNDS);

  private Example07HiddenSynchronization() {}

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0]);
        Stream a = device.stream();
        Stream b = device.stream();
        PinnedArena pinned = device.pinnedArena();
        Arena ordinary = Arena.ofShared();
        GlobalInts x = device.allocateInts(CHUNKS * CHUNK)) {
      System.out.println(device + ", because " + device.reason());
      MemorySegment fast = pinned.allocate(JAVA_INT, CHUNKS * CHUNK);
      MemorySegment plain = ordinary.allocate(JAVA_INT, CHUNKS * CHUNK);
      List<Stream> ours = List.of(a, b);
      List<Stream> defaults = List.of(device.legacyStream(), device.perThreadStream());

      System.out.println("\n                         time  hidden  host gone  routes");
      show("two streams", device, new Job(ours, fast, x));
      show("one stream", device, new Job(List.of(a), fast, x));
      show("default streams", device, new Job(defaults, fast, x));
      show("awaits in between", device, new Job(ours, fast, x).awaitingEach());
      show("ordinary memory", device, new Job(ours, plain, x));
      show("the driver's own way", device, new Job(ours, plain, x).theDriversWay());
    }
  }

  private record Job(
      List<Stream> streams,
      MemorySegment host,
      GlobalInts x,
      boolean awaitsEach,
      boolean driversWay) {
    Job(List<Stream> streams, MemorySegment host, GlobalInts x) {
      this(streams, host, x, false, false);
    }

    Job awaitingEach() {
      return new Job(streams, host, x, true, driversWay);
    }

    Job theDriversWay() {
      return new Job(streams, host, x, awaitsEach, true);
    }

    /** Enqueues all chunks, and returns the routes of their copies. */
    Set<Route.Kind> enqueue() {
      Set<Route.Kind> routes = EnumSet.noneOf(Route.Kind.class);
      for (int chunk = 0; chunk < CHUNKS; chunk++) {
        Stream stream = streams.get(chunk % streams.size());
        long first = (long) chunk * CHUNK;
        MemorySegment there = host.asSlice(first * Integer.BYTES, CHUNK * Integer.BYTES);
        GlobalInts here = x.slice(first, CHUNK);
        Copy in =
            driversWay
                ? stream.copy(there, here, Route.Kind.AWAITED_PAGEABLE)
                : stream.copy(there, here);
        stream.launch(Grid.covering(CHUNK, 256), SCRAMBLE, here, ROUNDS, CHUNK);
        Copy out =
            driversWay
                ? stream.copy(here, there, Route.Kind.AWAITED_PAGEABLE)
                : stream.copy(here, there);
        routes.add(in.route().kind());
        routes.add(out.route().kind());
        if (awaitsEach) {
          out.await();
        }
      }
      return routes;
    }
  }

  // @start region="figures"
  private static void show(String which, Device device, Job job) {
    WarmUp.recorded(device, job::enqueue);
    try (Timeline timeline = Timeline.record(device)) {
      Set<Route.Kind> routes = job.enqueue();
      device.await();
      List<Span> spans = timeline.spans();
      Overlap overlap = Overlap.of(spans);
      double hostGone = spans.stream().mapToLong(Span::enqueuedNanos).max().orElse(0) / 1e9;
      System.out.printf(
          "%-20s %5.0f µs  %4.0f %%     %4.0f %%   %s%n",
          which,
          overlap.seconds() * 1e6,
          overlap.ratio() * 100,
          hostGone / overlap.seconds() * 100,
          routes);
    }
  }
  // @end
}
