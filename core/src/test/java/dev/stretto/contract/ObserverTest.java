package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Copy;
import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.Diagnosis;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.Observer;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.collective.Collective;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;

/** Observers are the program's code: they may do anything, and nothing waits for them for ever. */
class ObserverTest extends ContractTest {
  private static final int N = 4096;
  private static final int ROUNDS = 300;

  // --- locks ------------------------------------------------------------------------------------

  @Test
  void batchesBesideCopiesUnderADiagnosisComeToAnEnd() throws InterruptedException {
    try (Diagnosis diagnosis = Diagnosis.of(device)) {
      batchesBesideCopies();
      assertThat(diagnosis.report()).isNotBlank();
    }
  }

  @Test
  void batchesBesideCopiesUnderATimelineComeToAnEnd() throws InterruptedException {
    try (Timeline timeline = Timeline.record(device)) {
      batchesBesideCopies();
      device.await();
      assertThat(timeline.spans()).isNotEmpty();
    }
  }

  @Test
  void batchesBesideCopiesUnderTheFlightRecorderComeToAnEnd() throws InterruptedException {
    try (Recording recording = new Recording()) {
      recording.enable("dev.stretto.Copy");
      recording.enable("dev.stretto.Launch");
      recording.start();
      batchesBesideCopies();
    }
  }

  private void batchesBesideCopies() throws InterruptedException {
    AtomicReference<Throwable> failed = new AtomicReference<>();
    Thread batches = Thread.ofPlatform().start(() -> run(failed, this::enqueueBatches));
    Thread copies = Thread.ofPlatform().start(() -> run(failed, this::enqueueCopies));
    batches.join();
    copies.join();
    assertThat(failed.get()).isNull();
  }

  private static void run(AtomicReference<Throwable> failed, Runnable body) {
    try {
      body.run();
    } catch (Throwable e) {
      failed.compareAndSet(null, e);
    }
  }

  private void enqueueBatches() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(2 * N);
        GlobalBytes more = device.allocateBytes(N)) {
      MemorySegment host = pinned.allocate(2 * N);
      for (int i = 0; i < ROUNDS; i++) {
        stream.copyAll(
            List.of(
                CopyRequest.of(host.asSlice(0, N), array.slice(0, N)),
                CopyRequest.of(host.asSlice(N, N), array.slice(N, N)),
                CopyRequest.of(MemorySegment.ofArray(new byte[N]), more)));
      }
      stream.await();
    }
  }

  private void enqueueCopies() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(N)) {
      MemorySegment host = pinned.allocate(N);
      for (int i = 0; i < ROUNDS; i++) {
        stream.copy(host, array);
        stream.fill(array, (byte) i);
        stream.copy(array, host);
      }
      stream.await();
    }
  }

  /** Another thread enqueues and waits while the observer runs: that stops if a lock is held. */
  private Observer handsOver(AtomicInteger seen) {
    return operation -> {
      operation.begin().close();
      operation.end().close();
      if (operation.name().startsWith("Memset")) {
        return; // that of the other thread
      }
      seen.incrementAndGet();
      AtomicReference<Throwable> failed = new AtomicReference<>();
      Thread other = Thread.ofPlatform().start(() -> run(failed, this::fillOnAnotherStream));
      try {
        other.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      assertThat(failed.get()).isNull();
    };
  }

  private void fillOnAnotherStream() {
    try (Stream stream = device.stream();
        GlobalInts ints = device.allocateInts(10)) {
      stream.fill(ints, 1).await();
    }
  }

  @Test
  void anObserverIsCalledWithNoLockHeld() throws Exception {
    AtomicInteger seen = new AtomicInteger();
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts ints = device.allocateInts(N);
        GlobalBytes a = device.allocateBytes(N);
        GlobalBytes b = device.allocateBytes(N);
        Graph graph =
            Graph.capture(
                stream, () -> stream.launch(Grid.covering(N, 256), Kernels.ADD, ints, 1, N));
        AutoCloseable _ = device.observe(handsOver(seen))) {
      MemorySegment host = pinned.allocate(2 * N);
      stream.copy(host.asSlice(0, N), a);
      stream.copy(new byte[N], a);
      stream.copy(a, b);
      stream.launch(Grid.covering(N, 256), Kernels.ADD, ints, 1, N);
      assertThat(seen.getAndSet(0)).isEqualTo(4);
      stream.launch(graph);
      assertThat(seen.getAndSet(0)).isEqualTo(1);
      stream.copyAll(
          List.of(CopyRequest.of(host.asSlice(0, N), a), CopyRequest.of(b, host.asSlice(N, N))));
      assertThat(seen.getAndSet(0)).isEqualTo(2);
      stream.await();
    }
  }

  @Test
  void anObserverOfACollectiveMayUseItFromAnotherThread() throws Exception {
    try (Machine.Opened pair = machine.openPair(driver -> driver)) {
      if (pair.devices().size() < 2) {
        return;
      }
      List<Device> devices = pair.devices().subList(0, 2);
      AtomicReference<Throwable> failed = new AtomicReference<>();
      AtomicInteger seen = new AtomicInteger();
      List<GlobalArray> wholes = new ArrayList<>();
      devices.forEach(each -> wholes.add(each.allocateBytes(N)));
      try (Collective collective = Collective.of(devices)) {
        Observer observer =
            operation -> {
              operation.begin().close();
              operation.end().close();
              seen.incrementAndGet();
              Thread other = Thread.ofPlatform().start(() -> run(failed, collective::isOpen));
              try {
                other.join();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            };
        try (AutoCloseable _ = devices.getFirst().observe(observer);
            AutoCloseable _ = devices.getLast().observe(observer)) {
          collective.broadcast(wholes.getFirst(), List.of(wholes.getLast())).await();
        }
      }
      assertThat(seen.get()).isPositive();
      assertThat(failed.get()).isNull();
    }
  }

  // --- exceptions -------------------------------------------------------------------------------

  @Test
  void anObserverThatThrowsChangesNothingForWhoeverEnqueues() throws Exception {
    try (LoggedErrors logged = new LoggedErrors();
        Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(N);
        AutoCloseable _ =
            device.observe(
                operation -> {
                  operation.begin().close();
                  operation.end().close();
                  if (operation.kind() == Observer.Kind.FILL) {
                    throw new AssertionError("an observer's error");
                  }
                  throw new IllegalArgumentException("an observer's exception");
                })) {
      Copy copy = stream.copy(bytes(N, 1), array);
      stream.fill(array.slice(0, 10), (byte) 5);
      stream.copyAll(
          List.of(CopyRequest.of(MemorySegment.ofArray(bytes(10, 2)), array.slice(20, 10))));
      copy.await();
      byte[] expected = bytes(N, 1);
      for (int i = 0; i < 10; i++) {
        expected[i] = 5;
        expected[20 + i] = bytes(10, 2)[i];
      }
      assertSame(read(stream, array), expected);
      assertThat(logged.all()).hasSize(1);
      assertThat(logged.all().getFirst()).hasMessage("an observer's exception");
    }
  }

  @Test
  void anObserverThatThrowsAndIsAddedAgainIsLoggedOnce() throws Exception {
    Observer throwing =
        operation -> {
          operation.begin().close();
          operation.end().close();
          throw new IllegalArgumentException("an observer's exception");
        };
    try (LoggedErrors logged = new LoggedErrors();
        Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(N)) {
      for (int i = 0; i < 3; i++) {
        try (AutoCloseable _ = device.observe(throwing)) {
          stream.fill(array, (byte) i).await();
        }
      }
      assertThat(logged.all()).hasSize(1);
    }
  }

  // --- timelines and callbacks ------------------------------------------------------------------

  @Test
  void aTimelineMayBeReadWhileCallbacksUseNewStreams() throws InterruptedException {
    int callbacks = 40;
    CountDownLatch ran = new CountDownLatch(callbacks);
    List<Stream> made = new ArrayList<>();
    try (Stream stream = device.stream();
        GlobalInts ints = device.allocateInts(callbacks);
        Timeline timeline = Timeline.record(device)) {
      for (int i = 0; i < callbacks; i++) {
        int number = i;
        stream.fill(ints.slice(number, 1), i);
        stream.then(
            () -> {
              Stream another = device.stream();
              synchronized (made) {
                made.add(another);
              }
              another.fill(ints.slice(number, 1), -number);
              ran.countDown();
            });
        assertThat(timeline.spans()).hasSizeLessThanOrEqualTo(2 * callbacks);
      }
      stream.await();
      device.await();
      assertThat(ran.getCount()).isZero();
      assertThat(timeline.spans()).hasSize(2 * callbacks);
      assertThat(timeline.leftOut()).isZero();
    }
    made.forEach(Stream::close);
  }
}
