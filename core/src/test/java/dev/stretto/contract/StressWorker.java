package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Batch;
import dev.stretto.Copy;
import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.Diagnosis;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.contract.StressRound.StressTimelines;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A thread of a {@link StressRound}, with streams and memory of its own: what it has awaited holds
 * what it should.
 */
final class StressWorker implements Runnable {
  /** Enough for a copy of ordinary memory to be staged by other threads. */
  private static final int N = 20_000;

  private static final int PART = 5_000;
  private static final Grid GRID = Grid.covering(N, 256);

  private record Work(String name, Runnable body) {}

  private final StressRound round;
  private final Device device;
  private final Device other;
  private final Diagnosis diagnosis;
  private final StressTimelines timelines;
  private final Random random;
  private final CountDownLatch half = new CountDownLatch(1);
  private final AtomicInteger called = new AtomicInteger();

  private Stream stream;
  private Stream second;
  private Stream theirs;
  private PinnedArena arena;
  private MemorySegment in;
  private MemorySegment out;
  private GlobalInts a;
  private GlobalInts b;
  private GlobalInts there;
  private Graph graph;

  StressWorker(
      StressRound round,
      Device device,
      Device other,
      Diagnosis diagnosis,
      StressTimelines timelines,
      long seed) {
    this.round = round;
    this.device = device;
    this.other = other;
    this.diagnosis = diagnosis;
    this.timelines = timelines;
    this.random = new Random(seed);
  }

  /** Waits until this one has done half of its work, or has failed. */
  void awaitHalf() throws InterruptedException {
    half.await();
  }

  /** Loses a device. */
  static void fault(Device device) {
    Stream stream = device.stream();
    stream.launch(Grid.of(1, 32), Kernels.FAULT, device.allocateInts(10));
  }

  @Override
  public void run() {
    List<Work> works =
        List.of(
            new Work("single copies", this::singleCopies),
            new Work("single copies", this::singleCopies),
            new Work("batches", this::batches),
            new Work("batches", this::batches),
            new Work("batches under a lock", this::batchesUnderALock),
            new Work("graphs", this::graphs),
            new Work("callbacks", this::callbacks),
            new Work("new streams", this::newStreams),
            new Work("memory", this::memory),
            new Work("copies between devices", this::betweenDevices),
            new Work("looks", this::look),
            new Work("new timelines", timelines::renew));
    // One that begins when a device is lost already has nothing to work with.
    boolean goesOn = attempt(new Work("threads", this::begin)) && graph != null;
    for (int i = 0; goesOn && i < round.operations(); i++) {
      if (i == round.operations() / 2) {
        half.countDown();
      }
      goesOn = attempt(works.get(random.nextInt(works.size())));
    }
    half.countDown();
    if (goesOn) {
      attempt(new Work("ends", this::end));
    }
  }

  private boolean attempt(Work work) {
    try {
      work.body().run();
      round.tally().count(work.name());
      return true;
    } catch (RuntimeException | Error e) {
      return round.isExpected(e) && settles();
    }
  }

  /** What was begun and not awaited must not meet what comes next. */
  private boolean settles() {
    try {
      device.await();
      return true;
    } catch (RuntimeException | Error e) {
      return round.isExpected(e);
    }
  }

  private void begin() {
    stream = device.stream();
    second = device.stream();
    theirs = other.stream();
    arena = device.pinnedArena();
    in = arena.allocate(JAVA_INT, N);
    out = arena.allocate(JAVA_INT, N);
    a = device.allocateInts(N);
    b = device.allocateInts(N);
    there = other.allocateInts(N);
    stream.fill(a, 0);
    stream.fill(b, 0);
    stream.await();
    graph =
        Graph.capture(
            stream,
            () -> {
              stream.copy(in, a);
              stream.launch(GRID, Kernels.ADD, a, 1, N);
              stream.then(called::incrementAndGet);
              stream.copy(a, out);
            });
  }

  private void end() {
    stream.await();
    second.await();
    theirs.await();
    graph.close();
    a.close();
    b.close();
    there.close();
    arena.close();
    stream.close();
    second.close();
    theirs.close();
  }

  // --- work -------------------------------------------------------------------------------------

  private void fill(MemorySegment ints, int value) {
    for (int i = 0; i < N; i++) {
      ints.setAtIndex(JAVA_INT, i, value);
    }
  }

  /** What was awaited has to be right: of a lost device nothing is awaited with success. */
  private void require(int[] found, int expected) {
    if (!Arrays.stream(found).allMatch(value -> value == expected)) {
      throw new AssertionError(
          "%s: not all are %d: %s".formatted(device, expected, Arrays.toString(found)));
    }
  }

  private void singleCopies() {
    int value = random.nextInt(1_000);
    int[] heap = new int[N];
    Arrays.fill(heap, value);
    int[] back = new int[N];
    stream.copy(heap, a);
    stream.launch(GRID, Kernels.ADD, a, 1, N);
    stream.copy(a, b);
    stream.copy(b, back).await();
    require(back, value + 1);
    int[] few = new int[100];
    stream.fill(b, value);
    stream.copy(b.slice(50, 100), few).await(Duration.ofSeconds(100));
    require(few, value);
  }

  private void batches() {
    int value = random.nextInt(1_000);
    fill(in, value);
    int[] heap = new int[N];
    Arrays.fill(heap, value);
    Batch up = enqueueUp(heap);
    int[] back = new int[PART];
    Batch down =
        stream.copyAll(
            List.of(
                CopyRequest.of(b, out),
                CopyRequest.of(a.slice(0, PART), MemorySegment.ofArray(back))));
    down.await();
    up.await();
    require(out.toArray(JAVA_INT), value);
    require(back, value);
  }

  private Batch enqueueUp(int[] heap) {
    return stream.copyAll(
        List.of(
            CopyRequest.of(in.asSlice(0, 4L * PART), a.slice(0, PART)),
            CopyRequest.of(in.asSlice(4L * PART, 4L * (N - PART)), a.slice(PART, N - PART)),
            CopyRequest.of(MemorySegment.ofArray(heap), b)));
  }

  /**
   * A program that enqueues with a lock which its observer takes too: no lock of ours may be held.
   */
  private void batchesUnderALock() {
    fill(in, 3);
    int[] heap = new int[N];
    Batch up;
    synchronized (round.monitor()) {
      up = enqueueUp(heap);
      stream.launch(GRID, Kernels.ADD, a, 1, N);
      stream.copy(a, out);
    }
    up.await();
    stream.await();
    require(out.toArray(JAVA_INT), 4);
  }

  private void graphs() {
    int before = called.get();
    fill(in, before);
    stream.launch(graph);
    graph.launch(stream).await();
    stream.await();
    require(out.toArray(JAVA_INT), before + 1);
    if (called.get() != before + 2) {
      throw new AssertionError("%d callbacks, %d at first".formatted(called.get(), before));
    }
  }

  private void callbacks() {
    AtomicInteger seen = new AtomicInteger();
    stream.fill(a, 5);
    stream.copy(a, out);
    Event done =
        stream.then(
            () -> {
              seen.set(out.get(JAVA_INT, 0));
              try (Stream fresh = device.stream()) {
                fresh.fill(b, 6);
              }
              int _ = timelines.current().running();
            });
    second.waitFor(done);
    int[] back = new int[N];
    second.copy(a, back).await();
    require(back, 5);
    done.await(); // says so if the callback failed: memory of a closed device cannot be read
    require(new int[] {seen.get()}, 5);
    stream.await();
    device.await(); // that the fill on the callback's stream does not meet what comes next
  }

  private void newStreams() {
    int value = random.nextInt(1_000);
    int[] back = new int[N];
    try (Stream fresh = device.stream();
        Stream next = device.stream()) {
      fresh.fill(a, value);
      next.waitFor(fresh.record());
      next.copy(a, back);
      stream.waitFor(next.record());
    }
    stream.await();
    require(back, value);
  }

  private void memory() {
    int[] back = new int[N];
    try (GlobalInts fresh = device.allocateInts(N);
        GlobalInts inOrder = stream.allocateInts(N);
        PinnedArena pinned = device.pinnedArena();
        Arena ordinary = Arena.ofShared()) {
      MemorySegment mine = ordinary.allocate(4L * N, 4096);
      MemorySegment host = pinned.allocate(JAVA_INT, N);
      stream.fill(fresh, 8);
      stream.copy(fresh, host);
      stream.copy(host, inOrder);
      stream.copy(inOrder, mine).await();
      MemorySegment.copy(mine, JAVA_INT, 0, back, 0, N);
    }
    require(back, 8);
  }

  private void betweenDevices() {
    int value = random.nextInt(1_000);
    int[] back = new int[N];
    stream.fill(a, value);
    Copy over = stream.copy(a, there);
    theirs.waitFor(stream.record());
    theirs.launch(GRID, Kernels.ADD, there, 1, N);
    Copy home = theirs.copy(there, b);
    stream.waitFor(theirs.record());
    stream.copy(b, back).await();
    // This stream goes on where the other device is lost: these two say whether the bytes came.
    over.await();
    home.await();
    require(back, value + 1);
  }

  private void look() {
    round.tally().findings(diagnosis.findings().size());
    int _ = diagnosis.report().length() + timelines.current().spans().size();
    try (Diagnosis another = Diagnosis.of(device, other)) {
      stream.fill(a, 1);
      stream.copy(a, out);
      stream.await();
      round.tally().findings(another.findings().size());
    }
  }
}
