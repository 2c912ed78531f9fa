package dev.stretto.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.Observer.Kind;
import dev.stretto.PinnedArena;
import dev.stretto.Registration;
import dev.stretto.Stream;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TimelineTest {
  private static final int BYTES = 1 << 20;

  private VirtualDriver driver;
  private Device device;
  private Stream stream;
  private PinnedArena pinned;
  private MemorySegment host;
  private GlobalBytes array;

  @BeforeEach
  void open() {
    open("h200");
  }

  private void open(String words) {
    driver = new VirtualDriver(VirtualConfig.parse(words));
    device = Device.openAll(driver).getFirst();
    stream = device.stream();
    pinned = device.pinnedArena();
    host = pinned.allocate(BYTES);
    array = device.allocateBytes(BYTES);
  }

  @AfterEach
  void close() {
    device.close();
  }

  private int events() {
    return driver.live(0).events();
  }

  @Test
  void recordsEveryOperationWithItsTimes() {
    try (Timeline timeline = Timeline.record(device)) {
      stream.copy(host, array);
      stream.fill(array, (byte) 1);
      stream.copy(array.slice(0, 100), array.slice(100, 100));
      stream.copy(array, host).await();
      List<Span> spans = timeline.spans();
      assertThat(spans)
          .extracting(Span::kind)
          .containsExactly(
              Kind.HOST_TO_DEVICE, Kind.FILL, Kind.DEVICE_TO_DEVICE, Kind.DEVICE_TO_HOST);
      assertThat(spans).extracting(Span::correlation).containsExactly(1L, 2L, 3L, 4L);
      assertThat(spans).allMatch(span -> span.stream() == 1 && span.nanos() > 0);
      Span copy = spans.getFirst();
      assertThat(copy.startNanos()).isZero();
      assertThat(copy.bytes()).isEqualTo(BYTES);
      assertThat(copy.pinned()).isTrue();
      assertThat(copy.name()).isEqualTo("Memcpy HtoD (Pinned -> Device)");
      assertThat(copy.bytesPerSecond()).isBetween(30e9, 60e9);
      assertThat(timeline.leftOut()).isZero();
      assertThat(timeline.running()).isZero();
    }
  }

  @Test
  void aLaunchOfAGraphIsOneSpan() {
    try (Graph graph =
            Graph.capture(
                stream,
                () -> {
                  stream.copy(host, array);
                  stream.fill(array, (byte) 1);
                  stream.copy(array, host);
                });
        Timeline timeline = Timeline.record(device)) {
      graph.launch(stream);
      stream.fill(array, (byte) 2);
      graph.launch(stream).await();
      List<Span> spans = timeline.spans();
      assertThat(spans).extracting(Span::kind).containsExactly(Kind.GRAPH, Kind.FILL, Kind.GRAPH);
      Span launch = spans.getLast();
      assertThat(launch.name()).isEqualTo("graph of 3 nodes");
      assertThat(launch.engine()).isEqualTo(Engine.KERNELS);
      // Two copies over the link, one after the other.
      assertThat(launch.nanos()).isGreaterThan((long) (2 * BYTES / 60.0));
      assertThat(launch.startNanos()).isGreaterThanOrEqualTo(spans.get(1).endNanos());
      assertThat(timeline.leftOut()).isZero();
    }
  }

  @Test
  void aLaunchOfAGraphThatIsRefusedLeavesNoEvents() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = arena.allocate(4096, 4096);
      Registration registration = device.register(memory, arena);
      GlobalBytes part = array.slice(0, 4096);
      try (Graph graph = Graph.capture(stream, () -> stream.copy(memory, part)).instantiate();
          Timeline timeline = Timeline.record(device)) {
        registration.close();
        for (int i = 0; i < 200; i++) {
          assertThatThrownBy(() -> graph.launch(stream)).isInstanceOf(ClosedException.class);
          stream.await();
        }
        assertThat(events()).as("no more than the stream's own marks").isLessThan(100);
        assertThat(timeline.spans()).isEmpty();
      }
    }
  }

  @Test
  void copiesOfTwoStreamsTakeTurnsOnTheirEngine() {
    try (Timeline timeline = Timeline.record(device);
        Stream second = device.stream();
        GlobalBytes other = device.allocateBytes(BYTES)) {
      MemorySegment otherHost = pinned.allocate(BYTES);
      stream.copy(host, array);
      second.copy(otherHost, other);
      device.await();
      List<Span> spans = timeline.spans();
      assertThat(spans).hasSize(2);
      assertThat(spans.get(1).startNanos()).isGreaterThanOrEqualTo(spans.get(0).endNanos());
      assertThat(spans).extracting(Span::streamName).containsExactly("stream 1", "stream 2");
    }
  }

  @Test
  void isTheSameOnEveryRunOfAVirtualDevice() {
    List<Span> first = recordSomething();
    device.close();
    open("h200");
    assertThat(recordSomething()).isEqualTo(first);
  }

  private List<Span> recordSomething() {
    try (Timeline timeline = Timeline.record(device)) {
      for (int i = 0; i < 20; i++) {
        stream.copy(host, array);
        stream.copy(array, host).await();
      }
      return timeline.spans();
    }
  }

  @Test
  void doesNotMoveTheModelledTimeOfWhoeverEnqueues() {
    recordSomething();
    device.await();
    long before = device.hostClock().now();
    try (Timeline timeline = Timeline.record(device)) {
      stream.copy(host, array);
      stream.copy(array, host);
      long enqueued = device.hostClock().now() - before;
      assertThat(enqueued).isLessThan(20_000); // and not the time that the copies take
      assertThat(timeline.spans()).hasSizeLessThanOrEqualTo(2);
      assertThat(device.hostClock().now() - before).isEqualTo(enqueued);
    }
  }

  @Test
  void givesEventsBackAsItGoes() {
    int before = events();
    try (Timeline timeline = Timeline.record(device)) {
      for (int i = 0; i < 2000; i++) {
        stream.copy(host, array).await();
        assertThat(events()).isLessThan(before + 100);
      }
      assertThat(timeline.spans()).hasSize(2000);
    }
    assertThat(events()).isLessThan(before + 100);
  }

  @Test
  void holdsAHundredThousandOperations() {
    int operations = 100_000;
    try (Timeline timeline = Timeline.record(device)) {
      GlobalBytes small = array.slice(0, 16);
      for (int i = 0; i < operations; i++) {
        stream.fill(small, (byte) i);
      }
      stream.await();
      List<Span> spans = timeline.spans();
      assertThat(spans).hasSize(operations);
      assertThat(timeline.leftOut()).isZero();
      for (int i = 1; i < operations; i++) {
        assertThat(spans.get(i).startNanos()).isGreaterThanOrEqualTo(spans.get(i - 1).endNanos());
      }
    }
  }

  @Test
  void saysHowManyItLeftOut() {
    try (Timeline timeline = Timeline.record(device, 3)) {
      for (int i = 0; i < 10; i++) {
        stream.fill(array, (byte) i);
      }
      stream.await();
      assertThat(timeline.spans()).extracting(Span::correlation).containsExactly(1L, 2L, 3L);
      assertThat(timeline.leftOut()).isEqualTo(7);
    }
  }

  @Test
  void leavesOutWhatIsNotDoneWhenItIsClosed() {
    device.close();
    open("h200,seed=1"); // nothing happens before somebody waits
    Timeline timeline = Timeline.record(device);
    stream.copy(host, array);
    stream.await();
    stream.copy(array, host);
    assertThat(timeline.running()).isEqualTo(1);
    timeline.close();
    assertThat(timeline.leftOut()).isEqualTo(1);
    stream.await();
    assertThat(timeline.spans()).hasSize(1);
  }

  @Test
  void endsWithItsClosing() {
    Timeline timeline = Timeline.record(device);
    stream.copy(host, array).await();
    timeline.close();
    timeline.close();
    stream.copy(host, array).await();
    assertThat(timeline.spans()).hasSize(1);
    assertThat(timeline.leftOut()).isZero();
  }

  @Test
  void aDeviceHasOneTimelineAtATime() {
    try (Timeline timeline = Timeline.record(device)) {
      assertThatThrownBy(() -> Timeline.record(device))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("already being observed");
      assertThat(timeline.spans()).isEmpty();
    }
    Timeline.record(device).close();
  }

  @Test
  void aDeviceThatIsClosedMeanwhileTakesNobodyDown() {
    Timeline timeline = Timeline.record(device);
    stream.copy(host, array);
    stream.copy(array, host);
    device.close();
    timeline.close();
    assertThat(timeline.spans().size() + timeline.leftOut()).isEqualTo(2);
    open();
  }

  @Test
  void refusesToKeepNothing() {
    assertThatThrownBy(() -> Timeline.record(device, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 operations");
  }
}
