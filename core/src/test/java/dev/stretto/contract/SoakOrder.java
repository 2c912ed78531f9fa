package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.MemoryPool;
import dev.stretto.PoolReuse;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.contract.SoakMemory.Kind;
import dev.stretto.contract.SoakProgram.Chance;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;

/** Kernels, fills, events, callbacks, memory of streams, other libraries, in a random program. */
final class SoakOrder {
  private final SoakProgram program;
  private final Random random;
  private final Device device;
  private final Map<SoakMemory, Launch> prepared = new HashMap<>();

  SoakOrder(SoakProgram program) {
    this.program = program;
    this.random = program.random;
    this.device = program.devices.getFirst();
  }

  void addTo(List<Chance> chances) {
    chances.add(new Chance("fill", 4, this::fill));
    chances.add(new Chance("fill each type", 1, this::fillTypes));
    chances.add(new Chance("launch", 4, this::launch));
    chances.add(new Chance("launch a method", 3, this::launchMethod));
    chances.add(new Chance("launch a prepared one", 4, this::launchPrepared));
    chances.add(new Chance("then", 4, this::then));
    chances.add(new Chance("timed events", 3, this::timed));
    chances.add(new Chance("await a stream", 2, this::awaitStream));
    chances.add(new Chance("await a device", 1, () -> program.any(program.devices).await()));
    chances.add(new Chance("ask", 3, this::ask));
    chances.add(new Chance("memory of a stream", 6, this::streamMemory));
    chances.add(new Chance("pool", 2, this::pool));
    chances.add(new Chance("replace device memory", 3, this::replace));
    chances.add(new Chance("replace a stream", 2, this::replaceStream));
    chances.add(new Chance("call", 3, this::call));
    chances.add(new Chance("adopt an event", 2, this::adoptEvent));
    chances.add(new Chance("timeline", 1, this::timeline));
    chances.add(new Chance("check", 1, program::check));
  }

  private SoakMemory ints() {
    return program.any(program.onDevice.stream().filter(m -> m.kind == Kind.INTS).toList());
  }

  private void fill() {
    SoakMemory to = program.any(program.onDevice);
    Stream stream = program.anyStreamOf(to.device);
    int[] range = program.range();
    int value = random.nextInt();
    program.writes(stream, to);
    if (to.slice(range[0], range[1]) instanceof GlobalInts ints) {
      stream.fill(ints, value);
    } else {
      value = (value & 0xff) * 0x01010101;
      stream.fill((GlobalBytes) to.slice(range[0], range[1]), (byte) value);
    }
    SoakProgram.fill(to.expected, range[0], range[1], value);
    program.hasWritten(stream, to);
  }

  private void fillTypes() {
    Stream stream = program.any(program.streams);
    Device on = stream.device();
    int n = 1 + random.nextInt(1000);
    long value = random.nextLong();
    try (GlobalLongs longs = stream.allocateLongs(n);
        GlobalDoubles doubles = on.allocateDoubles(n);
        GlobalFloats floats = stream.allocateFloats(n);
        GlobalShorts shorts = on.allocateShorts(n)) {
      stream.fill(longs, value);
      stream.fill(doubles, (double) value);
      stream.fill(floats, (float) value);
      stream.fill(shorts, (short) value);
      long[] outLongs = new long[n];
      double[] outDoubles = new double[n];
      float[] outFloats = new float[n];
      short[] outShorts = new short[n];
      stream.copy(longs, outLongs);
      stream.copy(doubles, outDoubles);
      stream.copy(floats, outFloats);
      stream.copy(shorts, outShorts);
      program.await(stream);
      for (int i = 0; i < n; i++) {
        if (outLongs[i] != value
            || outDoubles[i] != (double) value
            || outFloats[i] != (float) value
            || outShorts[i] != (short) value) {
          throw new AssertionError("element " + i + " of a fill with " + value);
        }
      }
    }
  }

  // --- kernels ----------------------------------------------------------------------------------

  private Grid grid() {
    return Grid.covering(program.size / 4, 128);
  }

  private void launch() {
    SoakMemory to = ints();
    Stream stream = program.anyStreamOf(to.device);
    int value = random.nextInt();
    program.writes(stream, to);
    stream.launch(grid(), Kernels.ADD, to.array, value, program.size / 4);
    SoakProgram.add(to.expected, value);
    program.hasWritten(stream, to);
  }

  private void launchMethod() {
    SoakMemory to = ints();
    Stream stream = program.anyStreamOf(to.device);
    int factor = random.nextInt();
    program.writes(stream, to);
    stream.launch(grid(), SoakKernels::mix, (GlobalInts) to.array, factor, program.size / 4);
    SoakProgram.mix(to.expected, factor);
    program.hasWritten(stream, to);
  }

  private void launchPrepared() {
    SoakMemory to = ints();
    Stream stream = program.anyStreamOf(to.device);
    Launch launch =
        prepared.computeIfAbsent(
            to, m -> m.device.prepare(grid(), Kernels.ADD, m.array, 0, program.size / 4));
    program.writes(stream, to);
    for (int i = 0; i < 1 + random.nextInt(40); i++) {
      int value = random.nextInt();
      stream.launch(launch.set(1, value));
      SoakProgram.add(to.expected, value);
    }
    program.hasWritten(stream, to);
  }

  // --- callbacks, events, waits -----------------------------------------------------------------

  private void then() {
    SoakMemory to = program.any(program.onHost);
    Stream stream = program.any(program.streams);
    program.writes(stream, to);
    MemorySegment host = to.host;
    int step = 1 + random.nextInt(50);
    Runnable callback =
        () -> {
          for (int i = 0; i < program.size; i += step) {
            host.set(JAVA_BYTE, i, (byte) (host.get(JAVA_BYTE, i) + 1));
          }
        };
    // What its arena is closed under says so; replacing pinned memory awaits that.
    Event done =
        random.nextBoolean()
            ? stream.then(callback)
            : stream.then(callback, ForkJoinPool.commonPool());
    if (to.kind == Kind.PINNED) {
      program.await(done);
    }
    for (int i = 0; i < program.size; i += step) {
      to.expected[i]++;
    }
    program.hasWritten(to, done);
  }

  private void timed() {
    Stream stream = program.any(program.streams);
    Stream other = program.streamOf(stream.device());
    try (TimedEvent begin = stream.recordTimed()) {
      SoakMemory to =
          program.any(program.onDevice.stream().filter(m -> m.device == stream.device()).toList());
      program.writes(stream, to);
      if (to.array instanceof GlobalInts ints) {
        stream.fill(ints, 3);
        SoakProgram.fill(to.expected, 0, program.size, 3);
      } else {
        stream.fill((GlobalBytes) to.array, (byte) 3);
        Arrays.fill(to.expected, (byte) 3);
      }
      program.hasWritten(stream, to);
      try (TimedEvent end = stream.recordTimed()) {
        other.waitFor(end);
        if (random.nextBoolean()) {
          program.await(end);
          if (begin.nanosTo(end) < 0) {
            throw new AssertionError("time went back by " + begin.nanosTo(end) + " ns");
          }
        }
      }
    }
  }

  private void awaitStream() {
    program.await(
        random.nextInt(4) == 0 ? program.any(program.bound) : program.any(program.streams));
  }

  private void ask() {
    Stream stream = program.any(program.streams);
    boolean _ = stream.isIdle();
    boolean _ = stream.record().isDone();
    CompletableFuture<Void> forgotten = stream.toCompletableFuture();
    if (random.nextBoolean()) {
      boolean _ = forgotten.cancel(false);
    }
    if (stream.device().freeBytes() < 0 || stream.device().isLost()) {
      throw new AssertionError(stream.device() + " is in no good state");
    }
  }

  // --- memory of streams ------------------------------------------------------------------------

  /** Allocated, written on one stream, read on another, and freed in one of the ways. */
  private void streamMemory() {
    SoakMemory to =
        program.any(program.onDevice.stream().filter(m -> m.kind != Kind.INTS).toList());
    Device on = to.device;
    Stream stream = program.streamOf(on);
    Stream other = program.streamOf(on);
    byte value = (byte) random.nextInt();
    GlobalBytes array =
        random.nextInt(4) == 0
            ? on.allocateBytes(program.size)
            : stream.allocateBytes(program.size);
    int way = random.nextInt(4);
    if (way == 1) {
      other.freeOnClose(array);
    }
    stream.fill(array, value);
    program.order(other, stream.record());
    program.writes(other, to);
    other.copy(array, to.array);
    Arrays.fill(to.expected, value);
    program.hasWritten(other, to);
    if (way == 2) {
      byte[] out = new byte[program.size];
      other.copy(array, out); // is staged, and holds the free back
    }
    if (way == 3) {
      other.free(array);
    } else {
      array.close();
    }
  }

  private void pool() {
    MemoryPool pool = program.any(program.devices).memoryPool();
    switch (random.nextInt(4)) {
      case 0 -> pool.trimTo(random.nextInt(1 << 20));
      case 1 -> pool.resetPeaks();
      case 2 -> {
        boolean allowed = pool.allows(PoolReuse.OPPORTUNISTIC);
        pool.allow(PoolReuse.OPPORTUNISTIC, !allowed);
        pool.allow(PoolReuse.OPPORTUNISTIC, allowed);
      }
      default -> {
        long threshold = pool.releaseThreshold();
        pool.releaseThreshold(1 << 20);
        pool.releaseThreshold(threshold);
        if (pool.use().usedBytes() <= 0) {
          throw new AssertionError("nothing of the pool is in use");
        }
      }
    }
  }

  /** Closes memory in flight and goes on with another. */
  private void replace() {
    SoakMemory memory =
        program.any(program.onDevice.stream().filter(m -> m.kind != Kind.ADOPTED).toList());
    prepared.remove(memory);
    memory.array.close();
    program.allocated(memory);
  }

  /** Closes a stream in flight; what it holds goes on, and its events still stand for it. */
  private void replaceStream() {
    int at = random.nextInt(program.streams.size());
    Stream old = program.streams.get(at);
    program.streams.set(at, old.device().stream(-random.nextInt(4)));
    old.close();
  }

  // --- other libraries --------------------------------------------------------------------------

  private void call() {
    SoakMemory to = program.any(program.onDevice.stream().filter(m -> m.device == device).toList());
    Stream stream = program.streamOf(device);
    program.writes(stream, to);
    long address = to.array.address();
    byte value = (byte) random.nextInt();
    stream.call(handle -> program.library.fill(address, value, 1, program.size, handle), to.array);
    Arrays.fill(to.expected, value);
    program.hasWritten(stream, to);
  }

  /** Their stream does something, of which their event tells. */
  private void adoptEvent() {
    // Theirs, for ours must not be closed while they use it.
    SoakMemory to =
        program.any(program.onDevice.stream().filter(m -> m.kind == Kind.ADOPTED).toList());
    program.settle(to);
    Stream theirs = program.bound.getLast();
    long handle = theirs.handle();
    long event = program.library.createEvent(false);
    byte value = (byte) random.nextInt();
    program.library.fill(to.array.address(), value, 1, program.size, handle);
    program.library.recordEvent(event, handle);
    Event adopted = device.adoptEvent(event);
    program.library.destroyEvent(event);
    Arrays.fill(to.expected, value);
    program.hasWritten(to, adopted);
  }

  private void timeline() {
    try (Timeline timeline = Timeline.record(device)) {
      fill();
      launch();
      program.await(program.streamOf(device));
      if (timeline.spans().size() > 3) {
        throw new AssertionError("more spans than operations: " + timeline.spans());
      }
    }
  }
}
