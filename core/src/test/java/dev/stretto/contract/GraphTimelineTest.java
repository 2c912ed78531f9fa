package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphEvent;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Observer.Kind;
import dev.stretto.Stream;
import dev.stretto.driver.DriverException;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.Overlap;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a timeline shows of the inside of graphs, whose work is done once all the same. */
class GraphTimelineTest extends ContractTest {
  private static final Grid ONE = Grid.of(1, 32);
  private static final int COUNT = 1 << 16;

  private Stream stream;
  private GlobalInts cells;

  @BeforeEach
  void allocate() {
    stream = device.stream();
    cells = device.allocateInts(16);
    stream.fill(cells, 0).await();
  }

  @AfterEach
  void closeAll() {
    stream.close();
  }

  private Launch add(int cell, int value) {
    return device.prepare(ONE, GraphKernels::add, cells.slice(cell, 1), value);
  }

  private int[] values() {
    int[] values = new int[16];
    stream.copy(cells, values).await();
    return values;
  }

  private static List<Span> nodes(List<Span> spans, long correlation) {
    return spans.stream()
        .filter(span -> span.isNode() && span.correlation() == correlation)
        .sorted(Comparator.comparingInt(Span::node))
        .toList();
  }

  private static List<Span> launches(List<Span> spans) {
    return spans.stream().filter(span -> span.kind() == Kind.GRAPH && !span.isNode()).toList();
  }

  /** Each node lies in its launch, and begins when those before it are done. */
  private static void requireOrdered(Span launch, List<Span> nodes, Graph graph) {
    for (Span node : nodes) {
      assertThat(node.startNanos()).isBetween(launch.startNanos(), node.endNanos());
      assertThat(node.endNanos()).isLessThanOrEqualTo(launch.endNanos());
      assertThat(node.stream()).isEqualTo(launch.stream());
      for (GraphNode before : graph.nodes().get(node.node()).after()) {
        nodes.stream()
            .filter(other -> other.node() == before.index())
            .forEach(
                other ->
                    assertThat(node.startNanos())
                        .as("%s after %s", node, other)
                        .isGreaterThanOrEqualTo(other.endNanos()));
      }
    }
  }

  @Test
  void eachNodeIsASpanAndTheWorkIsDoneOnce() {
    MemorySegment host = device.pinnedArena().allocate(ValueLayout.JAVA_INT, COUNT);
    try (GlobalInts array = device.allocateInts(COUNT)) {
      GraphBuilder builder = Graph.builder(device);
      GraphNode in = builder.copy(host, array);
      GraphNode kernel = builder.launch(add(0, 1), in);
      GraphNode fill = builder.fill(array, 7, in);
      builder.copy(array, host, kernel, fill);
      try (Graph graph = builder.build();
          Timeline timeline = Timeline.record(device).insideGraphs()) {
        for (int i = 0; i < 3; i++) {
          graph.launch(stream);
        }
        stream.await();
        List<Span> spans = timeline.spans();
        List<Span> launches = launches(spans);
        assertThat(launches).hasSize(3);
        for (Span launch : launches) {
          assertThat(launch.name()).isEqualTo("graph of 4 nodes");
          List<Span> nodes = nodes(spans, launch.correlation());
          assertThat(nodes)
              .extracting(Span::kind)
              .containsExactly(Kind.HOST_TO_DEVICE, Kind.KERNEL, Kind.FILL, Kind.DEVICE_TO_HOST);
          assertThat(nodes).extracting(Span::node).containsExactly(0, 1, 2, 3);
          assertThat(nodes)
              .extracting(Span::bytes)
              .containsExactly(4L * COUNT, 0L, 4L * COUNT, 4L * COUNT);
          assertThat(nodes.get(0).name()).isEqualTo("Memcpy HtoD (Pinned -> Device)");
          assertThat(nodes.get(1).name()).contains("add");
          assertThat(nodes.get(3).nanos()).isPositive();
          requireOrdered(launch, nodes, graph);
        }
        assertThat(spans).hasSize(15);
        assertThat(timeline.leftOut()).isZero();
      }
    }
    assertThat(values()).startsWith(3);
    assertThat(host.getAtIndex(ValueLayout.JAVA_INT, COUNT - 1)).isEqualTo(7);
  }

  @Test
  void withoutBeingAskedForALaunchIsOneSpan() {
    try (Graph graph = Graph.capture(stream, () -> stream.fill(cells, 1));
        Timeline timeline = Timeline.record(device)) {
      graph.launch(stream);
      stream.await();
      assertThat(timeline.spans()).hasSize(1).noneMatch(Span::isNode);
      timeline.insideGraphs();
      graph.launch(stream);
      stream.await();
      assertThat(timeline.spans()).hasSize(3);
    }
  }

  @Test
  void changedNodesAreThoseOfTheLaunch() {
    GraphBuilder builder = Graph.builder(device);
    GraphNode fill = builder.fill(cells.slice(0, 4), 1);
    GraphNode kernel = builder.launch(add(8, 1), fill);
    try (Graph graph = builder.build();
        Timeline timeline = Timeline.record(device).insideGraphs()) {
      graph.launch(stream);
      graph.setFill(fill, cells.slice(4, 2), 5);
      graph.setArgument(kernel, 1, 10);
      graph.launch(stream);
      stream.await();
      assertThat(timeline.spans())
          .filteredOn(span -> span.kind() == Kind.FILL)
          .extracting(Span::bytes)
          .containsExactly(16L, 8L);
    }
    assertThat(values()).startsWith(1, 1, 1, 1, 5, 5, 0, 0, 11);
    try (Graph plain = Graph.capture(stream, () -> stream.launch(add(8, 1)))) {
      plain.launch(stream).await();
    }
    assertThat(values()[8]).isEqualTo(12);
  }

  @Test
  void changesAlsoReachLaunchesAfterTheTimeline() {
    GraphBuilder builder = Graph.builder(device);
    GraphNode kernel = builder.launch(add(0, 1));
    try (Graph graph = builder.build().instantiate()) {
      graph.launch(stream);
      try (Timeline timeline = Timeline.record(device).insideGraphs()) {
        graph.setArgument(kernel, 1, 10);
        graph.launch(stream);
        stream.await();
        assertThat(timeline.spans()).hasSize(2);
      }
      graph.launch(stream);
      graph.setArgument(kernel, 1, 100);
      graph.launch(stream);
      assertThat(values()).startsWith(121);
    }
  }

  @Test
  void launchesNeverOverlapThoughSomeAreTimed() {
    int rounds = machine.isVirtual() ? 20 : 500;
    try (Stream second = device.stream();
        Stream third = device.stream();
        Graph graph = Graph.capture(stream, () -> stream.launch(add(0, 1)))) {
      List<Stream> streams = List.of(stream, second, third);
      for (int i = 0; i < rounds; i++) {
        // The timeline's end takes no launch with it.
        try (Timeline timeline = Timeline.record(device).insideGraphs()) {
          graph.launch(streams.get(i % 3));
          assertThat(timeline.running()).isLessThanOrEqualTo(1);
        }
        graph.launch(streams.get((i + 1) % 3));
      }
      second.await();
      third.await();
      assertThat(values()).startsWith(2 * rounds);
    }
  }

  @Test
  void childrenAreTheirNodesAndChoicesAreOne() {
    try (Graph child =
        Graph.capture(
            stream,
            () -> {
              stream.launch(add(0, 1));
              stream.fill(cells.slice(1, 1), 3);
            })) {
      GraphBuilder builder = Graph.builder(device);
      GraphNode first = builder.launch(add(4, 1));
      GraphNode inner = builder.child(child, first);
      GraphNode branch =
          builder.whileNonZero(
              cells.slice(6, 1),
              body ->
                  body.launch(
                      device.prepare(
                          ONE, GraphKernels::addBelow, cells.slice(5, 1), 1, 4, cells.slice(6, 1))),
              inner);
      builder.join(inner, branch);
      builder.launch(add(4, 1), branch);
      try (Graph graph = builder.build();
          Timeline timeline = Timeline.record(device).insideGraphs()) {
        stream.fill(cells.slice(6, 1), 1);
        graph.launch(stream);
        stream.await();
        List<Span> spans = timeline.spans();
        Span launch = launches(spans).getFirst();
        List<Span> nodes = nodes(spans, launch.correlation());
        assertThat(nodes)
            .extracting(Span::kind)
            .containsExactly(Kind.KERNEL, Kind.KERNEL, Kind.FILL, Kind.GRAPH, Kind.KERNEL);
        assertThat(nodes).extracting(Span::node).containsExactly(0, 1, 1, 2, 4);
        assertThat(nodes.get(3).name()).isEqualTo("while: 1 nodes");
        requireOrdered(launch, nodes, graph);
        assertThat(TextTimeline.draw(spans, 100)).contains("branch 1").doesNotContain("branch 2");
      }
    }
    assertThat(values()).startsWith(1, 3, 0, 0, 2, 4, 0);
  }

  @Test
  void callbacksDivideALaunchAndAreNotShown() {
    List<String> called = Collections.synchronizedList(new ArrayList<>());
    try (Graph graph =
            Graph.capture(
                stream,
                () -> {
                  stream.launch(add(0, 1));
                  stream.then(() -> called.add("between"));
                  stream.launch(add(0, 10));
                });
        Timeline timeline = Timeline.record(device).insideGraphs()) {
      graph.launch(stream);
      graph.launch(stream);
      stream.await();
      List<Span> spans = timeline.spans();
      for (Span launch : launches(spans)) {
        List<Span> nodes = nodes(spans, launch.correlation());
        assertThat(nodes).extracting(Span::node).containsExactly(0, 2);
        requireOrdered(launch, nodes, graph);
        assertThat(nodes.get(1).startNanos()).isGreaterThanOrEqualTo(nodes.get(0).endNanos());
      }
      assertThat(called).hasSize(2);
    }
    assertThat(values()).startsWith(22);
  }

  @Test
  void recordsOfTheProgramStayAndWaitsAreShown() {
    try (GraphEvent event = GraphEvent.of(device);
        GraphEvent later = GraphEvent.of(device)) {
      GraphBuilder builder = Graph.builder(device);
      GraphNode first = builder.record(event);
      GraphNode wait = builder.waitFor(event, builder.launch(add(0, 1), first));
      builder.record(later, builder.launch(add(0, 1), wait));
      try (Graph graph = builder.build();
          Timeline timeline = Timeline.record(device).insideGraphs()) {
        graph.launch(stream);
        stream.await();
        List<Span> spans = timeline.spans();
        assertThat(nodes(spans, launches(spans).getFirst().correlation()))
            .extracting(Span::kind)
            .containsExactly(Kind.KERNEL, Kind.WAIT_EVENT, Kind.KERNEL);
        assertThat(event.elapsedTo(later).isNegative()).isFalse();
      }
    }
    assertThat(values()).startsWith(2);
  }

  @Test
  void copiesOfAGraphCountAsHidden() {
    MemorySegment host = device.pinnedArena().allocate(ValueLayout.JAVA_INT, COUNT);
    MemorySegment back = device.pinnedArena().allocate(ValueLayout.JAVA_INT, COUNT);
    try (GlobalInts array = device.allocateInts(COUNT);
        GlobalInts other = device.allocateInts(COUNT)) {
      stream.fill(other, 1).await();
      GraphBuilder builder = Graph.builder(device);
      builder.copy(host, array);
      builder.copy(other, back);
      try (Graph graph = builder.build();
          Timeline timeline = Timeline.record(device).insideGraphs()) {
        graph.launch(stream);
        stream.await();
        List<Span> spans = timeline.spans();
        Overlap overlap = Overlap.of(spans);
        assertThat(overlap.kernelSeconds()).isZero();
        assertThat(overlap.copySeconds()).isPositive();
        if (machine.isVirtual()) {
          assertThat(overlap.ratio()).isGreaterThan(0.9);
          assertThat(TextTimeline.draw(spans, 100)).contains("branch 2");
        }
      }
    }
  }

  @Test
  void theModelCountsNoCost() {
    if (!machine.isModelled()) {
      return;
    }
    try (Graph graph =
        Graph.capture(
                stream,
                () -> {
                  for (int i = 0; i < 10; i++) {
                    stream.launch(add(0, 1));
                  }
                })
            .instantiate()) {
      graph.launch(stream);
      stream.await();
      assertThat(nanos(graph, true)).isEqualTo(nanos(graph, false));
    }
  }

  private long nanos(Graph graph, boolean inside) {
    try (Timeline timeline = Timeline.record(device)) {
      if (inside) {
        timeline.insideGraphs();
      }
      graph.launch(stream);
      stream.await();
      return launches(timeline.spans()).getFirst().nanos();
    }
  }

  @Test
  void aFullTimelineLeavesNodesOut() {
    try (Graph graph =
            Graph.capture(
                stream,
                () -> {
                  stream.launch(add(0, 1));
                  stream.launch(add(0, 1));
                });
        Timeline timeline = Timeline.record(device, 5).insideGraphs()) {
      for (int i = 0; i < 4; i++) {
        graph.launch(stream);
        stream.await();
      }
      List<Span> spans = timeline.spans();
      assertThat(launches(spans)).hasSize(3);
      assertThat(spans).hasSize(5);
      assertThat(timeline.leftOut()).as("two nodes and a launch").isEqualTo(3);
    }
    assertThat(values()).startsWith(8);
  }

  @Test
  void aLaunchWhoseNodesCannotBeTimedIsMadeAllTheSame() {
    if (!machine.isVirtual()) {
      return;
    }
    for (DriverTap.Call failing :
        List.of(DriverTap.Call.CREATE_GRAPH, DriverTap.Call.CREATE_EVENT)) {
      FaultyDriver[] faulty = new FaultyDriver[1];
      try (LoggedErrors logged = new LoggedErrors();
          Machine.Opened broken =
              machine.open(
                  driver -> {
                    faulty[0] =
                        new FaultyDriver(
                            driver,
                            failing,
                            failing.name().endsWith("GRAPH") ? 1 : 5,
                            DriverException.Kind.OUT_OF_MEMORY);
                    return faulty[0];
                  });
          Stream on = broken.device().stream();
          GlobalInts cell = broken.device().allocateInts(1)) {
        on.fill(cell, 0).await();
        Launch add = broken.device().prepare(ONE, GraphKernels::add, cell, 1);
        try (Graph graph =
                Graph.capture(
                        on,
                        () -> {
                          for (int i = 0; i < 10; i++) {
                            on.launch(add);
                          }
                        })
                    .instantiate();
            Timeline timeline = Timeline.record(broken.device()).insideGraphs()) {
          faulty[0].arm();
          graph.launch(on);
          on.await();
          assertThat(faulty[0].hasFailed()).isTrue();
          assertThat(timeline.spans()).hasSize(1);
          assertThat(logged.messages())
              .singleElement()
              .asString()
              .contains("the times of the nodes of a graph of 10 nodes")
              .contains("are unknown");
          graph.launch(on);
          on.await();
          assertThat(timeline.spans()).hasSize(12);
          int[] value = new int[1];
          on.copy(cell, value).await();
          assertThat(value[0]).isEqualTo(20);
        }
      }
    }
  }

  @Test
  void eventsAndGraphsAreGivenBack() {
    if (!machine.isVirtual()) {
      return;
    }
    int before = opened.live().events();
    int graphs = opened.live().graphs();
    try (Graph graph = Graph.capture(stream, () -> stream.launch(add(0, 1)));
        Timeline timeline = Timeline.record(device).insideGraphs()) {
      int rounds = 20;
      int each = 50;
      for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < each; i++) {
          graph.launch(stream);
          stream.await();
        }
        // Reads the times of all, if the thread that does so meanwhile is late. What is given back
        // is kept for the next round, so there are never more than one round needs.
        assertThat(timeline.spans()).hasSize(2 * each * (round + 1));
      }
      int launches = each * rounds;
      assertThat(opened.live().events() - before).isLessThan(launches);
      assertThat(opened.live().graphs() - graphs).isLessThan(launches / 2);
      for (int i = 0; i < 5; i++) {
        graph.launch(stream); // not awaited when the timeline is closed
      }
    }
    stream.await();
    assertThat(values()).startsWith(1005);
    eventually("no graphs are left", () -> opened.live().graphs() == graphs);
  }
}
