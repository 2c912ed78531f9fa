package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.PinnedArena;
import dev.stretto.PinnedBuffer;
import dev.stretto.PinnedBuffers;
import dev.stretto.Registration;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeadlockException;
import dev.stretto.fault.PinnedBudgetException;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Pinned buffers that are lent, and lent again after the last copy that uses them. */
class PinnedBuffersTest extends ContractTest {
  private static final int SIZE = 100_003;
  private static final int PAGES = 25 * 4096; // that they take

  @Test
  void thereAreAsManyBuffersAsWereAskedForOfExactlyTheirSizeAndNoMore() {
    long before = device.pinned().usedBytes();
    try (PinnedBuffers buffers = device.pinnedBuffers(SIZE, 3)) {
      assertThat(buffers.count()).isEqualTo(3);
      assertThat(buffers.bytesEach()).isEqualTo(SIZE);
      assertThat(device.pinned().usedBytes()).isEqualTo(before + 3 * PAGES);
      List<PinnedBuffer> lent = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        lent.add(buffers.tryLease().orElseThrow());
      }
      assertThat(buffers.available()).isZero();
      assertThat(buffers.tryLease()).isEmpty();
      assertThat(buffers.awaitLease(Duration.ofMillis(5))).isEmpty();
      for (PinnedBuffer buffer : lent) {
        assertThat(buffer.memory().byteSize()).isEqualTo(SIZE);
        assertThat(buffer.memory().address() % 256).isZero();
        assertThat(PinnedArena.isPinned(buffer.memory())).isTrue();
        buffer.memory().fill((byte) 1);
      }
      assertThat(lent).extracting(b -> b.memory().address()).doesNotHaveDuplicates();
      lent.forEach(PinnedBuffer::close);
      eventually("all are back", () -> buffers.available() == 3);
      assertThat(device.pinned().usedBytes()).isEqualTo(before + 3 * PAGES);
    }
    eventually("all are unpinned", () -> device.pinned().usedBytes() == before);
  }

  @Test
  void aBufferIsLentAgainOnlyAfterTheLastCopyThatUsesIt() {
    int rounds = 40;
    try (Stream stream = device.stream();
        Stream other = device.stream();
        PinnedBuffers buffers = device.pinnedBuffers(SIZE, 2);
        GlobalBytes array = device.allocateBytes((long) SIZE * rounds)) {
      for (int i = 0; i < rounds; i++) {
        PinnedBuffer buffer = buffers.awaitLease();
        buffer.memory().copyFrom(MemorySegment.ofArray(bytes(SIZE, i)));
        Stream turn = i % 3 == 0 ? other : stream;
        Copy copy = turn.copy(buffer.memory(), array.slice((long) SIZE * i, SIZE));
        assertThat(copy.route().kind()).isEqualTo(Route.Kind.DIRECT);
        buffer.close();
      }
      other.await();
      byte[] all = read(stream, array);
      for (int i = 0; i < rounds; i++) {
        byte[] expected = bytes(SIZE, i);
        assertThat(Arrays.equals(all, SIZE * i, SIZE * (i + 1), expected, 0, SIZE)).isTrue();
      }
    }
  }

  @Test
  void whileACopyIsHeldBackItsBufferIsNotLentAndNobodyIsBlocked() {
    try (Stream stream = device.stream();
        PinnedBuffers buffers = device.pinnedBuffers(SIZE, 1);
        GlobalBytes array = device.allocateBytes(SIZE)) {
      Gate gate = gate(stream);
      PinnedBuffer buffer = buffers.tryLease().orElseThrow();
      buffer.memory().fill((byte) 5);
      stream.copy(buffer.memory(), array);
      MemorySegment memory = buffer.memory();
      buffer.close();
      assertThat(buffer.isOpen()).isFalse();
      assertThatThrownBy(() -> memory.get(ValueLayout.JAVA_BYTE, 0))
          .isInstanceOf(IllegalStateException.class);
      buffer.close(); // again: it is not given back twice
      CompletableFuture<PinnedBuffer> next = buffers.lease();
      if (gate.isShut()) {
        assertThat(buffers.tryLease()).isEmpty();
        assertThat(next.isDone()).isFalse();
      }
      gate.open();
      next.join().close();
      assertThat(read(stream, array)).containsOnly(5);
    }
  }

  @Test
  void whoWaitsIsServedInOrderAndNobodyOvertakes() {
    try (PinnedBuffers buffers = device.pinnedBuffers(SIZE, 1)) {
      PinnedBuffer buffer = buffers.tryLease().orElseThrow();
      List<CompletableFuture<PinnedBuffer>> waiting = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        waiting.add(buffers.lease());
      }
      waiting.get(1).cancel(true); // what it is lent goes to the next
      buffer.close();
      for (int i = 0; i < 5; i++) {
        if (i != 1) {
          PinnedBuffer lent = waiting.get(i).join();
          assertThat(buffers.tryLease()).isEmpty();
          lent.close();
        }
      }
      eventually("the buffer is back", () -> buffers.available() == 1);
    }
  }

  @Test
  void manyVirtualThreadsShareFewBuffers() throws Exception {
    int threads = machine.isSeeded() ? 12 : 200;
    try (Stream stream = device.stream();
        PinnedBuffers buffers = device.pinnedBuffers(1000, 3);
        GlobalBytes array = device.allocateBytes(1000L * threads)) {
      List<Thread> all = new ArrayList<>();
      List<Throwable> failures = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        all.add(
            Thread.startVirtualThread(
                () -> {
                  try (PinnedBuffer buffer = buffers.awaitLease()) {
                    buffer.memory().fill((byte) number);
                    stream.copy(buffer.memory(), array.slice(1000L * number, 1000));
                  } catch (Throwable e) {
                    synchronized (failures) {
                      failures.add(e);
                    }
                  }
                }));
      }
      for (Thread thread : all) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      byte[] result = read(stream, array);
      for (int i = 0; i < threads; i++) {
        assertThat(Arrays.copyOfRange(result, 1000 * i, 1000 * i + 1000)).containsOnly((byte) i);
      }
    }
  }

  @Test
  void closingRefusesWhoWaitsAndLeavesWhatIsLent() {
    try (Stream stream = device.stream();
        GlobalBytes array = onDevice(stream, new byte[SIZE])) {
      assertThat(read(stream, array)).containsOnly(0); // staging has pinned what it needs
      long before = device.pinned().usedBytes();
      PinnedBuffers buffers = device.pinnedBuffers(SIZE, 1);
      PinnedBuffer buffer = buffers.awaitLease();
      CompletableFuture<PinnedBuffer> waiting = buffers.lease();
      buffers.close();
      assertThat(buffers.isOpen()).isFalse();
      assertThatThrownBy(waiting::join)
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(ClosedException.class);
      assertThatThrownBy(buffers::tryLease).isInstanceOf(ClosedException.class);
      assertThatThrownBy(buffers::lease).isInstanceOf(ClosedException.class);
      assertThatThrownBy(buffers::awaitLease).isInstanceOf(ClosedException.class);
      buffers.close();
      buffer.memory().fill((byte) 9);
      stream.copy(buffer.memory(), array);
      buffer.close();
      assertThat(read(stream, array)).containsOnly(9);
      eventually("it is unpinned", () -> device.pinned().usedBytes() == before);
    }
  }

  @Test
  void theBudgetCountsThePagesThatAreTaken() {
    device.pinnedBudget(1 << 20);
    assertThatThrownBy(() -> device.pinnedBuffers(1, 500_000))
        .isInstanceOf(PinnedBudgetException.class)
        .hasMessageContaining("500000")
        .hasMessageContaining("2048000000")
        .hasMessageContaining("1048576");
    assertThat(device.pinned().peakBytes()).isZero();
    assertThatThrownBy(() -> device.pinnedBuffers(Long.MAX_VALUE, Integer.MAX_VALUE))
        .isInstanceOf(PinnedBudgetException.class);
    try (PinnedBuffers buffers = device.pinnedBuffers(1, 256)) {
      assertThat(device.pinned().usedBytes()).isEqualTo(1 << 20);
      assertThatThrownBy(() -> device.pinnedBuffers(1, 1))
          .isInstanceOf(PinnedBudgetException.class)
          .hasMessageContaining("1 bytes, 4096 in whole pages");
      assertThat(buffers.available()).isEqualTo(256);
    }
    eventually("it is unpinned", () -> device.pinned().usedBytes() == 0);
    try (Arena arena = Arena.ofShared();
        PinnedArena pinned = device.pinnedArena()) {
      MemorySegment host = arena.allocate(3 * 4096, 4096);
      try (Registration _ = device.register(host.asSlice(4095, 4098), arena)) {
        assertThat(device.pinned().usedBytes()).as("a byte on either side").isEqualTo(3 * 4096);
      }
      eventually("it is unpinned", () -> device.pinned().usedBytes() == 0);
      MemorySegment large = pinned.allocate((128 << 10) + 1);
      assertThat(large.byteSize()).isEqualTo((128 << 10) + 1);
      assertThat(device.pinned().usedBytes()).isEqualTo((128 << 10) + 4096);
    }
  }

  @Test
  void closingTheDeviceEndsItAll() {
    PinnedBuffers buffers = device.pinnedBuffers(SIZE, 2);
    PinnedBuffer buffer = buffers.awaitLease();
    PinnedBuffer another = buffers.awaitLease();
    CompletableFuture<PinnedBuffer> waiting = buffers.lease();
    MemorySegment memory = buffer.memory();
    device.close();
    opened.settle();
    assertThatThrownBy(() -> waiting.get())
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(ClosedException.class);
    eventually("access has ended", () -> !memory.scope().isAlive());
    assertThat(another.isOpen()).isFalse();
    buffer.close();
    assertThatThrownBy(buffers::awaitLease).isInstanceOf(ClosedException.class);
  }

  @Test
  void aThreadThatHasAllBuffersAndWaitsForOneIsToldUnderASeed() {
    if (!machine.isSeeded()) {
      return; // it would wait for ever
    }
    try (PinnedBuffers buffers = device.pinnedBuffers(SIZE, 2);
        PinnedBuffer one = buffers.awaitLease();
        PinnedBuffer two = buffers.awaitLease()) {
      assertThatThrownBy(buffers::awaitLease).isInstanceOf(DeadlockException.class);
      assertThat(one.isOpen() && two.isOpen()).isTrue();
    }
  }

  @Test
  void anInterruptedWaitKeepsNoBuffer() {
    try (PinnedBuffers buffers = device.pinnedBuffers(SIZE, 1)) {
      PinnedBuffer buffer = buffers.awaitLease();
      Thread.currentThread().interrupt();
      assertThatThrownBy(buffers::awaitLease).isInstanceOf(AwaitInterruptedException.class);
      assertThat(Thread.interrupted()).isTrue();
      buffer.close();
      Optional<PinnedBuffer> next = buffers.awaitLease(Duration.ofSeconds(10));
      assertThat(next).isPresent();
      next.get().close();
    }
  }

  @Test
  void buffersBeyondTheBudgetAreRefusedAndNoneIsPinned() {
    long before = device.pinned().usedBytes();
    device.pinnedBudget(before + 10 * PAGES);
    assertThatThrownBy(() -> device.pinnedBuffers(SIZE, 11))
        .isInstanceOf(PinnedBudgetException.class);
    eventually("none is pinned", () -> device.pinned().usedBytes() == before);
    device.pinnedBuffers(SIZE, 10).close();
    assertThatThrownBy(() -> device.pinnedBuffers(0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> device.pinnedBuffers(1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
