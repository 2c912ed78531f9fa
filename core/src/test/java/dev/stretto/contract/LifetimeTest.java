package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Registration;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.StrettoException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * That whatever is closed with work in flight, the work comes to its end and the memory goes then.
 */
class LifetimeTest extends ContractTest {
  private static final int SIZE = 2_000_003;
  private static final int LARGE_SIZE = (64 << 20) + 3;
  private static final long DRIVERS_OWN_BYTES = 8 << 20;

  /**
   * {@return how large an array is whose release is looked for in the free memory} A GPU's driver
   * takes memory for itself meanwhile, in steps of 2 MiB: there the array is many times larger.
   */
  private int visibleSize() {
    return machine.isVirtual() ? SIZE : LARGE_SIZE;
  }

  /**
   * Waits until as much device memory is free as before, but for what a GPU's driver took. It may
   * be more: what a device that was closed before this one had, the driver gives back when it
   * likes.
   */
  private void eventuallyFreeAgain(long before) {
    long slack = machine.isVirtual() ? 0 : DRIVERS_OWN_BYTES;
    eventually(
        "the memory is free again, %d bytes".formatted(before),
        () -> device.freeBytes() >= before - slack);
  }

  @Test
  void deviceMemoryThatIsClosedInFlightIsFreedAfterItsLastUse() {
    int size = visibleSize();
    byte[] data = bytes(size, 1);
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      long before = device.freeBytes();
      MemorySegment from = pinned(pinned, data);
      MemorySegment to = pinned.allocate(size);
      GlobalBytes array = device.allocateBytes(size);
      assertThat(device.freeBytes()).isLessThan(before);
      Gate gate = gate(stream);
      stream.copy(from, array);
      stream.copy(array, to);
      array.close();
      assertThat(array.isOpen()).isFalse();
      if (gate.isShut()) {
        assertThat(device.freeBytes()).isLessThan(before);
      }
      gate.open();
      stream.await();
      assertSame(read(to), data);
      eventuallyFreeAgain(before);
    }
  }

  @Test
  void deviceMemoryThatSeveralStreamsUseIsFreedAfterTheLastOfThem() {
    byte[] data = bytes(SIZE, 2);
    try (Stream one = device.stream();
        Stream two = device.stream();
        Stream three = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      MemorySegment a = pinned.allocate(SIZE);
      MemorySegment b = pinned.allocate(SIZE);
      GlobalBytes array = onDevice(one, data);
      try (Gate gate = gate(one);
          Gate another = gate(three)) {
        one.copy(array, a);
        two.copy(array, b);
        byte[] c = new byte[SIZE];
        three.copy(array, c);
        array.close();
        two.await();
        assertSame(read(b), data);
        gate.open();
        one.await();
        assertSame(read(a), data);
        another.open();
        three.await();
        assertSame(c, data);
      }
    }
  }

  @Test
  void deviceMemoryIsFreedAfterAStagedCopyOfIt() {
    byte[] data = bytes(visibleSize(), 3);
    try (Stream stream = device.stream()) {
      long before = device.freeBytes();
      for (int i = 0; i < 5; i++) {
        GlobalBytes array = device.allocateBytes(data.length);
        byte[] back = new byte[data.length];
        stream.copy(data, array);
        Copy copy = stream.copy(array, back);
        array.close();
        copy.await();
        assertSame(back, data);
      }
      eventuallyFreeAgain(before);
    }
  }

  @Test
  void aRefusedOperationDoesNotKeepMemoryAlive() {
    try (Stream stream = device.stream()) {
      long before = device.freeBytes();
      GlobalBytes open = device.allocateBytes(visibleSize());
      GlobalBytes closed = device.allocateBytes(visibleSize());
      GlobalInts ints = device.allocateInts(10);
      Launch launch = device.prepare(Grid.of(1, 1), Kernels.ADD, ints, 1, 1);
      GlobalFloats x = device.allocateFloats(10);
      GlobalFloats y = device.allocateFloats(10);
      Launch saxpy = device.prepare(Grid.of(1, 1), Kernels.SAXPY, 1f, x, y, 1);
      closed.close();
      ints.close();
      y.close();
      assertThatThrownBy(() -> stream.copy(closed, open)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> stream.copy(open, closed)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> stream.launch(launch)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> stream.launch(saxpy)).isInstanceOf(ClosedException.class);
      open.close();
      x.close();
      eventuallyFreeAgain(before);
    }
  }

  @Test
  void pinnedMemoryThatIsClosedInFlightIsReleasedAfterItsLastUse() {
    byte[] data = bytes(SIZE, 4);
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      long before = device.pinned().usedBytes();
      PinnedArena pinned = device.pinnedArena();
      MemorySegment from = pinned(pinned, data);
      assertThat(device.pinned().usedBytes()).isGreaterThanOrEqualTo(before + SIZE);
      Gate gate = gate(stream);
      stream.copy(from, array);
      pinned.close();
      assertThatThrownBy(() -> from.get(ValueLayout.JAVA_BYTE, 0))
          .isInstanceOf(IllegalStateException.class);
      if (gate.isShut()) {
        assertThat(device.pinned().usedBytes()).isGreaterThanOrEqualTo(before + SIZE);
      }
      gate.open();
      stream.await();
      eventually("the memory is unpinned", () -> device.pinned().usedBytes() == before);
      assertSame(read(stream, array), data);
    }
  }

  @Test
  void pinnedMemoryThatWasClosedIsNotGivenOutAgainBeforeItsLastUse() {
    byte[] data = bytes(1 << 20, 5);
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(20L << 20)) {
      for (int i = 0; i < 20; i++) {
        PinnedArena pinned = device.pinnedArena();
        stream.copy(pinned(pinned, data), array.slice((long) i << 20, 1 << 20));
        pinned.close();
        PinnedArena next = device.pinnedArena();
        next.allocate(1 << 20).fill((byte) 0xEE);
        next.close();
      }
      byte[] all = read(stream, array);
      for (int i = 0; i < 20; i++) {
        assertThat(java.util.Arrays.equals(all, i << 20, (i + 1) << 20, data, 0, 1 << 20)).isTrue();
      }
    }
  }

  @Test
  void aRegistrationThatIsClosedInFlightEndsAfterItsLastUse() {
    byte[] data = bytes(SIZE, 6);
    try (Stream stream = device.stream();
        Arena arena = Arena.ofShared();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      long before = device.pinned().usedBytes();
      MemorySegment host = arena.allocate(SIZE, 4096).copyFrom(MemorySegment.ofArray(data));
      Registration registration = device.register(host, arena);
      Gate gate = gate(stream);
      stream.copy(host, array);
      registration.close();
      assertThat(registration.isOpen()).isFalse();
      gate.open();
      stream.await();
      eventually("the memory is unpinned", () -> device.pinned().usedBytes() == before);
      assertSame(read(stream, array), data);
      host.fill((byte) 0); // it is still there
    }
  }

  @Test
  void theArenaOfRegisteredMemoryIsFreedAfterTheLastUseOfTheMemory() {
    byte[] data = bytes(SIZE, 7);
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      long before = device.pinned().usedBytes();
      Arena arena = Arena.ofShared();
      MemorySegment host = arena.allocate(SIZE, 4096).copyFrom(MemorySegment.ofArray(data));
      Registration registration = device.register(host, arena);
      stream.copy(host, array);
      arena.close(); // awaits the copy
      assertThat(registration.isOpen()).isFalse();
      assertThat(device.pinned().usedBytes()).isEqualTo(before);
      assertSame(read(stream, array), data);
      registration.close();
    }
  }

  @Test
  void registeredMemoryOfAnAutomaticArenaMayBeForgottenInFlight() {
    byte[] data = bytes(SIZE, 8);
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      copyForgotten(stream, array, data);
      if (!machine.isSeeded()) {
        System.gc();
      }
      assertSame(read(stream, array), data);
    }
  }

  private void copyForgotten(Stream stream, GlobalBytes array, byte[] data) {
    Arena arena = Arena.ofAuto();
    MemorySegment host = arena.allocate(SIZE, 4096).copyFrom(MemorySegment.ofArray(data));
    Registration registration = device.register(host, arena);
    stream.copy(host, array);
    assertThat(registration.isOpen()).isTrue();
  }

  @Test
  void aStreamThatIsClosedInFlightRunsToItsEnd() {
    byte[] data = bytes(SIZE, 9);
    try (PinnedArena pinned = device.pinnedArena();
        Stream other = device.stream()) {
      MemorySegment from = pinned(pinned, data);
      MemorySegment to = pinned.allocate(SIZE);
      byte[] heap = new byte[SIZE];
      GlobalBytes array = device.allocateBytes(SIZE);
      Stream stream = device.stream();
      boolean[] called = {false};
      Gate gate = gate(stream);
      stream.copy(from, array);
      Copy one = stream.copy(array, to);
      Copy two = stream.copy(array, heap);
      Event event = stream.then(() -> called[0] = true);
      stream.close();
      array.close();
      other.waitFor(event);
      gate.open();
      other.await();
      assertThat(called[0]).isTrue();
      assertSame(read(to), data);
      assertSame(heap, data);
      one.await();
      two.await();
      stream.await();
    }
  }

  @Test
  void aDeviceThatIsClosedInFlightRunsToItsEnd() {
    byte[] data = bytes(SIZE, 10);
    byte[] heap = new byte[SIZE];
    byte[] two = new byte[SIZE];
    boolean[] called = {false};
    Stream stream = device.stream();
    GlobalBytes array = device.allocateBytes(SIZE);
    GlobalBytes other = device.allocateBytes(SIZE);
    PinnedArena pinned = device.pinnedArena();
    MemorySegment host = pinned(pinned, data);
    Gate gate = gate(stream);
    stream.copy(data, array);
    stream.copy(array, other);
    stream.copy(host, array);
    Copy copy = stream.copy(other, heap);
    stream.copy(array, two);
    stream.then(() -> called[0] = true);
    device.close();
    assertThat(device.isOpen()).isFalse();
    assertThat(stream.isOpen()).isFalse();
    assertThat(array.isOpen()).isFalse();
    assertThatThrownBy(() -> host.get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
    gate.open();
    copy.await();
    stream.await();
    assertThat(called[0]).isTrue();
    assertSame(heap, data);
    assertSame(two, data);
  }

  @Test
  void whoWaitsForAStreamIsToldThoughTheDeviceIsClosedBeforeItsPollerLooksAgain() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(machine.isSeeded() ? 0 : 1); // no poller there
    Stream busy = device.stream();
    Gate gate = gate(busy);
    CompletableFuture<Void> holdsThePollerUp =
        busy.record()
            .toCompletableFuture()
            .thenRun(
                () -> {
                  held.countDown();
                  awaitQuietly(goOn);
                });
    gate.open();
    eventually("the poller is held up", () -> held.getCount() == 0);
    Stream stream = device.stream();
    Gate gateOfStream = gate(stream);
    CompletableFuture<Void> told = stream.record().toCompletableFuture().thenRun(() -> {});
    gateOfStream.open();
    stream.await();
    stream.close();
    device.close();
    Thread.sleep(machine.isSeeded() ? 0 : 20); // the device goes through its steps meanwhile
    goOn.countDown();
    holdsThePollerUp.get(10, TimeUnit.SECONDS);
    told.get(10, TimeUnit.SECONDS);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      boolean _ = latch.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aDeviceThatIsClosedWithACopyToOrdinaryMemoryInFlightBringsItThere() {
    byte[] data = bytes(9_000_001, 11);
    byte[] heap = new byte[data.length];
    Stream stream = device.stream();
    GlobalBytes array = onDevice(stream, data);
    Copy copy = stream.copy(array, heap);
    device.close();
    copy.await();
    assertSame(heap, data);
  }

  @Test
  void pinnedMemoryOfAClosedDeviceCannotBeReachedAnyMore() {
    PinnedArena pinned = device.pinnedArena();
    MemorySegment small = pinned.allocate(10);
    MemorySegment large = pinned.allocate(SIZE);
    device.close();
    opened.settle();
    eventually("access has ended", () -> !pinned.scope().isAlive());
    assertThatThrownBy(() -> small.get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> large.fill((byte) 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> pinned.allocate(1)).isInstanceOf(ClosedException.class);
  }

  @Test
  void slicesAreClosedWithTheirArray() {
    GlobalInts array = device.allocateInts(10);
    GlobalInts slice = array.slice(2, 3);
    assertThatThrownBy(slice::close)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("slice");
    array.close();
    assertThat(slice.isOpen()).isFalse();
    assertThatThrownBy(slice::address).isInstanceOf(ClosedException.class);
  }

  @Test
  void whatIsClosedCannotBeUsed() {
    Stream stream = device.stream();
    GlobalBytes open = device.allocateBytes(10);
    GlobalBytes closed = device.allocateBytes(10);
    closed.close();
    PinnedArena pinned = device.pinnedArena();
    MemorySegment pin = pinned.allocate(10);
    pinned.close();
    Arena arena = Arena.ofShared();
    MemorySegment plain = arena.allocate(10);
    arena.close();
    for (MemorySegment gone : List.of(pin, plain)) {
      assertClosed(() -> stream.copy(gone, open));
      assertClosed(() -> stream.copy(open, gone));
      assertClosed(() -> stream.copy2D(gone, 5, open, 5, 5, 2));
      assertClosed(() -> stream.copy2D(open, 5, gone, 5, 5, 2));
      assertClosed(() -> stream.copy(gone, MemorySegment.ofArray(new byte[10])));
      assertClosed(() -> stream.copy(MemorySegment.ofArray(new byte[10]), gone));
    }
    assertClosed(() -> stream.copy(new byte[10], closed));
    assertClosed(() -> stream.copy(closed, new byte[10]));
    assertClosed(() -> stream.copy(closed, open));
    assertClosed(() -> stream.copy(open, closed));
    assertClosed(() -> stream.fill(closed, (byte) 1));
    assertClosed(() -> closed.slice(0, 1));
    assertClosed(closed::address);
    assertClosed(() -> pinned.allocate(1));
    assertClosed(() -> device.register(plain, arena));
    Event event = stream.record();
    stream.close();
    assertClosed(stream::record);
    assertClosed(stream::recordTimed);
    assertClosed(() -> stream.waitFor(event));
    assertClosed(() -> stream.then(() -> {}));
    assertClosed(() -> stream.copy(new byte[10], open));
    assertClosed(() -> stream.copy(open, new byte[10]));
    device.close();
    assertClosed(device::stream);
    assertClosed(device::legacyStream);
    assertClosed(device::perThreadStream);
    assertClosed(device::await);
    assertClosed(device::freeBytes);
    assertClosed(device::pinnedArena);
    assertClosed(() -> device.allocateBytes(1));
    assertClosed(open::address);
    try (Arena another = Arena.ofShared()) {
      assertClosed(() -> device.register(another.allocate(1), another));
    }
    assertThat(device.properties().name()).isNotEmpty();
    assertThat(device.name()).isNotEmpty();
  }

  private static void assertClosed(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(ClosedException.class);
  }

  @Test
  void aDeviceMayBeClosedByACallback() {
    Stream stream = device.stream();
    int[] result = new int[100];
    GlobalInts array = device.allocateInts(100);
    Gate gate = gate(stream);
    stream.then(device::close);
    stream.fill(array, 6);
    Copy copy = stream.copy(array, result);
    gate.open();
    copy.await();
    assertThat(result).containsOnly(6);
  }

  @Test
  void openingAndClosingEverythingAgainAndAgainHoldsNothing() {
    for (int i = 0; i < 30; i++) {
      try (Stream stream = device.stream();
          GlobalInts array = device.allocateInts(1000);
          PinnedArena pinned = device.pinnedArena();
          TimedEvent event = stream.recordTimed()) {
        stream.fill(array, i);
        stream.copy(array, pinned.allocate(4000));
        stream.waitFor(event);
      }
    }
    if (machine.isVirtual()) {
      eventually("all streams are gone", () -> opened.live().streams() <= machine.keptStreams());
      eventually("all arrays are gone", () -> opened.live().allocations() == 0);
      assertThat(opened.live().events()).isZero();
    }
  }

  @Test
  void closingTheDeviceWhileOtherThreadsUseItNeverGoesWrong() throws InterruptedException {
    ConcurrentLinkedQueue<Throwable> trouble = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (true) {
                        useEverything();
                      }
                    } catch (ClosedException e) {
                      // as it has to be
                    } catch (Throwable e) {
                      trouble.add(e);
                    }
                  }));
    }
    Thread.sleep(machine.isSeeded() ? 20 : 100);
    device.close();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(trouble).isEmpty();
  }

  private void useEverything() {
    Stream stream = device.stream();
    GlobalInts array = device.allocateInts(50_000);
    PinnedArena pinned = device.pinnedArena();
    try {
      MemorySegment host = pinned.allocate(200_000, 4);
      stream.fill(array, 1);
      stream.copy(array, host);
      stream.copy(array, new int[50_000]);
      Copy copy = stream.copy(new int[50_000], array);
      stream.launch(Grid.of(1, 32), Kernels.ADD, array, 1, 32);
      device.freeBytes();
      TimedEvent event = stream.recordTimed();
      copy.await();
      event.close();
      host.fill((byte) 1);
    } catch (IllegalStateException e) {
      if (device.isOpen()) {
        throw e; // otherwise it is the arena that is closed
      }
      throw new ClosedException("gone");
    } finally {
      closeQuietly(stream);
      closeQuietly(array);
      closeQuietly(pinned);
    }
  }

  private static void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (StrettoException e) {
      // closed with the device
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
