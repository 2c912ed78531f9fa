package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** CUDA's two default streams: what they synchronize with, and what they cannot do. */
class DefaultStreamTest extends ContractTest {
  private static final int LARGE = 16 << 20;

  @Test
  void theLegacyStreamWaitsForThePerThreadStreamAndItForTheLegacyStream() {
    try (Stream legacy = device.legacyStream();
        Stream mine = device.perThreadStream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts array = device.allocateInts(100_000)) {
      MemorySegment results = pinned.allocate(ValueLayout.JAVA_INT, 20);
      for (int i = 0; i < 20; i++) {
        Stream writer = i % 2 == 0 ? legacy : mine;
        Stream reader = i % 2 == 0 ? mine : legacy;
        writer.fill(array, i);
        reader.copy(array.slice(99_999, 1), results.asSlice(4L * i, 4));
      }
      legacy.await();
      mine.await();
      for (int i = 0; i < 20; i++) {
        assertThat(results.getAtIndex(ValueLayout.JAVA_INT, i)).isEqualTo(i);
      }
    }
  }

  @Test
  void streamsOfOursDoNotWaitForTheDefaultStreams() {
    try (Stream legacy = device.legacyStream();
        Stream stream = device.stream();
        Stream held = device.stream();
        GlobalInts array = device.allocateInts(10)) {
      try (Gate gate = gate(held)) {
        legacy
            .fill(array, 1)
            .await(); // a stream of ours that holds something does not hold it back
        stream.fill(array, 2).await();
        assertThat(gate).isNotNull();
      }
      assertThat(read(stream, array)).startsWith(2);
    }
  }

  @Test
  void defaultStreamsWaitForEventsAndAreWaitedFor() {
    try (Stream legacy = device.legacyStream();
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts array = device.allocateInts(100_000)) {
      MemorySegment result = pinned.allocate(ValueLayout.JAVA_INT, 100_000);
      stream.fill(array, 1);
      legacy.waitFor(stream.record());
      legacy.launch(Grid.covering(100_000, 256), Kernels.ADD, array, 5, 100_000);
      stream.waitFor(legacy.record());
      stream.copy(array, result).await();
      assertThat(result.getAtIndex(ValueLayout.JAVA_INT, 99_999)).isEqualTo(6);
    }
  }

  @Test
  void whatWouldHaveToBeHeldBackIsRefused() {
    try (Stream legacy = device.legacyStream();
        Stream mine = device.perThreadStream();
        Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(100_000)) {
      for (Stream refusing : new Stream[] {legacy, mine}) {
        assertThatThrownBy(() -> refusing.copy(new byte[100_000], array))
            .isInstanceOf(RouteException.class)
            .hasMessageContaining("default stream");
        assertThatThrownBy(() -> refusing.copy(array, new byte[100_000]))
            .isInstanceOf(RouteException.class);
        assertThatThrownBy(() -> refusing.then(() -> {})).isInstanceOf(RouteException.class);
        try (Gate gate = gate(stream)) {
          Event event = stream.fill(array, (byte) 1);
          assertThatThrownBy(() -> refusing.waitFor(event))
              .isInstanceOf(RouteException.class)
              .hasMessageContaining("held back");
          assertThat(gate).isNotNull();
        }
        stream.await();
      }
    }
  }

  @Test
  void thePerThreadStreamBelongsToItsThread() throws InterruptedException {
    try (Stream mine = device.perThreadStream();
        GlobalInts array = device.allocateInts(10)) {
      mine.fill(array, 1);
      Throwable[] thrown = new Throwable[3];
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    thrown[0] = thrownBy(() -> mine.fill(array, 2));
                    thrown[1] = thrownBy(mine::record);
                    thrown[2] = thrownBy(mine::await); // waiting is allowed to all
                  });
      other.join();
      assertThat(thrown[0])
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("belongs");
      assertThat(thrown[1]).isInstanceOf(IllegalStateException.class);
      assertThat(thrown[2]).isNull();
    }
  }

  @Test
  void awaitingThePerThreadStreamOnAnotherThreadAwaitsItsOwnersWork() throws InterruptedException {
    try (Stream mine = device.perThreadStream();
        Stream reader = device.stream();
        GlobalInts array = device.allocateInts(2_000_000)) {
      mine.fill(array, 0);
      for (int i = 0; i < 5; i++) {
        mine.launch(Grid.covering(2_000_000, 256), Kernels.ADD, array, 1, 2_000_000);
      }
      byte[][] seen = new byte[1][];
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    device.await();
                    seen[0] = read(reader, array.slice(1_999_999, 1));
                  });
      other.join();
      assertThat(seen[0]).startsWith(5, 0, 0, 0);
    }
  }

  @Test
  void memoryUsedOnThePerThreadStreamIsFreedAfterItsUseWhoeverClosesIt()
      throws InterruptedException {
    try (Stream mine = device.perThreadStream();
        GlobalInts sum = device.allocateInts(1_000_000)) {
      GlobalInts array = device.allocateInts(1_000_000);
      mine.fill(array, 0);
      mine.launch(Grid.covering(1_000_000, 256), Kernels.ADD, array, 7, 1_000_000);
      mine.copy(array, sum);
      Thread.ofPlatform().start(array::close).join();
      mine.await();
      try (Stream reader = device.stream()) {
        assertThat(read(reader, sum.slice(999_999, 1))).startsWith(7, 0, 0, 0);
      }
    }
  }

  @Test
  void virtualThreadsHaveNoPerThreadStream() throws InterruptedException {
    Throwable[] thrown = new Throwable[1];
    Thread.startVirtualThread(() -> thrown[0] = thrownBy(device::perThreadStream)).join();
    assertThat(thrown[0])
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("virtual thread");
  }

  private static Throwable thrownBy(Runnable action) {
    try {
      action.run();
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  @Test
  void awaitingADefaultStreamAwaitsWhatAnotherObjectOfItHasEnqueued() {
    try (PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(LARGE)) {
      MemorySegment in = pinned.allocate(LARGE);
      MemorySegment out = pinned.allocate(LARGE);
      for (int i = 1; i <= 5; i++) {
        in.fill((byte) i);
        device.legacyStream().copy(in, array);
        device.legacyStream().copy(array, out);
        device.legacyStream().await();
        assertThat(out.get(ValueLayout.JAVA_BYTE, LARGE - 1)).isEqualTo((byte) i);
        in.fill((byte) -i);
        device.perThreadStream().copy(in, array);
        device.perThreadStream().copy(array, out);
        assertThat(device.perThreadStream().await(Duration.ofSeconds(30))).isTrue();
        assertThat(out.get(ValueLayout.JAVA_BYTE, LARGE - 1)).isEqualTo((byte) -i);
        in.fill((byte) (i + 10));
        device.legacyStream().copy(in, array);
        device.legacyStream().copy(array, out);
        device.legacyStream().toCompletableFuture().join();
        assertThat(out.get(ValueLayout.JAVA_BYTE, LARGE - 1)).isEqualTo((byte) (i + 10));
      }
    }
  }

  @Test
  void aDefaultStreamIsNotDoneWhileWorkOfAnotherObjectOfItIsUnderWay() {
    try (PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(LARGE)) {
      MemorySegment out = pinned.allocate(LARGE);
      for (int i = 1; i <= 5; i++) {
        device.legacyStream().fill(array, (byte) i);
        device.legacyStream().copy(array, out);
        while (!device.legacyStream().isDone()) {
          Thread.onSpinWait();
        }
        assertThat(out.get(ValueLayout.JAVA_BYTE, LARGE - 1)).isEqualTo((byte) i);
      }
    }
  }

  @Test
  void closingOneObjectOfADefaultStreamLeavesTheOthersOpen() {
    Stream first = device.legacyStream();
    try (Stream second = device.legacyStream();
        GlobalInts array = device.allocateInts(10)) {
      first.close();
      first.close();
      assertThat(first.isOpen()).isFalse();
      assertThatThrownBy(() -> first.fill(array, 1)).isInstanceOf(ClosedException.class);
      second.fill(array, 2).await();
      assertThat(second.isOpen()).isTrue();
    }
  }
}
