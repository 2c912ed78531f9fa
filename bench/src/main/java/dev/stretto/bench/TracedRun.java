package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * A program as one writes it, to be run with a trace and without: chunks that are copied in,
 * computed on and copied out on four streams, so many operations in all.
 */
final class TracedRun {
  private static final int STREAMS = 4;

  private TracedRun() {}

  /**
   * Runs it, and prints how long it took.
   *
   * @param name of the device
   * @param operations how many copies and launches, a multiple of three
   * @param bytes of a chunk
   */
  static void run(String name, int operations, int bytes, PrintStream out) {
    try (Device device = Device.open(name);
        PinnedArena arena = device.pinnedArena();
        GlobalInts x = device.allocateInts((long) STREAMS * bytes / Integer.BYTES);
        GlobalInts y = device.allocateInts((long) STREAMS * bytes / Integer.BYTES)) {
      MemorySegment host = arena.allocate(2L * STREAMS * bytes, 4096);
      List<Stream> streams = IntStream.range(0, STREAMS).mapToObj(_ -> device.stream()).toList();
      long _ = chunks(streams, x, y, host, STREAMS);
      long begin = System.nanoTime();
      long awaited = chunks(streams, x, y, host, operations / 3);
      double seconds = (System.nanoTime() - begin) / 1e9;
      out.printf(
          Locale.ROOT,
          "{\"bench\":\"traced-run\",\"operations\":%d,\"bytes\":%d,\"traced\":%b,\"awaited\":%.4f,\"seconds\":%.4f}%n",
          operations,
          bytes,
          System.getProperty("dev.stretto.trace") != null,
          awaited / 1e9,
          seconds);
      streams.forEach(Stream::close);
    }
  }

  /**
   * A stream is awaited before its memory is used again, so that three others stay busy.
   *
   * @return the nanoseconds that the host waited
   */
  private static long chunks(
      List<Stream> streams, GlobalInts x, GlobalInts y, MemorySegment host, int chunks) {
    long length = x.length() / STREAMS;
    long bytes = length * Integer.BYTES;
    Grid grid = Grid.covering(length, 256);
    List<Event> ends = new ArrayList<>();
    long awaited = 0;
    for (int i = 0; i < chunks; i++) {
      int at = i % STREAMS;
      if (i >= STREAMS) {
        long begin = System.nanoTime();
        ends.get(at).await();
        awaited += System.nanoTime() - begin;
      }
      Stream stream = streams.get(at);
      GlobalInts from = x.slice(at * length, length);
      GlobalInts to = y.slice(at * length, length);
      stream.copy(host.asSlice(at * bytes, bytes), from);
      stream.launch(grid, TaskCost::scale, from, to);
      stream.copy(to, host.asSlice((STREAMS + at) * bytes, bytes));
      if (i < STREAMS) {
        ends.add(stream.record());
      } else {
        ends.set(at, stream.record());
      }
    }
    ends.forEach(Event::await);
    return awaited;
  }
}
