package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PeerAccess;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.StrettoException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What happens when a kernel faults: everything on the device says so, nobody waits for ever, and
 * nothing that depends on the device is reported as done. Other virtual devices go on. Other GPUs
 * may be lost with it, which is the driver's choice, and then say so as the first one does.
 *
 * <p>On a GPU the process cannot use the device again: there each test has a process of its own.
 */
@ExtendWith(OwnProcess.class)
class LostDeviceTest extends ContractTest {
  private static final int SMALL = 1000;
  private static final int LARGE = 1 << 18;

  private void fault(Stream stream, GlobalInts array) {
    stream.launch(Grid.of(1, 32), Kernels.FAULT, array);
  }

  @Test
  void aFaultingKernelIsToldToWhoeverAwaitsItOrAnythingElseOfTheDevice() {
    try (Machine.Opened another = another()) {
      Stream stream = device.stream();
      Stream other = device.stream();
      GlobalInts array = device.allocateInts(100);
      GlobalBytes bytes = device.allocateBytes(100_000);
      Arena arena = Arena.ofShared();
      PinnedArena pinned = device.pinnedArena();
      MemorySegment host = pinned.allocate(400, 4);
      Launch launch = device.prepare(Grid.of(1, 32), Kernels.ADD, array, 1, 32);
      TimedEvent begin = stream.recordTimed();
      begin.await();
      fault(stream, array);
      assertThatThrownBy(stream::await)
          .isInstanceOf(DeviceLostException.class)
          .hasMessageContaining(device.name())
          .hasMessageContaining("lost");
      assertThat(device.isLost()).isTrue();
      assertLost(() -> stream.fill(array, 1));
      assertLost(() -> other.copy(array, host));
      assertLost(() -> other.copy(array, new int[100]));
      assertLost(() -> other.copy(new byte[100_000], bytes));
      assertLost(() -> other.launch(launch));
      assertLost(other::record);
      assertLost(other::recordTimed);
      assertLost(other::await);
      assertThatThrownBy(other.toCompletableFuture()::get)
          .hasCauseInstanceOf(DeviceLostException.class);
      assertLost(() -> other.then(() -> {}));
      assertLost(() -> other.waitFor(begin));
      assertLost(device::stream);
      assertLost(() -> device.allocateInts(1));
      assertLost(device::freeBytes);
      assertLost(device::await);
      assertLost(device::pinnedArena);
      assertLost(() -> pinned.allocate(10));
      assertLost(() -> device.register(arena.allocate(10), arena));
      assertLost(() -> device.prepare(Grid.of(1, 32), Kernels.SAXPY, 1f, array, array, 1));
      assertThat(host.get(ValueLayout.JAVA_INT, 0)).isZero(); // pinned memory stays readable
      assertThatCode(
              () -> {
                begin.close();
                array.close();
                bytes.close();
                stream.close();
                other.close();
                pinned.close();
              })
          .doesNotThrowAnyException();
      arena.close();
      works(another);
    }
  }

  private Machine.Opened another() {
    return new Machine(machine.isVirtual() ? machine.name() : "virtual").open();
  }

  private static void works(Machine.Opened another) {
    try (Stream stream = another.device().stream();
        GlobalInts array = another.device().allocateInts(100)) {
      stream.fill(array, 3);
      stream.launch(Grid.of(1, 100), Kernels.ADD, array, 4, 100);
      int[] result = new int[100];
      stream.copy(array, result).await();
      assertThat(result).containsOnly(7);
    }
  }

  private static void assertLost(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(DeviceLostException.class);
  }

  @Test
  void everyoneWhoAwaitsIsWoken() throws InterruptedException {
    Stream stream = device.stream();
    Stream other = device.stream();
    GlobalInts array = device.allocateInts(1_000_000);
    ConcurrentLinkedQueue<Throwable> told = new ConcurrentLinkedQueue<>();
    Gate gate = gate(stream);
    fault(stream, array);
    Event behind = stream.fill(array, 1);
    other.waitFor(behind);
    Copy direct = other.copy(array, other.device().pinnedArena().allocate(4_000_000));
    Copy stagedOut = stream.copy(array, new int[1_000_000]);
    Copy stagedIn = stream.copy(new int[1_000_000], array);
    Copy onHost =
        stream.copy(MemorySegment.ofArray(new byte[10]), MemorySegment.ofArray(new byte[10]));
    boolean[] called = {false};
    Event callback = stream.then(() -> called[0] = true);
    CompletableFuture<Void> future = stagedOut.toCompletableFuture();
    List<Runnable> waits =
        List.of(
            behind::await,
            direct::await,
            stagedOut::await,
            stagedIn::await,
            onHost::await,
            callback::await,
            stream::await,
            other::await,
            device::await);
    List<Thread> threads = new ArrayList<>();
    for (Runnable wait : waits) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                try {
                  wait.run();
                } catch (Throwable e) {
                  told.add(e);
                }
              }));
    }
    Thread.sleep(machine.isSeeded() ? 0 : 30);
    gate.open();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(told).hasSize(waits.size()).hasOnlyElementsOfType(DeviceLostException.class);
    assertThatThrownBy(future::get).hasCauseInstanceOf(DeviceLostException.class);
    assertThat(called[0]).isFalse();
  }

  @Test
  void aDeviceThatIsLostInTheMiddleOfStagedCopiesCanBeClosed() {
    byte[] data = bytes(5_000_000, 1);
    List<Stream> streams = List.of(device.stream(), device.stream(), device.stream());
    GlobalInts array = device.allocateInts(10);
    List<GlobalBytes> bytes = streams.stream().map(_ -> device.allocateBytes(data.length)).toList();
    for (int i = 0; i < streams.size(); i++) {
      streams.get(i).copy(data, bytes.get(i));
      streams.get(i).copy(bytes.get(i), data.clone());
    }
    Stream bad = device.stream();
    try {
      fault(bad, array);
      for (int i = 0; i < streams.size(); i++) {
        streams.get(i).copy(data, bytes.get(i));
        streams.get(i).copy(bytes.get(i), data.clone());
      }
      device.await();
    } catch (DeviceLostException e) {
      // sooner or later
    }
    try {
      bad.await();
    } catch (DeviceLostException e) {
      // now at the latest
    }
    assertThat(device.isLost()).isTrue();
    bytes.forEach(GlobalBytes::close);
    device.close();
  }

  @Test
  void closingWhileTheDeviceIsBeingLostNeverThrowsWhatTheDriverThrows() {
    for (int round = 0; round < (machine.isVirtual() ? 10 : 1); round++) {
      try (Machine.Opened once = machine.open()) {
        Stream stream = once.device().stream();
        GlobalInts array = once.device().allocateInts(100);
        GlobalInts another = once.device().allocateInts(100);
        PinnedArena pinned = once.device().pinnedArena();
        MemorySegment host = pinned.allocate(400);
        try {
          stream.fill(another, 1);
          fault(stream, array);
          stream.copy(another, host);
          stream.copy(another, new int[100]);
        } catch (DeviceLostException e) {
          // it went that fast
        }
        another.close();
        array.close();
        pinned.close();
        stream.close();
        assertThatCode(once.device()::close).doesNotThrowAnyException();
      } catch (StrettoException e) {
        if (machine.isVirtual()) {
          throw e; // a GPU that was lost once stays lost for this process
        }
      }
    }
  }

  @Test
  void aStreamOfAnotherDeviceThatWaitsForALostOneIsTold() {
    try (Machine.Opened both = machine.openPair(driver -> driver)) {
      if (both.devices().size() < 2) {
        return; // takes two GPUs
      }
      Device other = both.devices().get(1);
      Stream lost = both.devices().get(0).stream();
      Stream waits = other.stream();
      GlobalInts array = both.devices().get(0).allocateInts(10);
      GlobalInts theirs = other.allocateInts(10);
      Gate gate = gate(lost);
      fault(lost, array);
      lost.then(() -> {});
      Event event = lost.record(); // held back behind a callback that never runs
      waits.waitFor(event);
      waits.fill(theirs, 4);
      gate.open();
      assertLost(lost::await);
      assertLost(waits::await);
      goesOnOrIsLost(
          other,
          waits,
          () -> {
            waits.await();
            assertThat(read(waits, theirs)).startsWith(4);
          });
    }
  }

  /** Uses a device after another one was lost: it works, or else it is a GPU that is lost too. */
  private static void goesOnOrIsLost(Device other, Stream stream, Runnable use) {
    try {
      use.run();
      assertThat(other.isVirtual() && other.isLost()).isFalse();
    } catch (DeviceLostException e) {
      if (other.isVirtual()) {
        throw new AssertionError("a virtual device was lost with another one", e);
      }
      assertThat(other.isLost()).isTrue();
      assertThat(e).hasMessageContaining(other.name());
      for (int again = 0; again < 2; again++) {
        assertLost(stream::await);
        assertLost(other::await);
        assertLost(stream::record);
        assertLost(() -> other.allocateInts(1));
      }
    }
  }

  // --- copies from a lost device ----------------------------------------------------------------

  @Test
  void aPeerCopyFromALostDeviceOnTheReceiversStreamIsNotReportedAsDone() {
    copyBehindAFault(true, true, LARGE);
  }

  @Test
  void aPeerCopyFromALostDeviceOnTheSendersStreamIsNotReportedAsDone() {
    copyBehindAFault(true, false, LARGE);
  }

  @Test
  void aStagedCopyFromALostDeviceOnTheReceiversStreamIsNotReportedAsDone() {
    copyBehindAFault(false, true, LARGE);
  }

  @Test
  void aStagedCopyFromALostDeviceOnTheSendersStreamIsNotReportedAsDone() {
    copyBehindAFault(false, false, LARGE);
  }

  @Test
  void aSmallStagedCopyFromALostDeviceOnTheReceiversStreamIsNotReportedAsDone() {
    copyBehindAFault(false, true, SMALL);
  }

  @Test
  void aSmallStagedCopyFromALostDeviceOnTheSendersStreamIsNotReportedAsDone() {
    copyBehindAFault(false, false, SMALL);
  }

  @Test
  void aSmallPeerCopyFromALostDeviceOnTheReceiversStreamIsNotReportedAsDone() {
    copyBehindAFault(true, true, SMALL);
  }

  @Test
  void aSmallPeerCopyFromALostDeviceOnTheSendersStreamIsNotReportedAsDone() {
    copyBehindAFault(true, false, SMALL);
  }

  private void copyBehindAFault(boolean access, boolean onReceivers, int ints) {
    try (Machine.Opened both = machine.openPair(driver -> driver)) {
      if (both.devices().size() < 2) {
        return; // takes two GPUs
      }
      Device sender = both.devices().get(0);
      Device receiver = both.devices().get(1);
      if (access) {
        PeerAccess _ = receiver.enablePeerAccess(sender);
      }
      Stream sends = sender.stream();
      Stream receives = receiver.stream();
      GlobalInts source = sender.allocateInts(ints);
      GlobalInts destination = receiver.allocateInts(ints);
      receives.fill(destination, 5).await();
      int busy = machine.isVirtual() ? 2 : 400;
      for (int i = 0; i < busy; i++) { // so that the copy is enqueued before the fault happens
        sends.launch(Grid.covering(ints, 256), Kernels.ADD, source, 1, ints);
      }
      fault(sends, sender.allocateInts(10));
      AtomicReference<Copy> copied = new AtomicReference<>();
      assertLost(
          () -> {
            if (onReceivers) {
              receives.waitFor(sends.record());
            }
            copied.set((onReceivers ? receives : sends).copy(source, destination));
            copied.get().await();
          });
      if (copied.get() != null) { // or it was refused, since the device was lost by then
        assertLost(copied.get()::await);
        assertLost(copied.get()::isDone);
        assertThatThrownBy(copied.get().toCompletableFuture()::get)
            .hasCauseInstanceOf(DeviceLostException.class);
      }
      assertLost(sends::await);
      goesOnOrIsLost(
          receiver,
          receives,
          () -> {
            try {
              receives.await(); // reports once that what it waited for was lost
            } catch (DeviceLostException e) {
              if (receiver.isLost()) {
                throw e;
              }
              assertThat(e).hasMessageContaining(sender.name());
            }
            receives.fill(destination, 7);
            int[] result = new int[ints];
            receives.copy(destination, result).await();
            assertThat(result).containsOnly(7);
          });
    }
  }

  @Test
  void awaitingAStreamThatHasWaitedForALostDeviceReportsTheLossOnce() {
    try (Machine.Opened both = machine.openPair(driver -> driver)) {
      if (both.devices().size() < 2) {
        return; // takes two GPUs
      }
      Device other = both.devices().get(1);
      Stream lost = both.devices().get(0).stream();
      Stream waits = other.stream();
      GlobalInts array = other.allocateInts(SMALL);
      fault(lost, both.devices().get(0).allocateInts(10));
      assertLost(
          () -> {
            waits.waitFor(lost.record());
            waits.fill(array, 3);
            waits.await();
          });
      goesOnOrIsLost(
          other,
          waits,
          () -> {
            waits.fill(array, 4);
            waits.await();
            assertThat(read(waits, array)).startsWith(4, 0, 0, 0);
          });
    }
  }
}
