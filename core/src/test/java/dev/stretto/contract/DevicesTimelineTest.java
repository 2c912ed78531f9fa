package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.IpcArena;
import dev.stretto.IpcEvent;
import dev.stretto.Observer.Kind;
import dev.stretto.PeerAccess;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.driver.ValueCondition;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.ChromeTrace;
import dev.stretto.timeline.Concurrency;
import dev.stretto.timeline.Engine;
import dev.stretto.timeline.HtmlTimeline;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One timeline of several devices, and what streams wait for in it. */
class DevicesTimelineTest extends ContractTest {
  private static final int BYTES = 1 << 20;

  private Device other;
  private boolean own;
  private Stream here;
  private Stream there;

  @Override
  Machine machine() {
    if (!machine.isVirtual()) {
      return machine;
    }
    return new Machine(
        machine.isSeeded()
            ? machine.name().replace("h200", "h200x2")
            : "virtual:h200x2" + (machine.isRealTime() ? "+real-time" : ""));
  }

  /** The second device, which is the first opened once more where there is only one GPU. */
  @BeforeEach
  void openTheOther() {
    own = opened.devices().size() == 1;
    String second = Device.all().size() > 2 ? "cuda:1" : machine.name();
    other = own ? Device.open(second) : opened.devices().get(1);
    here = device.stream("here");
    there = other.stream();
  }

  @AfterEach
  void closeTheOther() {
    here.close();
    there.close();
    if (own) {
      other.close();
    }
  }

  private boolean areTwo() {
    return !other.name().equals(device.name());
  }

  @Test
  void allDevicesShareATimeAxis() {
    try (PinnedArena pinned = device.pinnedArena();
        GlobalBytes a = device.allocateBytes(BYTES);
        GlobalBytes b = other.allocateBytes(BYTES);
        Timeline timeline = Timeline.record(List.of(device, other))) {
      MemorySegment host = pinned.allocate(BYTES, 64);
      for (int round = 0; round < 20; round++) {
        here.copy(host, a);
        there.waitFor(here.record());
        there.copy(host, b);
        here.waitFor(there.record());
      }
      here.await();
      there.await();
      List<Span> spans = timeline.spans();
      assertThat(spans).hasSize(40);
      long open = timeline.clockUncertainty().toNanos();
      assertThat(open).isLessThan(Duration.ofMillis(5).toNanos());
      if (machine.isModelled()) {
        assertThat(open).isZero();
      }
      List<Span> inTurn =
          spans.stream().sorted(Comparator.comparingLong(Span::correlation)).toList();
      for (int i = 0; i < inTurn.size(); i++) {
        Span span = inTurn.get(i);
        assertThat(span.device()).isEqualTo(i % 2);
        assertThat(span.deviceName()).isEqualTo((i % 2 == 0 ? device : other).name());
        assertThat(span.enqueuedNanos()).isLessThanOrEqualTo(span.startNanos());
        // Events that are taken for those of a GPU still have the times of the model.
        if (i > 0 && !machine.isRealTime()) {
          assertThat(span.endNanos())
              .as("each copy waits for the one before, on the other device")
              .isGreaterThanOrEqualTo(inTurn.get(i - 1).endNanos() - open);
        }
      }
      assertThat(spans.stream().map(Span::stream).distinct()).containsExactlyInAnyOrder(1, 2);
      assertThat(spans.getFirst().startNanos()).isZero();
    }
  }

  @Test
  void theSpanOfAllIsWhatTheHostMeasures() {
    if (machine.isVirtual()) {
      return; // there are no clocks to compare
    }
    try (GlobalBytes a = device.allocateBytes(16);
        GlobalBytes b = other.allocateBytes(16);
        Timeline timeline = Timeline.record(device).add(other)) {
      here.fill(a, (byte) 1).await();
      here.await();
      long first = System.nanoTime();
      while (System.nanoTime() - first < 50_000_000) {
        Thread.onSpinWait();
      }
      long second = System.nanoTime();
      there.fill(b, (byte) 1);
      there.await();
      long third = System.nanoTime();
      List<Span> spans = timeline.spans();
      long apart = spans.get(1).endNanos() - spans.get(0).endNanos();
      long open = timeline.clockUncertainty().toNanos();
      assertThat(apart).isBetween(second - first - open, third - first + open + 5_000_000);
    }
  }

  @Test
  void picturesHaveAGroupForEachDevice() {
    try (GlobalBytes a = device.allocateBytes(BYTES);
        GlobalBytes b = other.allocateBytes(BYTES);
        Timeline timeline = Timeline.record(List.of(device, other))) {
      here.fill(a, (byte) 1);
      there.fill(b, (byte) 1);
      here.await();
      there.await();
      List<Span> spans = timeline.spans();
      List<String> lines = TextTimeline.draw(spans, 80).lines().map(String::strip).toList();
      assertThat(lines.get(0)).isEqualTo(device.name());
      assertThat(lines.get(1)).startsWith("here");
      assertThat(lines.get(2)).startsWith("kernels");
      assertThat(lines.get(3)).isEqualTo(other.name());
      assertThat(lines.get(4)).startsWith("stream ");
      StringBuilder html = new StringBuilder();
      try (HtmlTimeline page = new HtmlTimeline(html, "two", "")) {
        page.section("", spans);
      }
      assertThat(html).contains("\"devices\":[\"" + device.name() + "\",\"" + other.name() + "\"]");
      StringBuilder json = new StringBuilder();
      try (ChromeTrace trace = new ChromeTrace(json, List.of(device, other))) {
        trace.section("", spans);
      }
      if (areTwo()) {
        int pid = other.properties().ordinal();
        assertThat(json)
            .contains("{\"labels\":\"" + other.name() + "\"}")
            .contains("\"cat\":\"gpu_memset\",\"name\":\"Memset (Device)\",\"pid\":" + pid + ",");
      }
    }
  }

  @Test
  void aCopyBetweenDevicesIsShownWithBoth() {
    assumeTrue(areTwo(), "needs two devices");
    try (GlobalBytes a = device.allocateBytes(BYTES);
        GlobalBytes b = other.allocateBytes(BYTES);
        Timeline timeline = Timeline.record(List.of(device, other))) {
      here.fill(a, (byte) 1);
      here.copy(a, b);
      here.await();
      List<Span> spans = timeline.spans();
      Span copy = spans.stream().filter(span -> span.kind() == Kind.PEER).toList().getFirst();
      assertThat(copy.from()).isEqualTo(device.name());
      assertThat(copy.to()).isEqualTo(other.name());
      assertThat(copy.device()).isZero();
      assertThat(copy.bytes()).isEqualTo(BYTES);
      assertThat(copy.engine()).isEqualTo(Engine.PEER);
      String picture = TextTimeline.draw(spans, 80);
      assertThat(picture.lines().filter(line -> line.startsWith("peer link"))).hasSize(2);
      assertThat(picture).contains(other.name()).contains("x");
      assertThat(TextTimeline.legend(spans)).contains("x copy between devices");
      Map<String, Double> busy =
          Concurrency.of(spans).engines().stream()
              .filter(use -> use.engine() == Engine.PEER)
              .collect(
                  Collectors.toMap(
                      Concurrency.EngineUse::deviceName, Concurrency.EngineUse::busySeconds));
      assertThat(busy).containsOnlyKeys(device.name(), other.name());
      assertThat(busy.get(other.name())).isEqualTo(copy.nanos() / 1e9);
      StringBuilder json = new StringBuilder();
      try (ChromeTrace trace = new ChromeTrace(json, List.of(device, other))) {
        trace.section("", spans);
      }
      for (Device each : List.of(device, other)) {
        assertThat(json)
            .contains(
                "\"cat\":\"engine\",\"name\":\"Memcpy PtoP (Device -> Device)\",\"pid\":"
                    + each.properties().ordinal()
                    + ",");
      }
    }
  }

  @Test
  void aCopyBetweenDevicesInAGraphToo() {
    assumeTrue(areTwo() && device.canAccess(other), "needs two devices that reach each other");
    try (PeerAccess _ = device.enablePeerAccess(other);
        GlobalBytes a = device.allocateBytes(BYTES);
        GlobalBytes b = other.allocateBytes(BYTES)) {
      here.fill(a, (byte) 3).await();
      GraphBuilder builder = Graph.builder(device);
      builder.copy(a, b);
      try (Graph graph = builder.build();
          Timeline timeline = Timeline.record(List.of(device, other)).insideGraphs()) {
        graph.launch(here);
        here.await();
        assertThat(timeline.spans())
            .filteredOn(Span::isNode)
            .singleElement()
            .satisfies(
                node -> {
                  assertThat(node.kind()).isEqualTo(Kind.PEER);
                  assertThat(node.from()).isEqualTo(device.name());
                  assertThat(node.to()).isEqualTo(other.name());
                });
      }
      assertThat(read(there, b)).containsOnly((byte) 3);
    }
  }

  @Test
  void aDeviceIsAddedLater() {
    try (GlobalBytes a = device.allocateBytes(BYTES);
        GlobalBytes b = other.allocateBytes(BYTES);
        Timeline timeline = Timeline.record(device)) {
      there.fill(b, (byte) 1).await();
      here.fill(a, (byte) 1);
      here.await();
      assertThat(timeline.spans()).extracting(Span::device).containsExactly(0);
      timeline.add(other);
      there.fill(b, (byte) 1);
      there.await();
      assertThat(timeline.spans()).extracting(Span::device).containsExactly(0, 1);
      assertThatThrownBy(() -> timeline.add(other))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("already being observed");
      timeline.close();
      assertThatThrownBy(() -> timeline.add(other))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
      there.fill(b, (byte) 1);
      there.await();
      assertThat(timeline.spans()).hasSize(2);
      assertThat(timeline.leftOut()).isZero();
    }
  }

  @Test
  void devicesWhoseClocksCannotBeComparedAreRefused() {
    try (Device stranger = Device.open("virtual")) {
      if (machine.isRealTime()) {
        return;
      }
      assertThatThrownBy(() -> Timeline.record(List.of(device, stranger)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(stranger.name())
          .hasMessageContaining("another driver");
      Timeline.record(device).close(); // it is not observed any more
      Timeline.record(stranger).close();
    }
    assertThatThrownBy(() -> Timeline.record(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no devices");
  }

  @Test
  void numbersThatStreamsWriteAndWaitForAreSpans() {
    try (Stream second = device.stream();
        GlobalInts flag = device.allocateSignals(1);
        GlobalBytes data = device.allocateBytes(BYTES)) {
      here.fill(flag, 0).await();
      try (Timeline timeline = Timeline.record(device)) {
        second.waitValue(flag, 0, 1, ValueCondition.AT_LEAST);
        here.fill(data, (byte) 1);
        here.writeValue(flag, 0, 1);
        here.await();
        second.await();
        List<Span> spans = timeline.spans();
        assertThat(spans)
            .extracting(Span::kind)
            .containsExactlyInAnyOrder(Kind.WAIT_VALUE, Kind.FILL, Kind.WRITE_VALUE);
        Map<Kind, Span> byKind = spans.stream().collect(Collectors.toMap(Span::kind, span -> span));
        Span wait = byKind.get(Kind.WAIT_VALUE);
        assertThat(wait.engine()).isEqualTo(Engine.NONE);
        if (machine.isModelled()) {
          assertThat(wait.endNanos())
              .isGreaterThanOrEqualTo(byKind.get(Kind.WRITE_VALUE).startNanos());
        }
        assertThat(wait.endNanos()).isGreaterThanOrEqualTo(byKind.get(Kind.FILL).endNanos() - 1000);
        assertThat(TextTimeline.draw(spans, 80)).contains("...").contains("^");
        assertThat(Concurrency.of(spans).pairs()).isEmpty();
      }
    }
  }

  @Test
  void waitsForOtherProcessesAreSpans() {
    try (IpcArena arena = device.ipcArena();
        Timeline timeline = Timeline.record(device)) {
      IpcEvent event = arena.event();
      here.waitFor(event); // was never recorded: nothing to wait for
      assertThat(here.record(event)).isEqualTo(1);
      try (Stream second = device.stream()) {
        second.waitFor(event, 1);
        second.await();
        here.await();
      }
      assertThat(timeline.spans()).extracting(Span::kind).containsExactly(Kind.WAIT_EVENT);
    }
  }
}
