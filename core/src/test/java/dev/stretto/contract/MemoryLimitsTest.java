package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.CopyRequest;
import dev.stretto.PinnedArena;
import dev.stretto.PoolReuse;
import dev.stretto.Stream;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.fault.PinnedBudgetException;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What happens where memory runs out. */
class MemoryLimitsTest extends ContractTest {
  private static final long MIB = 1 << 20;

  @Override
  Machine machine() {
    return machine.with("memory=" + 64 * MIB);
  }

  @Test
  void moreDeviceMemoryThanThereIsIsRefusedWithTheNumbers() {
    long free = device.freeBytes();
    long total = device.properties().totalBytes();
    assertThat(free).isPositive().isLessThanOrEqualTo(total);
    assertThatThrownBy(() -> device.allocateBytes(total + 1))
        .isInstanceOf(OutOfDeviceMemoryException.class)
        .hasMessageContaining(String.valueOf(total + 1));
    assertThat(device.freeBytes()).isEqualTo(free);
    assertThat(device.isLost()).isFalse();
  }

  @Test
  void deviceMemoryThatWasFreedCanBeHadAgain() {
    if (!machine.isVirtual()) {
      return; // a GPU's memory would take long to fill, and may be shared
    }
    for (int round = 0; round < 5; round++) {
      List<GlobalBytes> arrays = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        arrays.add(device.allocateBytes(15 * MIB));
      }
      assertThatThrownBy(() -> device.allocateBytes(15 * MIB))
          .isInstanceOf(OutOfDeviceMemoryException.class)
          .hasMessageContaining(String.valueOf(15 * MIB))
          .hasMessageContaining(String.valueOf(4 * MIB));
      arrays.forEach(GlobalBytes::close);
    }
  }

  @Test
  void aStreamCountsOnWhatItAndThoseItWaitsForWillHaveFreed() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        Stream third = device.stream()) {
      for (int i = 0; i < 50; i++) { // nobody waits for anything
        GlobalBytes array = stream.allocateBytes(50 * MIB);
        stream.fill(array.slice(0, 1000), (byte) i);
        array.close();
      }
      other.waitFor(stream.record());
      GlobalBytes theirs = other.allocateBytes(50 * MIB); // behind the free, by an event
      other.fill(theirs.slice(0, 10), (byte) 1);
      theirs.close();
      third.waitFor(other.record());
      third.allocateBytes(50 * MIB).close();
      device.await();
      eventually("nothing is in use", () -> device.memoryPool().use().usedBytes() == 0);
    }
  }

  @Test
  void aStreamDoesNotCountOnWhatIndependentOnesWillFreeUnlessToldTo() {
    if (!machine.isSeeded()) {
      return; // where work advances by itself, it may have been freed
    }
    try (Stream stream = device.stream();
        Stream other = device.stream()) {
      stream.allocateBytes(50 * MIB).close();
      assertThatThrownBy(() -> other.allocateBytes(50 * MIB))
          .isInstanceOf(OutOfDeviceMemoryException.class)
          .hasMessageContaining(String.valueOf(50 * MIB));
      device.memoryPool().allow(PoolReuse.INTERNAL_DEPENDENCIES, true);
      GlobalBytes array = other.allocateBytes(50 * MIB);
      other.fill(array, (byte) 1).await();
      array.close();
    }
  }

  @Test
  void freeBytesFollowWhatIsAllocated() {
    long before = device.freeBytes();
    GlobalBytes array = device.allocateBytes(8 * MIB);
    assertThat(device.freeBytes()).isLessThanOrEqualTo(before - 8 * MIB);
    array.close();
    eventually("the memory is free again", () -> device.freeBytes() == before);
  }

  @Test
  void aPinnedBudgetIsNeverExceededAndSaysWithTheNumbersWhatIsMissing() {
    device.pinnedBudget(3 * MIB);
    assertThat(device.pinned().budgetBytes()).isEqualTo(3 * MIB);
    try (PinnedArena pinned = device.pinnedArena()) {
      pinned.allocate(2 * MIB);
      assertThatThrownBy(() -> pinned.allocate(2 * MIB))
          .isInstanceOf(PinnedBudgetException.class)
          .hasMessageContaining(2 * MIB + " bytes")
          .hasMessageContaining(String.valueOf(3 * MIB))
          .hasMessageContaining("pinnedBudget");
      pinned.allocate(MIB);
      assertThat(device.pinned().usedBytes()).isEqualTo(3 * MIB);
      try (Arena arena = Arena.ofShared()) {
        MemorySegment host = arena.allocate(4096, 4096);
        assertThatThrownBy(() -> device.register(host, arena))
            .isInstanceOf(PinnedBudgetException.class);
      }
    }
    eventually("the memory is unpinned", () -> device.pinned().usedBytes() == 0);
    assertThat(device.pinned().peakBytes()).isEqualTo(3 * MIB);
    try (PinnedArena pinned = device.pinnedArena()) {
      pinned.allocate(2 * MIB + 5); // what is kept for reuse gives way
      pinned.allocate(MIB - 4096);
    }
    assertThatThrownBy(() -> device.pinnedBudget(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void stagedCopiesWithoutAnyPinnedMemoryAreRefusedAndSayWhy() {
    device.pinnedBudget(100);
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(MIB)) {
      assertThatThrownBy(() -> stream.copy(new byte[1 << 20], array))
          .isInstanceOf(PinnedBudgetException.class)
          .hasMessageContaining("budget of 100 bytes");
      assertThatThrownBy(() -> stream.copy(array, new byte[1 << 20]))
          .isInstanceOf(PinnedBudgetException.class);
      assertThatThrownBy(
              () ->
                  stream.copyAll(
                      List.of(CopyRequest.of(array, MemorySegment.ofArray(new byte[1 << 20])))))
          .isInstanceOf(PinnedBudgetException.class);
      stream.await();
      device.pinnedBudget(100 * MIB);
      byte[] data = bytes(1 << 20, 1);
      stream.copy(data, array).await();
      assertSame(read(stream, array), data);
    }
  }

  @Test
  void theFirstStagedCopiesOfManyThreadsShareWhatCanBePinned() throws InterruptedException {
    for (int round = 0; round < 20; round++) {
      try (Machine.Opened small = machine().open()) {
        small.device().pinnedBudget(5 * MIB);
        Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          threads.add(
              Thread.ofPlatform()
                  .start(
                      () -> {
                        try (Stream stream = small.device().stream();
                            GlobalBytes array = small.device().allocateBytes(MIB)) {
                          start.await();
                          stream.copy(new byte[1 << 20], array).await();
                        } catch (Throwable e) {
                          thrown.add(e);
                        }
                      }));
        }
        start.countDown();
        for (Thread thread : threads) {
          thread.join();
        }
        assertThat(thrown).isEmpty();
      }
    }
  }

  @Test
  void stagedCopiesGoOnWithAsLittlePinnedMemoryAsThereIs() {
    for (long budget : new long[] {5 * MIB, 9 * MIB, 17 * MIB}) {
      try (Machine.Opened small = machine().open()) {
        small.device().pinnedBudget(budget);
        try (Stream stream = small.device().stream();
            GlobalBytes array = small.device().allocateBytes(20 * MIB)) {
          byte[] data = bytes(20 << 20, budget);
          byte[] back = new byte[20 << 20];
          stream.copy(data, array);
          stream.copy(array, back).await();
          assertSame(back, data);
          assertThat(small.device().pinned().peakBytes()).isLessThanOrEqualTo(budget);
        }
      }
    }
  }

  @Test
  void manyStagedCopiesAtOnceShareASmallBudgetAndNeverDeadlock() {
    device.pinnedBudget(5 * MIB);
    int count = 16;
    int size = 600_000;
    List<Stream> streams = new ArrayList<>();
    byte[][] data = new byte[count][];
    byte[][] back = new byte[count][];
    try (GlobalBytes array = device.allocateBytes((long) count * size)) {
      for (int i = 0; i < count; i++) {
        Stream stream = device.stream();
        streams.add(stream);
        data[i] = bytes(size, i);
        back[i] = new byte[size];
        GlobalBytes part = array.slice((long) i * size, size);
        if (i > 0) {
          stream.waitFor(streams.get(i - 1).record());
        }
        stream.copy(data[i], part);
        stream.copy(part, back[i]);
        stream.copy(back[i], part);
      }
      device.await();
      for (int i = 0; i < count; i++) {
        assertSame(back[i], data[i]);
      }
      assertThat(device.pinned().peakBytes()).isLessThanOrEqualTo(5 * MIB);
    }
    streams.forEach(Stream::close);
  }

  @Test
  void theDriversOwnLimitOfPinnedMemoryIsReportedLikeTheBudget() {
    if (!machine.isVirtual()) {
      return; // a machine with a GPU can pin all its memory
    }
    try (Machine.Opened limited = machine().with("pinned=" + 4 * MIB).open();
        PinnedArena pinned = limited.device().pinnedArena()) {
      assertThatThrownBy(() -> pinned.allocate(5 * MIB))
          .isInstanceOf(PinnedBudgetException.class)
          .hasMessageContaining(String.valueOf(5 * MIB));
      pinned.allocate(4 * MIB);
    }
  }
}
