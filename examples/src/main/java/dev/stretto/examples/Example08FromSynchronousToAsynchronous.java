package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Device;
import dev.stretto.Diagnosis;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.Overlap;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;

/**
 * From synchronous to asynchronous: one computation in six steps, each with its timeline and with
 * the findings of a diagnosis. Each step fixes what the diagnosis found in the one before.
 */
final class Example08FromSynchronousToAsynchronous {
  private static final int N = 128 << 10;
  private static final int CHUNKS = 8;
  private static final long CHUNK_BYTES = 4L * N;
  private static final int ROUNDS = 200;
  private static final Grid GRID = Grid.covering(N, 256);
  private static final DeviceKernel SCRAMBLE = Kernels.scrambling(ROUNDS);

  private final Device device;
  private final MemorySegment plain;
  private final MemorySegment pinned;
  private final List<Stream> streams;

  private Example08FromSynchronousToAsynchronous(
      Device device, MemorySegment plain, MemorySegment pinned, List<Stream> streams) {
    this.device = device;
    this.plain = plain;
    this.pinned = pinned;
    this.streams = streams;
  }

  private static MemorySegment chunk(MemorySegment numbers, int i) {
    return numbers.asSlice(i * CHUNK_BYTES, CHUNK_BYTES);
  }

  // @start region="synchronous"
  private void synchronous() {
    Stream stream = streams.getFirst();
    for (int i = 0; i < CHUNKS; i++) {
      try (GlobalInts x = device.allocateInts(N)) {
        stream.copy(chunk(plain, i), x, Route.Kind.AWAITED_PAGEABLE);
        stream.launch(GRID, SCRAMBLE, x, ROUNDS, N);
        stream.copy(x, chunk(plain, i), Route.Kind.AWAITED_PAGEABLE);
      }
    }
  }

  // @end

  private void staged() {
    Stream stream = streams.getFirst();
    for (int i = 0; i < CHUNKS; i++) {
      try (GlobalInts x = device.allocateInts(N)) {
        stream.copy(chunk(plain, i), x);
        stream.launch(GRID, SCRAMBLE, x, ROUNDS, N);
        stream.copy(x, chunk(plain, i)).await();
      }
    }
  }

  private void pinned() {
    Stream stream = streams.getFirst();
    for (int i = 0; i < CHUNKS; i++) {
      try (GlobalInts x = device.allocateInts(N)) {
        stream.copy(chunk(pinned, i), x);
        stream.launch(GRID, SCRAMBLE, x, ROUNDS, N);
        stream.copy(x, chunk(pinned, i)).await();
      }
    }
  }

  private void awaitedOnce() {
    Stream stream = streams.getFirst();
    for (int i = 0; i < CHUNKS; i++) {
      try (GlobalInts x = device.allocateInts(N)) {
        stream.copy(chunk(pinned, i), x);
        stream.launch(GRID, SCRAMBLE, x, ROUNDS, N);
        stream.copy(x, chunk(pinned, i));
      } // x is closed in flight, and freed after its last use
    }
    stream.await();
  }

  private void onSeveralStreams() {
    for (int i = 0; i < CHUNKS; i++) {
      Stream stream = streams.get(i % streams.size());
      try (GlobalInts x = device.allocateInts(N)) {
        stream.copy(chunk(pinned, i), x);
        stream.launch(GRID, SCRAMBLE, x, ROUNDS, N);
        stream.copy(x, chunk(pinned, i));
      }
    }
    device.await();
  }

  // @start region="asynchronous"
  private void asynchronous() {
    for (int i = 0; i < CHUNKS; i++) {
      Stream stream = streams.get(i % streams.size());
      try (GlobalInts x = stream.allocateInts(N)) {
        stream.copy(chunk(pinned, i), x);
        stream.launch(GRID, SCRAMBLE, x, ROUNDS, N);
        stream.copy(x, chunk(pinned, i));
      } // freed after the copy, in the order of the stream
    }
    device.await();
  }

  // @end

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0]);
        Arena ordinary = Arena.ofShared();
        PinnedArena pinned = device.pinnedArena();
        Stream a = device.stream();
        Stream b = device.stream();
        Stream c = device.stream()) {
      System.out.println(device + ", because " + device.reason());
      MemorySegment slow = ordinary.allocate(JAVA_INT, (long) CHUNKS * N);
      MemorySegment fast = pinned.allocate(JAVA_INT, (long) CHUNKS * N);
      var job = new Example08FromSynchronousToAsynchronous(device, slow, fast, List.of(a, b, c));

      job.show("1 synchronous", job::synchronous, slow);
      job.show("2 asynchronous copies", job::staged, slow);
      job.show("3 pinned memory", job::pinned, fast);
      job.show("4 awaited once", job::awaitedOnce, fast);
      job.show("5 on several streams", job::onSeveralStreams, fast);
      job.show("6 memory in the order of the streams", job::asynchronous, fast);
      device.await();
    }
  }

  // @start region="show"
  private void show(String step, Runnable work, MemorySegment numbers) {
    WarmUp.recorded(device, work);
    numbers.setAtIndex(JAVA_INT, 7, 42);
    try (Timeline timeline = Timeline.record(device);
        Diagnosis diagnosis = Diagnosis.of(device)) {
      work.run();
      device.await(); // the driver's own path waits as a rule, which is no promise
      List<Span> spans = timeline.spans();
      Overlap overlap = Overlap.of(spans);
      boolean right = numbers.getAtIndex(JAVA_INT, 7) == Kernels.scrambled(42, ROUNDS);
      System.out.printf(
          "%n%s: %.0f µs, %.0f %% of the copying hidden, %s%n",
          step, overlap.seconds() * 1e6, overlap.ratio() * 100, right ? "right" : "WRONG");
      System.out.print(TextTimeline.draw(spans, 72));
      diagnosis.findings().stream()
          .sorted(Comparator.comparingInt(finding -> finding.place().getLineNumber()))
          .forEach(
              finding ->
                  System.out.printf(
                      "line %d, %s: %s%n",
                      finding.place().getLineNumber(), finding.rule(), finding.advice()));
    }
  }

  // @end
}
