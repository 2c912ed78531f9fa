package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.timeline.Arrow;
import dev.stretto.timeline.Content;
import dev.stretto.timeline.HostSpan;
import dev.stretto.timeline.HostSpan.Kind;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.Timeline;
import dev.stretto.timeline.Trace;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a timeline tells of the program's threads, and of events, on every driver. */
class TimelineContentTest extends ContractTest {
  private static final long MARK_NANOS = 50_000;

  private static List<HostSpan> of(Content content, Kind kind) {
    return content.host().stream().filter(span -> span.kind() == kind).toList();
  }

  private static boolean lies(HostSpan inner, HostSpan outer) {
    return inner.startNanos() >= outer.startNanos() && inner.endNanos() <= outer.endNanos();
  }

  @Test
  void waitsLastUntilWhatTheyAwaitIsDone() {
    try (Workbench bench = new Workbench(opened.devices());
        Timeline timeline = Timeline.record(device).withLines()) {
      bench.busy(bench.a);
      bench.a.await();
      Content content = timeline.content();
      List<HostSpan> waits = of(content, Kind.WAIT);
      assertThat(waits).hasSize(1);
      HostSpan wait = waits.getFirst();
      long end = content.spans().stream().mapToLong(Span::endNanos).max().orElseThrow();
      assertThat(wait.nanos()).isPositive();
      long enqueued = content.spans().stream().mapToLong(Span::enqueuedNanos).max().orElseThrow();
      assertThat(wait.startNanos()).isGreaterThanOrEqualTo(enqueued);
      // The mark of an operation's end comes behind the operation, which is what is awaited; and
      // how
      // the clocks of the host and a GPU are related is known to some tens of microseconds.
      long apart = device.isVirtual() ? MARK_NANOS : 4 * MARK_NANOS;
      assertThat(wait.endNanos()).isGreaterThan(end - apart);
      assertThat(wait.thread()).isEqualTo(Thread.currentThread().threadId());
      assertThat(wait.place()).contains("TimelineContentTest.waitsLast");
      assertThat(wait.deviceName()).isEqualTo(device.name());
    }
  }

  @Test
  void pinningAllocatingAndLoadingAreToldOnce() {
    try (Workbench bench = new Workbench(opened.devices());
        GlobalFloats floats = device.allocateFloats(32);
        Timeline timeline = Timeline.record(device);
        Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena()) {
      var _ = arena.allocate(12 << 20);
      bench.device.allocateInts(1000).close();
      for (int i = 0; i < 2; i++) {
        stream.launch(Grid.of(1, 32), MethodKernels::saxpy, 3f, floats, floats, 32);
      }
      stream.await();
      Content content = timeline.content();
      assertThat(of(content, Kind.PINNING)).extracting(HostSpan::bytes).containsExactly(12L << 20);
      assertThat(of(content, Kind.ALLOCATION)).extracting(HostSpan::bytes).containsExactly(4000L);
      assertThat(of(content, Kind.KERNEL_LOADING)).hasSize(1);
      assertThat(of(content, Kind.KERNEL_LOADING).getFirst().name()).contains("saxpy");
      assertThat(of(content, Kind.WAIT)).allMatch(wait -> wait.frames().isEmpty());
    }
  }

  @Test
  void aRangeHasWhatHappensInIt() {
    try (Workbench bench = new Workbench(opened.devices());
        Timeline timeline = Timeline.record(device)) {
      try (Trace.Range _ = Trace.range("outer")) {
        try (Trace.Range twice = Trace.range("inner")) {
          bench.busy(bench.a);
          bench.a.await();
          twice.close();
        }
        bench.a.fill(bench.x, 1);
        bench.a.await();
      }
      Content content = timeline.content();
      List<HostSpan> ranges = of(content, Kind.RANGE);
      assertThat(ranges).extracting(HostSpan::name).containsExactly("outer", "inner");
      List<HostSpan> waits = of(content, Kind.WAIT);
      assertThat(waits).hasSize(2);
      assertThat(waits).allMatch(wait -> lies(wait, ranges.getFirst()));
      assertThat(lies(waits.getFirst(), ranges.getLast())).isTrue();
      assertThat(lies(waits.getLast(), ranges.getLast())).isFalse();
      assertThat(lies(ranges.getLast(), ranges.getFirst())).isTrue();
    }
  }

  @Test
  void rangesOutsideOfTheRecordingAreNotTold() {
    Trace.Range before = Trace.range("before");
    try (Timeline timeline = Timeline.record(device)) {
      before.close();
      Trace.Range open = Trace.range("still open");
      assertThat(timeline.content().host()).isEmpty();
      timeline.close();
      open.close();
      assertThat(timeline.content().host()).isEmpty();
    }
  }

  @Test
  void anArrowLeadsFromTheLastAwaitedOperationToTheFirstThatWaits() {
    try (Workbench bench = new Workbench(opened.devices());
        Timeline timeline = Timeline.record(device)) {
      bench.a.fill(bench.x, 1); // 1
      bench.a.copy(bench.in, bench.x); // 2
      Event copied = bench.a.record();
      bench.a.fill(bench.y, 2); // 3
      bench.b.fill(bench.y, 3); // 4
      bench.b.waitFor(copied);
      bench.b.copy(bench.x, bench.out); // 5
      bench.b.fill(bench.x, 4); // 6
      bench.a.waitFor(copied); // its own
      bench.a.fill(bench.y, 5); // 7
      bench.awaitAll();
      Content content = timeline.content();
      assertThat(content.arrows()).containsExactly(new Arrow(2, 5));
      assertThat(content.missing()).isZero();
      Span from = span(content, 2);
      Span to = span(content, 5);
      assertThat(to.startNanos()).isGreaterThanOrEqualTo(from.startNanos());
      assertThat(to.endNanos()).isGreaterThan(from.endNanos());
    }
  }

  private static Span span(Content content, long number) {
    return content.spans().stream()
        .filter(span -> span.correlation() == number)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatIsMissingIsCounted() {
    try (Workbench bench = new Workbench(opened.devices());
        Timeline timeline = Timeline.record(device, 2)) {
      for (int i = 0; i < 5; i++) {
        bench.a.fill(bench.x, i);
      }
      bench.a.await();
      assertThat(timeline.content().spans()).hasSize(2);
      assertThat(timeline.content().missing()).isEqualTo(3);
    }
  }
}
