package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.stretto.Awaitable;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.PinnedArena;
import dev.stretto.PinnedBuffers;
import dev.stretto.Stream;
import dev.stretto.contract.SoakMemory.Kind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.function.IntConsumer;

/**
 * One random program of every operation that there is, on several streams of one or two devices,
 * with exactly the waits that its data needs. All that it leaves in memory is compared with what
 * plain Java makes of the same operations one after the other; then everything is closed in any
 * order, with work in flight.
 */
final class SoakProgram {
  private static final int[] SIZES = {1 << 10, 20 << 10, 100 << 10, 600 << 10};
  private static final int LARGE = 9 << 20;
  private static final int STREAMS = 3;
  private static final int LOGGED = 60;

  final List<Device> devices;
  final DriverDevice library;
  final Random random;
  final int size;
  final List<Stream> streams = new ArrayList<>();
  final List<Stream> bound = new ArrayList<>();
  final List<SoakMemory> onDevice = new ArrayList<>();
  final List<SoakMemory> onHost = new ArrayList<>();
  final List<AutoCloseable> open = new ArrayList<>();
  private final List<PinnedBuffers> buffers = new ArrayList<>();
  private final List<Long> theirStreams = new ArrayList<>();
  private final List<Long> theirMemory = new ArrayList<>();
  private final Arena arena = Arena.ofShared();
  private final Map<String, Long> counts;
  private final Deque<String> log = new ArrayDeque<>();
  private final long seed;
  private boolean capturing;

  /** An operation and how often it is chosen. */
  record Chance(String name, int weight, Runnable operation) {}

  /**
   * Prepares a program.
   *
   * @param devices one or two
   * @param library the first one, opened as another library has it; the program's to close
   * @param seed says which program
   * @param counts gets how often which operation was done
   */
  SoakProgram(List<Device> devices, DriverDevice library, long seed, Map<String, Long> counts) {
    this.devices = devices;
    this.library = library;
    this.seed = seed;
    this.counts = counts;
    this.random = new Random(seed);
    this.size = random.nextInt(40) == 0 ? LARGE : SIZES[random.nextInt(SIZES.length)];
  }

  /** Runs it; what goes wrong says the seed and the last operations. */
  void run(int operations) {
    try {
      begin();
      List<Chance> chances = new ArrayList<>();
      new SoakCopies(this).addTo(chances);
      new SoakOrder(this).addTo(chances);
      new SoakGraphs(this).addTo(chances);
      int total = chances.stream().mapToInt(Chance::weight).sum();
      IntConsumer step = _ -> step(chances, total);
      repeat(operations, step);
      check();
      repeat(random.nextInt(12), step); // in flight when everything is closed
      close();
    } catch (RuntimeException | Error e) {
      throw new AssertionError(
          "program of seed %d (%d bytes): %s%n%s".formatted(seed, size, e, String.join("\n", log)),
          e);
    }
  }

  private static void repeat(int times, IntConsumer body) {
    for (int i = 0; i < times; i++) {
      body.accept(i);
    }
  }

  private void step(List<Chance> chances, int total) {
    int chosen = random.nextInt(total);
    for (Chance chance : chances) {
      chosen -= chance.weight();
      if (chosen < 0) {
        note(chance.name());
        chance.operation().run();
        return;
      }
    }
  }

  /** Notes what is done now. */
  void note(String name) {
    long _ = counts.merge(name, 1L, Long::sum);
    log.addLast(name);
    if (log.size() > LOGGED) {
      String _ = log.removeFirst();
    }
  }

  // --- what there is ----------------------------------------------------------------------------

  private void begin() {
    for (Device device : devices) {
      for (int i = 0; i < STREAMS; i++) {
        streams.add(device.stream(-random.nextInt(4)));
      }
      onDevice.add(allocated(new SoakMemory(Kind.BYTES, device, size)));
      onDevice.add(allocated(new SoakMemory(Kind.BYTES, device, size)));
      onDevice.add(allocated(new SoakMemory(Kind.INTS, device, size)));
    }
    Device device = devices.getFirst();
    bound.add(device.legacyStream());
    bound.add(device.perThreadStream());
    long handle = library.createStream(0);
    theirStreams.add(handle);
    bound.add(device.adoptStream(handle));
    onDevice.add(allocated(new SoakMemory(Kind.ADOPTED, device, size)));
    for (Kind kind : List.of(Kind.HEAP, Kind.PLAIN, Kind.PINNED, Kind.PINNED, Kind.MAPPED)) {
      onHost.add(hosted(new SoakMemory(kind, device, size)));
    }
    buffers.add(device.pinnedBuffers(Math.min(size, 100 << 10), 2));
  }

  /** Gives memory of a device a place, filled with zeros. */
  SoakMemory allocated(SoakMemory memory) {
    Stream stream = streamOf(memory.device);
    Arrays.fill(memory.expected, (byte) 0);
    memory.read.clear();
    if (memory.kind == Kind.INTS) {
      GlobalInts ints = memory.device.allocateInts(size / 4);
      memory.array = ints;
      memory.written = stream.fill(ints, 0);
      return memory;
    }
    GlobalBytes bytes =
        memory.kind == Kind.ADOPTED ? adopted(memory) : memory.device.allocateBytes(size);
    memory.array = bytes;
    memory.written = stream.fill(bytes, (byte) 0);
    return memory;
  }

  private GlobalBytes adopted(SoakMemory memory) {
    long address = library.allocate(size);
    theirMemory.add(address);
    return memory.device.adopt(address, size, GlobalBytes::of);
  }

  /** Gives memory of the host a place, filled with zeros. */
  SoakMemory hosted(SoakMemory memory) {
    Arrays.fill(memory.expected, (byte) 0);
    switch (memory.kind) {
      case HEAP -> memory.host = MemorySegment.ofArray(new byte[size]);
      case PLAIN -> memory.host = arena.allocate(size, 4096);
      case MAPPED -> memory.host = mapped();
      default -> {
        PinnedArena pinned = memory.device.pinnedArena();
        memory.host = pinned.allocate(size, 64);
        memory.owner = pinned;
      }
    }
    return memory;
  }

  private MemorySegment mapped() {
    try {
      Path file = Files.createTempFile("stretto-soak", ".bin");
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        return channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Arena arena() {
    return arena;
  }

  PinnedBuffers buffers() {
    return buffers.getFirst();
  }

  <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  Stream streamOf(Device device) {
    return any(streams.stream().filter(stream -> stream.device() == device).toList());
  }

  /** {@return a stream of a device, now and then one that somebody else enqueues on, too} */
  Stream anyStreamOf(Device device) {
    return device == devices.getFirst() && random.nextInt(5) == 0 ? any(bound) : streamOf(device);
  }

  /** {@return a multiple of 4 within memory, and how many bytes behind it, as many} */
  int[] range() {
    int at = random.nextInt(size / 4) * 4;
    int length = Math.max(4, (1 + random.nextInt(size - at)) & -4);
    return new int[] {at, length};
  }

  // --- order ------------------------------------------------------------------------------------

  void capturing(boolean now) {
    capturing = now;
  }

  /** Has a stream come after an event, in one of the ways that there are. */
  void order(Stream stream, Event event) {
    if (capturing) {
      stream.waitFor(event);
      return;
    }
    if (bound.contains(stream)) {
      await(event);
    } else if (event.stream() != stream) {
      if (random.nextInt(12) == 0) {
        await(event);
      } else {
        stream.waitFor(event);
      }
    }
  }

  /** Awaits in one of the ways that there are. */
  void await(Awaitable work) {
    switch (random.nextInt(6)) {
      case 0 -> {
        note("await with a deadline");
        boolean _ = work.await(Duration.ofNanos(random.nextInt(3)));
        awaitWithDeadline(work);
      }
      case 1 -> {
        note("await a future");
        join(work.toCompletableFuture());
      }
      case 2 -> {
        note("await on a virtual thread");
        awaitVirtually(work);
      }
      default -> {
        note("await");
        work.await();
      }
    }
    if (!work.isDone()) {
      throw new AssertionError("what was awaited is not done: " + work);
    }
  }

  private static void awaitWithDeadline(Awaitable work) {
    for (int seconds = 0; !work.await(Duration.ofSeconds(1)); seconds++) {
      if (seconds > 60) {
        throw new AssertionError(work + " never comes to its end");
      }
    }
  }

  static <T> T join(java.util.concurrent.CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private static void awaitVirtually(Awaitable work) {
    List<RuntimeException> told = Collections.synchronizedList(new ArrayList<>());
    Thread thread =
        Thread.startVirtualThread(
            () -> {
              try {
                work.await();
              } catch (RuntimeException e) {
                told.add(e);
              }
            });
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (!told.isEmpty()) {
      throw told.getFirst();
    }
  }

  void reads(Stream stream, SoakMemory memory) {
    if (memory.written != null) {
      order(stream, memory.written);
    }
  }

  void writes(Stream stream, SoakMemory memory) {
    reads(stream, memory);
    memory.read.forEach(reader -> order(stream, reader));
  }

  void hasRead(Stream stream, SoakMemory memory) {
    memory.read.add(stream.record());
    if (memory.read.size() > 64) {
      memory.read.removeIf(reader -> !capturing && reader.isDone());
    }
  }

  void hasWritten(Stream stream, SoakMemory memory) {
    hasWritten(memory, stream.record());
  }

  void hasWritten(SoakMemory memory, Event event) {
    memory.read.clear();
    memory.written = event;
  }

  /** Has the host come after all that uses some memory. */
  void settle(SoakMemory memory) {
    if (memory.written != null) {
      await(memory.written);
      memory.written = null;
    }
    memory.read.forEach(this::await);
    memory.read.clear();
  }

  // --- the model --------------------------------------------------------------------------------

  static void fill(byte[] bytes, int at, int length, int word) {
    for (int i = 0; i < length; i++) {
      bytes[at + i] = (byte) (word >> (8 * (i % 4)));
    }
  }

  static void add(byte[] bytes, int value) {
    MemorySegment words = MemorySegment.ofArray(bytes);
    for (int i = 0; i < bytes.length; i += 4) {
      words.set(JAVA_INT_UNALIGNED, i, words.get(JAVA_INT_UNALIGNED, i) + value);
    }
  }

  static void mix(byte[] bytes, int factor) {
    MemorySegment words = MemorySegment.ofArray(bytes);
    for (int i = 0; i < bytes.length; i += 4) {
      words.set(JAVA_INT_UNALIGNED, i, words.get(JAVA_INT_UNALIGNED, i) * factor + i / 4);
    }
  }

  // --- the end ----------------------------------------------------------------------------------

  /** Compares everything, byte by byte. */
  void check() {
    devices.forEach(Device::await);
    for (SoakMemory memory : onHost) {
      settle(memory);
      same(memory, memory.held());
    }
    for (SoakMemory memory : onDevice) {
      Stream stream = streamOf(memory.device);
      byte[] found = new byte[size];
      reads(stream, memory);
      await(stream.copy(memory.array, MemorySegment.ofArray(found)));
      same(memory, found);
    }
  }

  private static void same(SoakMemory memory, byte[] found) {
    int at = Arrays.mismatch(found, memory.expected);
    if (at >= 0) {
      throw new AssertionError(
          "byte %d of %s is %02x, not %02x".formatted(at, memory, found[at], memory.expected[at]));
    }
  }

  /**
   * Closes everything in any order, and lets the other library go when it may. Pinned memory that
   * host threads have to touch is closed when they have, or else a copy fails.
   */
  private void close() {
    onHost.stream().filter(m -> m.owner != null && m.touched).forEach(this::settle);
    List<AutoCloseable> all = new ArrayList<>(open);
    all.addAll(streams);
    all.addAll(bound);
    all.addAll(buffers);
    onHost.stream().filter(memory -> memory.owner != null).forEach(m -> all.add(m.owner));
    onDevice.forEach(memory -> all.add(memory.array));
    List<Event> last = new ArrayList<>();
    for (List<Stream> some : List.of(streams, bound)) {
      some.forEach(stream -> last.add(stream.record()));
    }
    Collections.shuffle(all, random);
    for (AutoCloseable each : all) {
      try {
        each.close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    last.forEach(Event::await);
    devices.forEach(Device::await);
    arena.close();
    theirMemory.forEach(library::free);
    theirStreams.forEach(library::destroyStream);
    library.close();
  }
}
