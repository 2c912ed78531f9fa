package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.Overlap;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Streams: the same eight chunks on one stream and on four. A stream runs its operations in order;
 * operations of different streams are unordered, so one chunk's copy runs at the same time as
 * another's kernel.
 */
final class Example02FourStreams {
  private static final int CHUNKS = 8;
  private static final int CHUNK = 512 << 10;
  private static final int ROUNDS = 100;
  private static final DeviceKernel SCRAMBLE = Kernels.scrambling(ROUNDS);
  private static final Grid GRID = Grid.covering(CHUNK, 256);

  private Example02FourStreams() {}

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0])) {
      System.out.println(device + ", because " + device.reason());
      show(device, 1);
      show(device, 4);
    }
  }

  private static void work(
      List<Stream> streams, MemorySegment in, GlobalInts x, MemorySegment out) {
    // @start region="chunks"
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      Stream stream = streams.get(chunk % streams.size());
      GlobalInts part = x.slice((long) chunk * CHUNK, CHUNK);
      stream.copy(in.asSlice(part.byteOffset(), part.byteSize()), part);
      stream.launch(GRID, SCRAMBLE, part, ROUNDS, CHUNK);
      stream.copy(part, out.asSlice(part.byteOffset(), part.byteSize()));
    }
    streams.forEach(Stream::await);
    // @end
  }

  private static void show(Device device, int streamCount) {
    List<Stream> streams = IntStream.range(0, streamCount).mapToObj(i -> device.stream()).toList();
    try (PinnedArena pinned = device.pinnedArena();
        GlobalInts x = device.allocateInts(CHUNKS * CHUNK)) {
      MemorySegment in = pinned.allocate(JAVA_INT, CHUNKS * CHUNK);
      MemorySegment out = pinned.allocate(JAVA_INT, CHUNKS * CHUNK);
      for (int i = 0; i < CHUNKS * CHUNK; i++) {
        in.setAtIndex(JAVA_INT, i, i + 1);
      }
      WarmUp.recorded(device, () -> work(streams, in, x, out));
      try (Timeline timeline = Timeline.record(device)) {
        work(streams, in, x, out);
        System.out.println("\n" + CHUNKS + " chunks, streams: " + streamCount);
        show(timeline.spans());
      }
      check(out);
    }
    streams.forEach(Stream::close);
  }

  private static void show(List<Span> spans) {
    System.out.print(TextTimeline.draw(spans, 80));
    Overlap overlap = Overlap.of(spans);
    System.out.printf(
        "%.0f µs; %.0f %% of the copying was hidden%n",
        overlap.seconds() * 1e6, overlap.ratio() * 100);
  }

  private static void check(MemorySegment out) {
    long wrong =
        IntStream.range(0, CHUNKS * CHUNK)
            .filter(i -> out.getAtIndex(JAVA_INT, i) != Kernels.scrambled(i + 1, ROUNDS))
            .count();
    System.out.println(wrong + " of " + CHUNKS * CHUNK + " numbers are wrong");
  }
}
