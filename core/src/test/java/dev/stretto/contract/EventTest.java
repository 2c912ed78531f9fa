package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Event;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What events promise. */
class EventTest extends ContractTest {
  @Test
  void anEventStandsForWhatWasEnqueuedBeforeItAndForNothingAfter() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(100)) {
      stream.fill(array, 1);
      Event event = stream.record();
      try (Gate gate = gate(stream)) {
        stream.fill(array, 2);
        event.await(); // the gate is shut: this returns only if it does not stand for what follows
        assertThat(event.isDone()).isTrue();
        if (gate.isShut()) {
          assertThat(stream.isIdle()).isFalse();
        }
      }
      stream.await();
    }
  }

  @Test
  void aStreamThatWaitsForAnEventSeesWhatHappenedBeforeIt() {
    byte[] data = bytes(1_000_000, 1);
    try (Stream writer = device.stream();
        Stream reader = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(data.length)) {
      MemorySegment from = pinned(pinned, data);
      MemorySegment to = pinned.allocate(data.length);
      writer.copy(from, array);
      reader.waitFor(writer.record());
      reader.copy(array, to).await();
      assertSame(read(to), data);
    }
  }

  @Test
  void aWaitDoesNotReachWorkThatWasEnqueuedAfterTheEvent() {
    try (Stream writer = device.stream();
        Stream reader = device.stream();
        GlobalInts a = device.allocateInts(10)) {
      writer.fill(a, 1);
      Event event = writer.record();
      try (Gate gate = gate(writer)) {
        reader.waitFor(event);
        assertThat(read(reader, a)).startsWith(1, 0, 0, 0);
        assertThat(gate).isNotNull();
      }
      writer.await();
    }
  }

  @Test
  void oneEventMayBeWaitedForByManyStreamsAndMoreThanOnce() {
    try (Stream writer = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts array = device.allocateInts(1000)) {
      writer.fill(array, 42);
      Event event = writer.record();
      List<Stream> readers = new ArrayList<>();
      List<MemorySegment> results = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        Stream reader = device.stream();
        MemorySegment result = pinned.allocate(4000);
        reader.waitFor(event);
        reader.copy(array, result);
        reader.waitFor(event);
        readers.add(reader);
        results.add(result);
      }
      readers.forEach(Stream::await);
      results.forEach(
          result -> assertThat(read(result)).startsWith(42, 0, 0, 0).endsWith(42, 0, 0, 0));
      readers.forEach(Stream::close);
    }
  }

  @Test
  void waitingForAnEventOfTheSameStreamChangesNothing() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(1000)) {
      stream.fill(array, 42);
      stream.waitFor(stream.record());
      stream.waitFor(stream.fill(array, 43));
      assertThat(read(stream, array)).startsWith(43, 0, 0, 0);
    }
  }

  @Test
  void waitsChainThroughManyStreams() {
    int length = 12;
    List<Stream> streams = new ArrayList<>();
    try (GlobalInts array = device.allocateInts(length)) {
      for (int i = 0; i < length; i++) {
        Stream stream = device.stream();
        if (i == 0) {
          stream.fill(array, 100);
        } else {
          stream.waitFor(streams.getLast().record());
          stream.copy(array.slice(i - 1, 1), array.slice(i, 1));
        }
        if (i == 5) {
          stream.then(() -> {}); // from here on the events are held back at first
        }
        streams.add(stream);
      }
      int[] result = new int[length];
      streams.getLast().copy(array, result).await();
      assertThat(result).containsOnly(100);
    }
    streams.forEach(Stream::close);
  }

  @Test
  void anEventBehindACallbackIsWaitedFor() {
    try (Stream first = device.stream();
        Stream second = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts array = device.allocateInts(1000)) {
      MemorySegment to = pinned.allocate(4000);
      first.fill(array, 1);
      Gate gate = gate(first);
      first.fill(array, 2);
      Event event = first.record();
      second.waitFor(event);
      second.copy(array, to);
      if (gate.isShut()) {
        assertThat(event.isDone()).isFalse();
        assertThat(event.await(Duration.ofMillis(10))).isFalse();
        assertThat(second.isIdle()).isFalse();
      }
      gate.open();
      second.await();
      assertThat(event.isDone()).isTrue();
      assertThat(read(to)).startsWith(2, 0, 0, 0);
    }
  }

  @Test
  void anEventBehindAStagedCopyIsWaitedFor() {
    byte[] data = bytes(5_000_001, 3);
    try (Stream first = device.stream();
        Stream second = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(data.length)) {
      MemorySegment to = pinned.allocate(data.length);
      first.copy(data, array);
      second.waitFor(first.record());
      second.copy(array, to).await();
      assertSame(read(to), data);
    }
  }

  @Test
  void anEventMeansThatStagedCopiesBeforeItHaveArrivedInHostMemory() {
    byte[] data = bytes(5_000_001, 4);
    try (Stream stream = device.stream();
        Stream other = device.stream()) {
      GlobalBytes array = onDevice(stream, data);
      byte[] heap = new byte[data.length];
      stream.copy(array, heap);
      Event event = stream.record();
      other.waitFor(event);
      boolean[] arrived = {false};
      other.then(() -> arrived[0] = java.util.Arrays.equals(heap, data));
      other.await();
      assertThat(arrived[0]).isTrue();
      event.await();
      assertSame(heap, data);
      array.close();
    }
  }

  @Test
  void aTwoWayExchangeOfEventsKeepsTwoStreamsInStep() {
    try (Stream even = device.stream();
        Stream odd = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts array = device.allocateInts(16)) {
      MemorySegment results = pinned.allocate(4L * 30);
      for (int i = 0; i < 30; i++) {
        Stream now = i % 2 == 0 ? even : odd;
        Stream next = i % 2 == 0 ? odd : even;
        now.fill(array, i);
        now.copy(array.slice(0, 1), results.asSlice(4L * i, 4));
        next.waitFor(now.record());
      }
      even.await();
      odd.await();
      for (int i = 0; i < 30; i++) {
        assertThat(results.get(java.lang.foreign.ValueLayout.JAVA_INT, 4L * i)).isEqualTo(i);
      }
    }
  }

  @Test
  void aLongExchangeOfEventsThatIsHeldBackAsAWholeComesToItsEnd() {
    try (Stream one = device.stream();
        Stream two = device.stream();
        GlobalInts array = device.allocateInts(16)) {
      Gate gate = gate(one);
      for (int i = 0; i < 5_000; i++) {
        one.fill(array, i);
        two.waitFor(one.record());
        two.fill(array, -i);
        one.waitFor(two.record());
      }
      gate.open();
      assertThat(read(one, array)).startsWith(-4_999 & 0xff, -4_999 >> 8);
      two.await();
    }
  }

  @Test
  void anEventOfAClosedStreamStillTells() {
    GlobalInts array = device.allocateInts(100);
    Stream stream = device.stream();
    stream.fill(array, 1);
    Event event = stream.record();
    stream.close();
    event.await();
    assertThat(event.isDone()).isTrue();
    opened.settle();
    event.await();
    try (Stream other = device.stream()) {
      other.waitFor(event);
      other.await();
    }
    array.close();
  }

  @Test
  void askingUntilAnEventIsDoneComesToAnEnd() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(100_000)) {
      stream.fill(array, 1);
      Event event = stream.record();
      long deadline = System.nanoTime() + 20_000_000_000L;
      while (!event.isDone()) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void timedEventsTellHowLongWorkTook() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(1_000_000);
        TimedEvent begin = stream.recordTimed();
        TimedEvent middle = fillAndRecord(stream, array);
        TimedEvent end = fillAndRecord(stream, array)) {
      end.await();
      double first = begin.nanosTo(middle);
      double second = middle.nanosTo(end);
      assertThat(first).isPositive();
      assertThat(second).isPositive();
      assertThat(begin.nanosTo(end)).isCloseTo(first + second, within());
      assertThat(end.nanosTo(begin)).isNegative();
      assertThat(begin.nanosTo(begin)).isZero();
      assertThat(begin.elapsedTo(end)).isPositive();
    }
  }

  /** CUDA's clock of events ticks about every half microsecond. */
  private static org.assertj.core.data.Offset<Double> within() {
    return org.assertj.core.data.Offset.offset(2_000.0);
  }

  private static TimedEvent fillAndRecord(Stream stream, GlobalInts array) {
    stream.fill(array, 1);
    return stream.recordTimed();
  }

  @Test
  void timedEventsGrowMonotonouslyAlongAStream() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(100_000)) {
      List<TimedEvent> events = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        events.add(fillAndRecord(stream, array));
        if (i == 10) {
          stream.then(() -> {});
        }
      }
      stream.await();
      for (int i = 1; i < events.size(); i++) {
        assertThat(events.get(i - 1).nanosTo(events.get(i))).isNotNegative();
      }
      events.forEach(TimedEvent::close);
    }
  }

  @Test
  void askingForTheTimeOfAnEventThatIsStillToHappenIsRefused() {
    try (Stream stream = device.stream();
        TimedEvent begin = stream.recordTimed()) {
      begin.await();
      try (Gate gate = gate(stream);
          TimedEvent end = stream.recordTimed()) {
        if (gate.isShut()) {
          assertThatThrownBy(() -> begin.nanosTo(end))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("has not happened yet");
        }
        gate.open();
        end.await();
        assertThat(begin.nanosTo(end)).isNotNegative();
      }
    }
  }

  @Test
  void aClosedTimedEventIsRefusedAndStillTellsWhetherItIsDone() {
    try (Stream stream = device.stream();
        TimedEvent open = stream.recordTimed()) {
      TimedEvent closed = stream.recordTimed();
      closed.close();
      closed.close(); // no further effect
      closed.await();
      assertThat(closed.isDone()).isTrue();
      assertThatThrownBy(() -> open.nanosTo(closed)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> closed.nanosTo(open)).isInstanceOf(ClosedException.class);
    }
  }

  @Test
  void aTimedEventMayBeClosedWhileItIsHeldBack() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        GlobalInts array = device.allocateInts(100)) {
      try (Gate gate = gate(stream)) {
        TimedEvent event = stream.recordTimed();
        other.waitFor(event);
        event.close();
        assertThat(gate).isNotNull();
      }
      other.fill(array, 1);
      other.await();
      stream.await();
      assertThat(read(other, array)).startsWith(1);
    }
  }
}
