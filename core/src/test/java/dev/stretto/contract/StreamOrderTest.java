package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a stream promises about the order of its own operations and about other streams. */
class StreamOrderTest extends ContractTest {
  @Test
  void operationsRunInTheOrderInWhichTheyWereEnqueued() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts array = device.allocateInts(256)) {
      MemorySegment results = pinned.allocate(ValueLayout.JAVA_INT, 100);
      for (int i = 0; i < 100; i++) {
        stream.fill(array, i);
        stream.copy(array.slice(i, 1), results.asSlice(4L * i, 4));
      }
      stream.await();
      for (int i = 0; i < 100; i++) {
        assertThat(results.getAtIndex(ValueLayout.JAVA_INT, i)).isEqualTo(i);
      }
    }
  }

  @Test
  void everyKindOfOperationKeepsItsPlaceAmongTheOthers() {
    byte[] first = bytes(70_000, 1);
    byte[] second = bytes(70_000, 2);
    byte[] third = bytes(70_000, 3);
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes a = device.allocateBytes(70_000);
        GlobalBytes b = device.allocateBytes(70_000)) {
      MemorySegment from = pinned(pinned, second);
      MemorySegment to = pinned.allocate(70_000);
      byte[] staged = new byte[70_000];
      byte[] again = new byte[70_000];
      List<String> order = Collections.synchronizedList(new ArrayList<>());
      stream.copy(first, a); // staged in
      stream.copy(a, b); // local
      stream.then(() -> order.add("one"));
      stream.copy(b, staged); // staged out
      stream.copy(from, b); // direct in
      stream.copy(b, to); // direct out
      stream.then(
          () -> {
            order.add("two");
            assertSame(staged, first);
            assertSame(read(to), second);
            MemorySegment.copy(third, 0, from, ValueLayout.JAVA_BYTE, 0, third.length);
          });
      stream.copy(from, a);
      stream.copy(MemorySegment.ofArray(staged), MemorySegment.ofArray(again)); // on the host
      stream.fill(b, (byte) 7);
      stream.copy(b.slice(0, 10), a.slice(5, 10));
      stream.await();
      assertThat(order).containsExactly("one", "two");
      assertSame(again, first);
      byte[] expected = third.clone();
      java.util.Arrays.fill(expected, 5, 15, (byte) 7);
      assertSame(read(stream, a), expected);
    }
  }

  @Test
  void awaitingACopyMeansThatAllBeforeItHasHappenedHostMemoryIncluded() {
    byte[] data = bytes(3_000_000, 4);
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      GlobalBytes array = onDevice(stream, data);
      byte[] heap = new byte[data.length];
      stream.copy(array, heap); // staged: arrives on its own time
      stream.copy(array.slice(0, 16), pinned.allocate(16)).await();
      assertSame(heap, data);
      array.close();
    }
  }

  @Test
  void awaitingAFillMeansThatAllBeforeItHasHappenedHostMemoryIncluded() {
    byte[] data = bytes(3_000_000, 5);
    try (Stream stream = device.stream()) {
      GlobalBytes array = onDevice(stream, data);
      byte[] heap = new byte[data.length];
      stream.copy(array, heap);
      stream.fill(array, (byte) 0).await();
      assertSame(heap, data);
      array.close();
    }
  }

  @Test
  @WithOrder("off") // it looks whether what is held back has happened
  void aStreamThatIsHeldBackDoesNotHoldBackAnother() {
    try (Stream held = device.stream();
        Stream free = device.stream();
        GlobalInts a = device.allocateInts(10);
        GlobalInts b = device.allocateInts(10)) {
      held.fill(a, 1).await();
      try (Gate gate = gate(held)) {
        held.fill(a, 2);
        free.fill(b, 3).await();
        assertThat(read(free, b)).startsWith(3, 0, 0, 0);
        if (gate.isShut()) {
          assertThat(held.isIdle()).isFalse();
          assertThat(read(free, a)).startsWith(1, 0, 0, 0);
        }
      }
      held.await();
      assertThat(held.isIdle()).isTrue();
      assertThat(read(free, a)).startsWith(2, 0, 0, 0);
    }
  }

  @Test
  void twentyThousandWaitsOfTwoStreamsForEachOtherAreHeldBackAndGoOnInOrder() {
    int rounds = 10_000;
    try (Stream one = device.stream();
        Stream two = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts cell = device.allocateInts(1)) {
      MemorySegment values = pinned.allocate(ValueLayout.JAVA_INT, rounds);
      MemorySegment results = pinned.allocate(ValueLayout.JAVA_INT, rounds);
      for (int i = 0; i < rounds; i++) {
        values.setAtIndex(ValueLayout.JAVA_INT, i, i + 1);
      }
      try (Gate gate = gate(one)) {
        for (int i = 0; i < rounds; i++) {
          one.copy(values.asSlice(4L * i, 4), cell);
          two.waitFor(one.record());
          two.copy(cell, results.asSlice(4L * i, 4));
          one.waitFor(two.record());
        }
        if (gate.isShut()) {
          assertThat(two.isIdle()).isFalse();
        }
      }
      one.await();
      two.await();
      for (int i = 0; i < rounds; i++) {
        assertThat(results.getAtIndex(ValueLayout.JAVA_INT, i)).isEqualTo(i + 1);
      }
    }
  }

  @Test
  void whoAwaitsTheLastWaitOfAnExchangeThatIsHeldBackIsToldOfIt() {
    try (Stream one = device.stream();
        Stream two = device.stream();
        GlobalInts array = device.allocateInts(10)) {
      for (int rounds = 1; rounds <= 4; rounds++) {
        CompletableFuture<?> first;
        CompletableFuture<?> second;
        try (Gate gate = gate(one)) {
          for (int i = 0; i < rounds; i++) {
            one.fill(array, i);
            two.waitFor(one.record());
            two.fill(array, -i);
            one.waitFor(two.record());
          }
          first = one.toCompletableFuture();
          second = two.toCompletableFuture();
          if (gate.isShut()) {
            assertThat(first).isNotDone();
            assertThat(second).isNotDone();
          }
        }
        first.join();
        second.join();
      }
    }
  }

  @Test
  void aHundredAndFiftyStreamsWorkBesideEachOther() {
    int count =
        150; // the driver's queue is shared by all of them: each has only a small part of it
    List<Stream> streams = new ArrayList<>();
    List<GlobalInts> arrays = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      streams.add(device.stream());
      arrays.add(device.allocateInts(64));
    }
    try (PinnedArena pinned = device.pinnedArena()) {
      MemorySegment results = pinned.allocate(ValueLayout.JAVA_INT, count);
      for (int round = 0; round < 40; round++) {
        for (int i = 0; i < count; i++) {
          streams.get(i).fill(arrays.get(i), 1000 * i + round);
        }
      }
      for (int i = 0; i < count; i++) {
        streams.get(i).copy(arrays.get(i).slice(63, 1), results.asSlice(4L * i, 4));
      }
      device.await();
      for (int i = 0; i < count; i++) {
        assertThat(results.getAtIndex(ValueLayout.JAVA_INT, i)).isEqualTo(1000 * i + 39);
      }
    }
    streams.forEach(Stream::close);
    arrays.forEach(GlobalInts::close);
  }

  @Test
  void manyStreamsMayHoldManyLaunchesEach() {
    int count = 130; // each may have fewer launches in the driver than lie between two marks
    List<Stream> streams = new ArrayList<>();
    try (GlobalInts array = device.allocateInts(count)) {
      for (int i = 0; i < count; i++) {
        streams.add(device.stream());
        streams.get(i).fill(array.slice(i, 1), 0);
      }
      for (int i = 0; i < count; i++) {
        Launch launch = device.prepare(Grid.of(1, 32), Kernels.ADD, array.slice(i, 1), 1, 1);
        for (int round = 0; round < 60; round++) {
          streams.get(i).launch(launch);
        }
      }
      device.await();
      int[] result = new int[count];
      streams.getFirst().copy(array, result).await();
      assertThat(result).containsOnly(60);
    }
    streams.forEach(Stream::close);
  }

  @Test
  void aStreamTakesMoreOperationsThanTheDriverQueues() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(64)) {
      for (int i = 0; i < 5_000; i++) {
        stream.fill(array, i);
      }
      assertThat(read(stream, array)).startsWith(5_000 - 1 & 0xff, 4_999 >> 8);
    }
  }

  @Test
  void prioritiesAreTakenAndClamped() {
    try (Stream urgent = device.stream(-1000);
        Stream lazy = device.stream(1000);
        GlobalInts array = device.allocateInts(64)) {
      assertThat(urgent.priority()).isEqualTo(-1000);
      urgent.fill(array, 1).await();
      lazy.fill(array, 2).await();
      assertThat(read(urgent, array)).startsWith(2);
    }
  }

  @Test
  void awaitingTheDeviceAwaitsAllItsStreams() {
    try (Stream one = device.stream();
        Stream two = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts array = device.allocateInts(1_000_000)) {
      MemorySegment a = pinned.allocate(ValueLayout.JAVA_INT, 1_000_000);
      int[] b = new int[1_000_000];
      one.fill(array, 7);
      two.waitFor(one.record());
      one.copy(array, a);
      two.copy(array, b);
      device.await();
      assertThat(a.getAtIndex(ValueLayout.JAVA_INT, 999_999)).isEqualTo(7);
      assertThat(b[999_999]).isEqualTo(7);
      assertThat(device.await(Duration.ofSeconds(1))).isTrue();
    }
  }

  @Test
  void awaitingTheDeviceForAMomentSaysWhetherAllIsDone() {
    try (Stream stream = device.stream()) {
      try (Gate gate = gate(stream)) {
        if (gate.isShut()) {
          assertThat(device.await(Duration.ofMillis(20))).isFalse();
        }
      }
      assertThat(device.await(Duration.ofSeconds(20))).isTrue();
    }
  }

  @Test
  void aFreshStreamIsIdle() {
    try (Stream stream = device.stream()) {
      assertThat(stream.isIdle()).isTrue();
      assertThat(stream.isDone()).isTrue();
      stream.await();
      assertThat(stream.device()).isSameAs(device);
      assertThat(stream.handle()).isNotZero();
      assertThat(stream).hasToString(stream.toString()).asString().contains(device.name());
    }
  }

  @Test
  void manyThreadsMayEnqueueOnOneStream() throws InterruptedException {
    int threads = 8;
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(threads * 100L)) {
      int[] values = new int[threads * 100];
      List<Thread> all = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int first = t * 100;
        all.add(
            Thread.startVirtualThread(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    stream.fill(array.slice(first + i, 1), first + i);
                  }
                }));
      }
      for (Thread thread : all) {
        thread.join();
      }
      Copy copy = stream.copy(array, values);
      copy.await();
      for (int i = 0; i < values.length; i++) {
        assertThat(values[i]).isEqualTo(i);
      }
    }
  }

  @Test
  void aClosedStreamRefusesWorkAndSaysSo() {
    Stream stream = device.stream();
    GlobalInts array = device.allocateInts(10);
    stream.close();
    assertThat(stream.isOpen()).isFalse();
    assertThatThrownBy(() -> stream.fill(array, 1))
        .isInstanceOf(ClosedException.class)
        .hasMessageContaining("stream is closed");
    array.close();
  }
}
