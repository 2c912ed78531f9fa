package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Diagnosis;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Streams, events and memory of another CUDA library in the process, used here, and ours used
 * there. The other library is the driver itself.
 */
class AdoptionTest extends ContractTest {
  private static final int N = 100_000;

  private DriverDevice library;
  private long theirStream;
  private long theirMemory;

  @BeforeEach
  void openTheOtherLibrary() {
    library = opened.otherLibrary();
    theirStream = library.createStream(0);
    theirMemory = library.allocate(N);
  }

  @AfterEach
  void closeTheOtherLibrary() {
    if (!device.isLost()) {
      if (device.isOpen()) {
        device.await();
      }
      long event = library.createEvent(false);
      library.recordEvent(event, theirStream);
      library.awaitEvent(event);
      library.destroyEvent(event);
      if (theirStream != 0) {
        library.destroyStream(theirStream);
      }
      library.free(theirMemory);
    }
    library.close();
  }

  // --- streams ----------------------------------------------------------------------------------

  @Test
  void whatIsEnqueuedOnAnAdoptedStreamIsInTheOrderOfTheLibrarysWork() {
    try (Stream adopted = device.adoptStream(theirStream);
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes a = device.allocateBytes(N)) {
      MemorySegment out = pinned.allocate(N);
      for (int i = 0; i < 10; i++) {
        library.fill(a.address(), i, 1, N, theirStream);
        adopted.copy(a, out);
        library.fill(a.address(), 99, 1, N, theirStream);
        adopted.await();
        assertThat(read(out)).containsOnly((byte) i);
      }
      adopted.record().await(); // the library's last work too, before its memory goes
    }
  }

  @Test
  void awaitingAnAdoptedStreamAwaitsWhatItsLibraryHasEnqueued() {
    try (Stream adopted = device.adoptStream(theirStream);
        PinnedArena pinned = device.pinnedArena()) {
      MemorySegment out = pinned.allocate(N);
      for (int i = 1; i <= 8; i++) {
        library.fill(theirMemory, i, 1, N, theirStream);
        library.copy(out.address(), theirMemory, N, CopyKind.DEVICE_TO_HOST, theirStream);
        switch (i % 4) {
          case 0 -> adopted.await();
          case 1 -> assertThat(adopted.await(Duration.ofSeconds(30))).isTrue();
          case 2 -> adopted.toCompletableFuture().join();
          default -> device.await();
        }
        assertThat(read(out)).containsOnly((byte) i);
      }
    }
  }

  @Test
  void anAdoptedStreamIsIdleOnlyWhenItsLibrarysWorkIsDone() {
    try (Stream adopted = device.adoptStream(theirStream);
        PinnedArena pinned = device.pinnedArena()) {
      MemorySegment out = pinned.allocate(N);
      for (int i = 1; i <= 8; i++) {
        library.fill(theirMemory, i, 1, N, theirStream);
        library.copy(out.address(), theirMemory, N, CopyKind.DEVICE_TO_HOST, theirStream);
        while (!adopted.isIdle()) {
          Thread.onSpinWait();
        }
        assertThat(read(out)).containsOnly((byte) i);
      }
    }
  }

  @Test
  void anAdoptedStreamLaunchesFillsRecordsAndIsAwaited() {
    try (Stream adopted = device.adoptStream(theirStream);
        Stream stream = device.stream();
        GlobalInts ints = device.allocateInts(1000)) {
      adopted.fill(ints, 5);
      adopted.launch(Grid.covering(1000, 128), Kernels.ADD, ints, 3, 1000);
      stream.waitFor(adopted.record());
      assertThat(read(stream, ints)).startsWith(8, 0, 0, 0);
      adopted.await();
      assertThat(adopted.isIdle()).isTrue();
      assertThat(adopted.handle()).isEqualTo(theirStream);
    }
  }

  @Test
  void aDiagnosisTakesNoAdoptedStreamForADefaultStream() {
    long second = library.createStream(0);
    try (Stream adopted = device.adoptStream(theirStream);
        Stream another = device.adoptStream(second);
        GlobalInts ints = device.allocateInts(1 << 22);
        Diagnosis diagnosis = Diagnosis.of(device)) {
      for (int i = 0; i < 4; i++) {
        adopted.fill(ints.slice(0, 1 << 20), i);
        another.fill(ints.slice(1 << 20, 1 << 20), i);
        device.legacyStream().fill(ints.slice(2 << 20, 1 << 20), i);
      }
      device.await();
      assertThat(diagnosis.findings()).as(diagnosis.report()).isEmpty();
    }
    library.destroyStream(second);
  }

  @Test
  void closingAnAdoptedStreamEndsOurUseAndNoMore() {
    Stream adopted = device.adoptStream(theirStream);
    GlobalBytes a = device.allocateBytes(N);
    adopted.fill(a, (byte) 1);
    adopted.close();
    assertThatThrownBy(() -> adopted.fill(a, (byte) 2)).isInstanceOf(ClosedException.class);
    library.fill(a.address(), 3, 1, N, theirStream); // it is still there
    try (Stream again = device.adoptStream(theirStream);
        PinnedArena pinned = device.pinnedArena()) {
      MemorySegment out = pinned.allocate(N);
      again.copy(a, out).await();
      assertThat(read(out)).containsOnly((byte) 3);
    }
    a.close();
  }

  @Test
  void theLibraryMayDestroyItsStreamOnceOursIsClosed() {
    Stream adopted = device.adoptStream(theirStream);
    GlobalBytes a = device.allocateBytes(N);
    Event filled = adopted.fill(a, (byte) 4);
    adopted.close();
    library.destroyStream(theirStream);
    theirStream = library.createStream(0);
    filled.await();
    try (Stream stream = device.stream()) {
      assertThat(read(stream, a)).containsOnly((byte) 4);
    }
    a.close();
  }

  @Test
  void whatWouldHaveToBeHeldBackIsRefusedOnAnAdoptedStream() {
    try (Stream adopted = device.adoptStream(theirStream);
        Stream stream = device.stream();
        GlobalBytes a = device.allocateBytes(N)) {
      assertThatThrownBy(() -> adopted.copy(new byte[N], a))
          .isInstanceOf(RouteException.class)
          .hasMessageContaining("an adopted stream");
      assertThatThrownBy(() -> adopted.then(() -> {}))
          .isInstanceOf(RouteException.class)
          .hasMessageContaining("an adopted stream");
      try (Gate gate = gate(stream)) {
        Event event = stream.fill(a, (byte) 1);
        assertThatThrownBy(() -> adopted.waitFor(event))
            .isInstanceOf(RouteException.class)
            .hasMessageContaining("an adopted stream");
        assertThat(gate).isNotNull();
      }
      stream.await();
    }
  }

  @Test
  void streamsThatAreNoneOrOursOrDefaultAreNotAdopted() {
    try (Stream ours = device.stream()) {
      assertThatThrownBy(() -> device.adoptStream(ours.handle()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("itself");
      for (long handle = 0; handle < 3; handle++) {
        long none = handle;
        assertThatThrownBy(() -> device.adoptStream(none))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("default stream");
      }
      if (machine.isVirtual()) { // CUDA takes it on trust
        assertThatThrownBy(() -> device.adoptStream(4711))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("0x1267");
      }
    }
  }

  // --- events -----------------------------------------------------------------------------------

  @Test
  void anAdoptedEventStandsForWhatTheLibraryHasRecorded() {
    try (Stream stream = device.stream();
        GlobalBytes a = device.allocateBytes(N)) {
      long event = library.createEvent(false);
      for (int i = 0; i < 5; i++) {
        library.fill(a.address(), i, 1, N, theirStream);
        library.recordEvent(event, theirStream);
        Event adopted = device.adoptEvent(event);
        stream.waitFor(adopted);
        assertThat(read(stream, a)).containsOnly((byte) i);
        adopted.await();
        assertThat(adopted.isDone()).isTrue();
      }
      library.destroyEvent(event);
    }
  }

  @Test
  void theLibraryMayDestroyOrRecordAnEventAnewOnceItIsAdopted() {
    try (Stream stream = device.stream();
        GlobalBytes a = device.allocateBytes(N)) {
      long event = library.createEvent(false);
      library.fill(a.address(), 6, 1, N, theirStream);
      library.recordEvent(event, theirStream);
      Event adopted = device.adoptEvent(event);
      library.destroyEvent(event);
      adopted.toCompletableFuture().join();
      stream.waitFor(adopted);
      assertThat(read(stream, a)).containsOnly((byte) 6);
    }
  }

  @Test
  void anEventThatWasNeverRecordedHasHappened() {
    long event = library.createEvent(false);
    Event adopted = device.adoptEvent(event);
    adopted.await();
    assertThat(adopted.isDone()).isTrue();
    library.destroyEvent(event);
  }

  @Test
  void eventsThatAreNoneAreNotAdopted() {
    assertThatThrownBy(() -> device.adoptEvent(0)).isInstanceOf(IllegalArgumentException.class);
    if (machine.isVirtual()) { // CUDA takes it on trust
      assertThatThrownBy(() -> device.adoptEvent(4711))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0x1267");
    }
  }

  @Test
  void theLibraryWaitsForATimedEventOfOurs() {
    try (Stream stream = device.stream();
        GlobalBytes a = device.allocateBytes(N);
        GlobalBytes b = device.allocateBytes(N)) {
      stream.fill(a, (byte) 7);
      TimedEvent filled = stream.recordTimed();
      library.waitEvent(theirStream, filled.handle());
      filled.close();
      library.copy(b.address(), a.address(), N, CopyKind.DEVICE_TO_DEVICE, theirStream);
      long event = library.createEvent(false);
      library.recordEvent(event, theirStream);
      stream.waitFor(device.adoptEvent(event));
      assertThat(read(stream, b)).containsOnly((byte) 7);
      library.destroyEvent(event);
      assertThatThrownBy(filled::handle).isInstanceOf(ClosedException.class);
    }
  }

  @Test
  void anEventThatIsHeldBackIsNotHandedOut() {
    try (Stream stream = device.stream()) {
      TimedEvent event;
      try (Gate gate = gate(stream)) {
        event = stream.recordTimed();
        if (gate.isShut()) {
          TimedEvent held = event;
          assertThatThrownBy(held::handle)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("held back");
        }
      }
      event.await();
      assertThat(event.handle()).isNotZero();
      event.close();
    }
  }

  // --- memory -----------------------------------------------------------------------------------

  @Test
  void adoptedMemoryIsCopiedFilledAndUsedByKernels() {
    try (Stream stream = device.stream();
        GlobalInts ints = device.adopt(theirMemory, N, GlobalInts::of)) {
      assertThat(ints.length()).isEqualTo(N / 4);
      assertThat(ints.address()).isEqualTo(theirMemory);
      stream.fill(ints, 40);
      stream.launch(Grid.covering(N / 4, 128), Kernels.ADD, ints, 2, N / 4);
      assertThat(read(stream, ints.slice(N / 4 - 1, 1))).containsExactly(42, 0, 0, 0);
    }
  }

  @Test
  void partsOfMemoryAreAdopted() {
    try (Stream stream = device.stream();
        GlobalBytes all = device.adopt(theirMemory, N, GlobalBytes::of);
        GlobalInts part = device.adopt(theirMemory + 400, 40, GlobalInts::of)) {
      stream.fill(all, (byte) 0);
      stream.fill(part, -1);
      byte[] bytes = read(stream, all);
      assertThat(bytes[399]).isZero();
      assertThat(bytes[400]).isEqualTo((byte) -1);
      assertThat(bytes[439]).isEqualTo((byte) -1);
      assertThat(bytes[440]).isZero();
    }
  }

  @Test
  void theOwnerIsToldOnceNothingUsesTheMemoryAnyMore() {
    AtomicInteger released = new AtomicInteger();
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      GlobalBytes array = device.adopt(theirMemory, N, GlobalBytes::of, released::incrementAndGet);
      MemorySegment out = pinned.allocate(N);
      try (Gate gate = gate(stream)) {
        stream.fill(array, (byte) 8);
        stream.copy(array, out);
        array.close();
        assertThatThrownBy(array::address).isInstanceOf(ClosedException.class);
        if (gate.isShut()) {
          assertThat(released).hasValue(0);
        }
      }
      stream.await();
      eventually("the owner is told", () -> released.get() == 1);
      assertThat(read(out)).containsOnly((byte) 8);
      library.fill(theirMemory, 9, 1, N, theirStream); // it was not freed
    }
  }

  @Test
  void theOwnerIsToldWhenTheDeviceIsClosed() throws InterruptedException {
    CountDownLatch released = new CountDownLatch(1);
    GlobalBytes array = device.adopt(theirMemory, N, GlobalBytes::of, released::countDown);
    Stream stream = device.stream();
    stream.fill(array, (byte) 1);
    device.close();
    for (int i = 0; i < 10_000 && released.getCount() > 0; i++) {
      opened.settle();
    }
    released.await();
    assertThat(array.isOpen()).isFalse();
  }

  @Test
  void addressesThatAreNoDeviceMemoryOfThisDeviceAreNotAdopted() {
    try (PinnedArena pinned = device.pinnedArena()) {
      long host = pinned.allocate(100).address();
      assertThatThrownBy(() -> device.adopt(host, 100, GlobalBytes::of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("PINNED");
      assertThatThrownBy(() -> device.adopt(4096, 100, GlobalBytes::of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("ORDINARY");
      assertThatThrownBy(() -> device.adopt(theirMemory, 0, GlobalBytes::of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0 bytes");
      assertThatThrownBy(() -> device.adopt(theirMemory, N + (4L << 20), GlobalBytes::of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("go beyond");
      assertThatThrownBy(() -> device.adopt(theirMemory, 10, GlobalInts::of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("elements of 4 bytes");
      assertThatThrownBy(() -> device.adopt(theirMemory + 1, 8, GlobalInts::of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("elements of 4 bytes");
    }
  }

  @Test
  void memoryOfAnotherDeviceIsNotAdopted() {
    if (!machine.isVirtual()) {
      return;
    }
    try (Machine.Opened two = new Machine("virtual:h200x2").open();
        GlobalBytes there = two.devices().get(1).allocateBytes(100)) {
      assertThatThrownBy(
              () -> two.devices().getFirst().adopt(there.address(), 100, GlobalBytes::of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("lies on device 1");
    }
  }

  // --- calls of the library on a stream of ours -------------------------------------------------

  @Test
  void aCallOfTheLibraryIsInTheOrderOfOurStream() {
    try (Stream stream = device.stream();
        GlobalBytes a = device.allocateBytes(N);
        GlobalBytes b = device.allocateBytes(N)) {
      byte[] data = bytes(N, 9);
      long from = a.address();
      long to = b.address();
      Event[] called = new Event[1];
      try (Gate gate = gate(stream)) {
        stream.copy(data.clone(), a); // staged: held back
        called[0] =
            stream.call(
                handle -> library.copy(to, from, N, CopyKind.DEVICE_TO_DEVICE, handle), a, b);
        stream.fill(a, (byte) 0);
        if (gate.isShut()) {
          assertThat(called[0].isDone()).isFalse();
        }
      }
      assertSame(read(stream, b), data);
      assertThat(called[0].isDone()).isTrue();
      assertThat(read(stream, a)).containsOnly((byte) 0);
    }
  }

  @Test
  void onAStreamThatHoldsNothingBackTheCallingThreadCalls() {
    try (Stream stream = device.stream();
        GlobalBytes a = device.allocateBytes(N)) {
      long to = a.address();
      Thread[] caller = new Thread[1];
      stream
          .call(
              handle -> {
                caller[0] = Thread.currentThread();
                library.fill(to, 3, 1, N, handle);
              },
              a)
          .await();
      assertThat(caller[0]).isSameAs(Thread.currentThread());
      assertThat(read(stream, a)).containsOnly((byte) 3);
    }
  }

  @Test
  void arraysOfACallAreKeptUntilItsWorkIsDone() {
    try (Stream stream = device.stream();
        GlobalBytes b = device.allocateBytes(N)) {
      GlobalBytes a = device.allocateBytes(N);
      long from = a.address();
      long to = b.address();
      try (Gate gate = gate(stream)) {
        assertThat(gate).isNotNull();
        stream.fill(a, (byte) 6);
        stream.call(handle -> library.copy(to, from, N, CopyKind.DEVICE_TO_DEVICE, handle), a, b);
        a.close();
      }
      assertThat(read(stream, b)).containsOnly((byte) 6);
    }
  }

  @Test
  void whatACallThrowsIsToldAndTheStreamGoesOn() {
    try (Stream stream = device.stream();
        GlobalBytes a = device.allocateBytes(N)) {
      assertThatThrownBy(
              () ->
                  stream.call(
                      _ -> {
                        throw new IllegalStateException("their error");
                      }))
          .hasMessage("their error");
      stream.fill(a, (byte) 1);
      stream.await();
      try (Gate gate = gate(stream)) {
        Runnable call =
            () ->
                stream.call(
                    _ -> {
                      throw new IllegalStateException("their error");
                    });
        if (gate.isShut()) {
          call.run();
        }
      }
      if (!machine.isSeeded()) {
        assertThatThrownBy(stream::await).hasMessage("their error");
      }
      assertThat(read(stream, a)).containsOnly((byte) 1);
    }
  }

  @Test
  void callsOnAdoptedAndDefaultStreamsAreInTheirOrder() {
    try (Stream adopted = device.adoptStream(theirStream);
        Stream legacy = device.legacyStream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes a = device.allocateBytes(N)) {
      MemorySegment out = pinned.allocate(N);
      long to = a.address();
      for (Stream stream : List.of(adopted, legacy)) {
        stream.fill(a, (byte) 1);
        stream.call(handle -> library.fill(to, 2, 1, N, handle), a);
        stream.copy(a, out).await();
        assertThat(read(out)).containsOnly((byte) 2);
      }
    }
  }

  @Test
  void aCallWithAClosedArrayIsNotMade() {
    try (Stream stream = device.stream()) {
      GlobalBytes a = device.allocateBytes(N);
      a.close();
      assertThatThrownBy(
              () ->
                  stream.call(
                      _ -> {
                        throw new AssertionError("called");
                      },
                      a))
          .isInstanceOf(ClosedException.class);
    }
  }
}
