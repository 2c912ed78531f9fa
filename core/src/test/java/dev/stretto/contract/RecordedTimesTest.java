package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.stretto.Event;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** When the operations of a timeline ran, whether or not each of them has events of its own. */
class RecordedTimesTest extends ContractTest {
  private static final int BYTES = 4096;

  @Test
  void operationsOfAStreamFollowEachOther() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(BYTES);
        Timeline timeline = Timeline.record(device)) {
      for (int i = 0; i < 500; i++) {
        stream.fill(array, (byte) i);
      }
      stream.await();
      List<Span> spans = timeline.spans();
      assertThat(spans).hasSize(500);
      assertThat(spans).extracting(Span::correlation).isSorted();
      for (int i = 0; i < spans.size(); i++) {
        Span span = spans.get(i);
        assertThat(span.startNanos()).isGreaterThanOrEqualTo(span.enqueuedNanos());
        assertThat(span.endNanos()).isGreaterThanOrEqualTo(span.startNanos());
        if (i > 0) {
          assertThat(span.startNanos()).isGreaterThanOrEqualTo(spans.get(i - 1).endNanos());
        }
      }
    }
  }

  @Test
  void anOperationAfterAPauseBeginsAfterIt() throws InterruptedException {
    assumeFalse(machine.isVirtual(), "the time of a model does not pass by itself");
    Duration pause = Duration.ofMillis(5);
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(BYTES);
        Timeline timeline = Timeline.record(device)) {
      for (int i = 0; i < 20; i++) {
        stream.fill(array, (byte) i); // nobody asks whether it is done
        Thread.sleep(pause);
      }
      stream.await();
      List<Span> spans = timeline.spans();
      for (int i = 1; i < spans.size(); i++) {
        long gap = spans.get(i).startNanos() - spans.get(i - 1).endNanos();
        assertThat(gap).isGreaterThan(pause.toNanos() / 2);
      }
    }
  }

  @Test
  void aCopyAfterAPauseBeginsAfterIt() throws InterruptedException {
    assumeFalse(machine.isVirtual(), "the time of a model does not pass by itself");
    Duration pause = Duration.ofMillis(5);
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(BYTES);
        Timeline timeline = Timeline.record(device)) {
      MemorySegment host = arena.allocate(BYTES);
      for (int i = 0; i < 20; i++) {
        if (i % 2 == 0) {
          stream.copy(host, array);
        } else {
          stream.copy(array, host);
        }
        stream.record().await();
        Thread.sleep(pause);
      }
      List<Span> spans = timeline.spans();
      assertThat(spans).hasSize(20);
      for (int i = 1; i < spans.size(); i++) {
        long gap = spans.get(i).startNanos() - spans.get(i - 1).endNanos();
        assertThat(gap).isGreaterThan(pause.toNanos() / 2);
        assertThat(spans.get(i).endNanos()).isGreaterThanOrEqualTo(spans.get(i).startNanos());
      }
    }
  }

  @Test
  void aCopyBehindAWaitBeginsAfterIt() {
    try (Stream first = device.stream("first");
        Stream second = device.stream("second");
        PinnedArena arena = device.pinnedArena();
        GlobalBytes large = device.allocateBytes(64 << 20);
        GlobalBytes array = device.allocateBytes(BYTES);
        Timeline timeline = Timeline.record(device)) {
      MemorySegment host = arena.allocate(BYTES);
      for (int i = 0; i < 10; i++) {
        second.copy(host, array).await();
        first.fill(large, (byte) i);
        second.waitFor(first.record());
        second.copy(array, host).await();
      }
      device.await();
      List<Span> spans = timeline.spans();
      assertThat(spans).hasSize(30);
      List<Span> filled = spans.stream().filter(span -> span.streamName().equals("first")).toList();
      List<Span> copied =
          spans.stream().filter(span -> span.streamName().equals("second")).toList();
      for (int i = 0; i < 10; i++) {
        assertThat(copied.get(2 * i + 1).startNanos())
            .isGreaterThanOrEqualTo(filled.get(i).endNanos());
      }
    }
  }

  @Test
  void anOperationBehindAWaitBeginsAfterIt() {
    try (Stream first = device.stream("first");
        Stream second = device.stream("second");
        GlobalBytes large = device.allocateBytes(64 << 20);
        GlobalBytes array = device.allocateBytes(BYTES);
        Timeline timeline = Timeline.record(device)) {
      for (int i = 0; i < 10; i++) {
        second.fill(array, (byte) 1);
        first.fill(large, (byte) i);
        Event done = first.record();
        second.waitFor(done);
        second.fill(array, (byte) 2);
      }
      device.await();
      List<Span> spans = timeline.spans();
      assertThat(spans).hasSize(30);
      List<Span> filled = spans.stream().filter(span -> span.streamName().equals("first")).toList();
      List<Span> small = spans.stream().filter(span -> span.streamName().equals("second")).toList();
      for (int i = 0; i < 10; i++) {
        assertThat(small.get(2 * i + 1).startNanos())
            .isGreaterThanOrEqualTo(filled.get(i).endNanos());
      }
    }
  }

  @Test
  void aLongRecordingNeedsFewEvents() {
    int operations = 20_000;
    int before = machine.isVirtual() ? opened.live().events() : 0;
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(BYTES);
        Timeline timeline = Timeline.record(device)) {
      for (int i = 0; i < operations; i++) {
        stream.fill(array, (byte) i);
        if (i % 500 == 499) {
          stream.await();
        }
      }
      assertThat(timeline.spans()).hasSize(operations);
      assertThat(timeline.leftOut()).isZero();
      if (machine.isVirtual()) {
        assertThat(opened.live().events() - before).isLessThan(operations / 2);
      }
    }
  }

  @Test
  void severalThreadsThatEnqueueOnOneStreamAreAllRecorded() throws InterruptedException {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(BYTES);
        Timeline timeline = Timeline.record(device)) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        byte value = (byte) i;
        threads.add(
            new Thread(
                () -> {
                  for (int round = 0; round < 100; round++) {
                    stream.fill(array, value);
                  }
                }));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      stream.await();
      assertThat(timeline.spans()).hasSize(400);
    }
  }

  @Test
  void theThreadThatReadsEndsWithTheTimeline() {
    assumeFalse(device.hostClock().isModelled(), "there is none");
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(BYTES)) {
      Set<Thread> before = readers();
      Set<Thread> own;
      try (Timeline timeline = Timeline.record(device)) {
        stream.fill(array, (byte) 1).await();
        assertThat(timeline.spans()).hasSize(1);
        own = readers();
        own.removeAll(before);
        assertThat(own).isNotEmpty();
      }
      eventually("the thread has ended", () -> own.stream().noneMatch(Thread::isAlive));
    }
  }

  private static Set<Thread> readers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("stretto-timeline"))
        .collect(Collectors.toSet());
  }
}
