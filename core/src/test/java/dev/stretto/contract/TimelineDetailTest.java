package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Route;
import dev.stretto.timeline.Detail;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a timeline tells of an operation beside its times, on every driver. */
class TimelineDetailTest extends ContractTest {
  private static String here(int linesBelow) {
    StackTraceElement caller = new Throwable().getStackTrace()[1];
    return "%s.%s(%s:%d)"
        .formatted(
            caller.getClassName(),
            caller.getMethodName(),
            caller.getFileName(),
            caller.getLineNumber() + linesBelow);
  }

  private static List<Detail> details(Timeline timeline) {
    return timeline.spans().stream().map(Span::detail).toList();
  }

  @Test
  void eachOperationHasTheLineThatEnqueuedIt() {
    try (Workbench bench = new Workbench(opened.devices());
        Timeline timeline = Timeline.record(device).withLines()) {
      List<String> lines = new ArrayList<>();
      lines.add(here(1));
      bench.a.copy(bench.in, bench.x);
      lines.add(here(1));
      bench.a.fill(bench.x, 7);
      lines.add(here(1));
      bench.a.launch(bench.add);
      lines.add(here(1));
      bench.a.copy(bench.x, bench.out);
      bench.a.await();
      assertThat(details(timeline))
          .extracting(detail -> detail.place().replaceFirst("^[^/]*/+", ""))
          .isEqualTo(lines);
    }
  }

  @Test
  void linesAreLookedForOnDemandOnly() {
    try (Workbench bench = new Workbench(opened.devices());
        Timeline timeline = Timeline.record(device)) {
      bench.a.copy(bench.in, bench.x);
      bench.a.await();
      assertThat(details(timeline)).extracting(Detail::place).containsExactly("");
    }
  }

  @Test
  void copiesHaveTheRouteThatTheCopyItselfTells() {
    byte[] heap = new byte[4 * Workbench.N];
    try (Workbench bench = new Workbench(opened.devices());
        Timeline timeline = Timeline.record(device)) {
      List<String> routes = new ArrayList<>();
      routes.add(bench.a.copy(bench.in, bench.x).route().kind().name());
      routes.add(bench.a.copy(MemorySegment.ofArray(heap), bench.x).route().kind().name());
      routes.add(bench.a.copy(bench.x.slice(0, 9), bench.x.slice(9, 9)).route().kind().name());
      routes.add(bench.a.copy(bench.x, bench.out).route().kind().name());
      bench.a.await();
      assertThat(details(timeline)).extracting(Detail::route).isEqualTo(routes);
      assertThat(routes)
          .startsWith(Route.Kind.DIRECT.name())
          .contains(Route.Kind.LOCAL.name())
          .endsWith(Route.Kind.DIRECT.name());
    }
  }

  @Test
  void launchesHaveTheirShapeAndTheKernelsRegisters() {
    try (Workbench bench = new Workbench(opened.devices());
        Timeline timeline = Timeline.record(device)) {
      bench.a.launch(bench.add);
      bench.a.await();
      Launch launch = bench.add;
      Grid grid = launch.grid();
      Detail detail = details(timeline).getFirst();
      assertThat(detail.shape().orElseThrow().gridX()).isEqualTo(grid.blocksX());
      assertThat(detail.shape().orElseThrow().blockX()).isEqualTo(grid.threadsX());
      assertThat(detail.function()).contains(launch.properties());
      assertThat(detail.sharedBytes())
          .isEqualTo(grid.sharedBytes() + launch.properties().sharedBytes());
      assertThat(detail.launch())
          .startsWith(
              "%d x 1 x 1 blocks of %d x 1 x 1 threads".formatted(grid.blocksX(), grid.threadsX()))
          .contains(launch.properties().registers() + " registers");
    }
  }
}
