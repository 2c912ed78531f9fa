package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Graph;
import dev.stretto.GraphBranch;
import dev.stretto.GraphMisfit;
import dev.stretto.GraphNode;
import dev.stretto.GraphNode.Kind;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Graphs whose nodes are switched off, and that take over the parameters of others. */
class ChangedGraphTest extends ContractTest {
  private static final Grid ONE = Grid.of(1, 32);
  private static final Grid TWO = Grid.of(2, 64);

  private Stream stream;
  private Stream side;
  private PinnedArena pinned;
  private GlobalInts cells;

  @BeforeEach
  void prepare() {
    stream = device.stream();
    side = device.stream();
    pinned = device.pinnedArena();
    cells = device.allocateInts(16);
    stream.fill(cells, 0).await();
  }

  @AfterEach
  void closeStreams() {
    if (device.isOpen()) {
      stream.close();
      side.close();
      pinned.close();
      cells.close();
    }
  }

  private GlobalInts cell(int index) {
    return cells.slice(index, 1);
  }

  private int[] run(Graph graph) {
    graph.launch(stream);
    int[] values = new int[16];
    stream.copy(cells, values).await();
    return values;
  }

  // --- off and on
  // -------------------------------------------------------------------------------------------------------

  @Test
  void aNodeThatIsOffDoesNothingUntilItIsOnAgain() {
    MemorySegment in = pinned.allocate(JAVA_INT, 1);
    in.set(JAVA_INT, 0, 30);
    Graph graph =
        Graph.capture(
            stream,
            s -> {
              s.launch(ONE, GraphKernels::add, cell(0), 1);
              s.fill(cell(1), 20);
              s.copy(in, cell(2));
              s.launch(ONE, GraphKernels::add, cell(3), 1);
            });
    List<GraphNode> nodes = graph.nodes();
    assertThat(nodes).allMatch(GraphNode::isEnabled);
    for (GraphNode node : nodes.subList(0, 3)) {
      graph.setEnabled(node, false);
    }
    assertThat(nodes).extracting(GraphNode::isEnabled).containsExactly(false, false, false, true);
    assertThat(nodes.getFirst().description()).endsWith(", switched off");
    assertThat(nodes.getFirst().kind()).isEqualTo(Kind.KERNEL);
    assertThat(run(graph)).startsWith(0, 0, 0, 1);
    graph.setEnabled(nodes.get(1), true);
    graph.setEnabled(nodes.get(1), true);
    assertThat(run(graph)).startsWith(0, 20, 0, 2);
    graph.setArgument(nodes.get(0), 1, 5); // stays off
    assertThat(nodes.getFirst().isEnabled()).isFalse();
    assertThat(run(graph)).startsWith(0, 20, 0, 3);
    graph.setEnabled(nodes.get(0), true);
    graph.setEnabled(nodes.get(2), true);
    assertThat(run(graph)).startsWith(5, 20, 30, 4);
    graph.close();
  }

  @Test
  void whatIsOffBeforeTheFirstLaunchIsOffThen() {
    Graph graph = Graph.capture(stream, s -> s.launch(ONE, GraphKernels::add, cell(0), 1));
    graph.setEnabled(graph.nodes().getFirst(), false);
    graph.instantiate();
    assertThat(run(graph)).startsWith(0);
    graph.setEnabled(graph.nodes().getFirst(), true);
    assertThat(run(graph)).startsWith(1);
    graph.close();
  }

  @Test
  void launchesThatAreEnqueuedKeepTheirNodes() {
    Graph graph = Graph.capture(stream, s -> s.launch(ONE, GraphKernels::add, cell(0), 1));
    Gate gate = gate(stream);
    graph.launch(stream);
    graph.setEnabled(graph.nodes().getFirst(), false);
    graph.launch(stream);
    graph.setEnabled(graph.nodes().getFirst(), true);
    gate.open();
    assertThat(run(graph)).startsWith(2);
    graph.close();
  }

  @Test
  void onlyCopiesFillsAndLaunchesAreSwitchedOff() {
    Graph graph =
        Graph.capture(
            stream,
            s -> {
              s.then(() -> {});
              GraphBranch.ifNonZero(s, cell(0), body -> body.fill(cell(1), 1));
            });
    for (GraphNode node : graph.nodes()) {
      GraphRefusals.refused(() -> graph.setEnabled(node, false), "copies, fills and launches");
    }
    Graph other = Graph.capture(stream, s -> s.fill(cell(0), 1));
    GraphRefusals.refused(
        () -> graph.setEnabled(other.nodes().getFirst(), false), "does not belong");
    other.close();
    graph.close();
    assertThatThrownBy(() -> graph.setEnabled(graph.nodes().getFirst(), false))
        .isInstanceOf(ClosedException.class);
  }

  // --- callbacks and children
  // -------------------------------------------------------------------------------------------------------

  @Test
  void aCallbackIsExchanged() {
    ConcurrentLinkedQueue<String> said = new ConcurrentLinkedQueue<>();
    Graph graph = Graph.capture(stream, s -> s.then(() -> said.add("one")));
    GraphNode node = graph.nodes().getFirst();
    Gate gate = gate(stream);
    graph.launch(stream);
    graph.setCallback(node, () -> said.add("two"));
    graph.launch(stream);
    gate.open();
    stream.await();
    assertThat(said).containsExactly("one", "two");
    GraphRefusals.refused(() -> graph.setArgument(node, 0, 1), "is not a KERNEL");
    graph.close();
  }

  @Test
  void theNodesOfAChildAreChangedThere() {
    Graph inner =
        Graph.capture(
            stream,
            s -> {
              s.launch(ONE, GraphKernels::add, cell(0), 1);
              s.fill(cell(1), 2);
            });
    Graph middle =
        Graph.capture(
            stream,
            s -> {
              inner.launch(s);
              s.then(() -> {});
            });
    Graph outer =
        Graph.capture(
            stream,
            s -> {
              inner.launch(s);
              middle.launch(s);
            });
    assertThat(outer.nodes()).extracting(GraphNode::kind).containsExactly(Kind.CHILD, Kind.CHILD);
    assertThat(run(outer)).startsWith(2, 2);
    GraphNode first = outer.nodes().getFirst().nodes().getFirst();
    GraphNode deep = outer.nodes().getLast().nodes().getFirst().nodes().getFirst();
    assertThat(deep).hasToString("node 1.0.0 (" + deep.description() + ")");
    outer.setArgument(first, 1, 10);
    outer.setArgument(deep, 1, 100);
    outer.setFill(outer.nodes().getLast().nodes().getFirst().nodes().get(1), cell(1), 5);
    assertThat(run(outer)).startsWith(112, 5);
    outer.setEnabled(first, false);
    assertThat(run(outer)).startsWith(212, 5);
    Graph copy = Graph.capture(stream, s -> outer.launch(s)); // with the changes
    assertThat(run(copy)).startsWith(312, 5);
    assertThat(run(inner)).startsWith(313, 2); // the other graph stays as it was
    GraphRefusals.refused(
        () -> outer.setArgument(inner.nodes().getFirst(), 1, 1), "does not belong");
    for (Graph each : List.of(copy, outer, middle, inner)) {
      each.close();
    }
  }

  @Test
  void manyNodesBeforeManyOfAChildAreAllBefore() {
    Graph many =
        Graph.capture(
            stream,
            s -> {
              side.waitFor(s.record());
              s.launch(ONE, GraphKernels::add, cell(0), 1);
              side.launch(ONE, GraphKernels::add, cell(1), 1);
              s.waitFor(side.record());
            });
    Graph chain =
        Graph.capture(
            stream,
            s -> {
              for (int i = 0; i < 20; i++) {
                many.launch(s);
              }
            });
    assertThat(run(chain)).startsWith(20, 20);
    many.close();
    chain.close();
  }

  // --- the whole
  // -------------------------------------------------------------------------------------------------------

  private Graph sum(int first, int second, GlobalInts cell, int filled) {
    return Graph.capture(
        stream,
        s -> {
          s.launch(first % 2 == 0 ? ONE : TWO, GraphKernels::add, cell, first);
          s.launch(ONE, GraphKernels::add, cell, second);
          s.fill(cell(8), filled);
        });
  }

  @Test
  void aGraphTakesOverTheParametersOfAnother() {
    Graph graph = sum(1, 2, cell(0), 3);
    assertThat(run(graph)).startsWith(3);
    for (int round = 1; round <= 5; round++) {
      try (Graph again = sum(10 * round, round, cell(round), 100 + round)) {
        assertThat(graph.misfits(again)).isEmpty();
        graph.update(again);
      }
      int[] values = run(graph);
      assertThat(values[0]).isEqualTo(3);
      assertThat(values[round]).isEqualTo(11 * round);
      assertThat(values[8]).isEqualTo(100 + round);
    }
    graph.close();
  }

  @Test
  void anotherKernelTakesAPlaceInTheGraph() {
    Graph graph = Graph.capture(stream, s -> s.launch(ONE, GraphKernels::add, cell(0), 1));
    assertThat(run(graph)).startsWith(1);
    try (Graph other =
        Graph.capture(
            stream, s -> s.launch(ONE, GraphKernels::addBelow, cell(0), 10, 100, cell(1)))) {
      graph.update(other);
    }
    assertThat(run(graph)).startsWith(11, 1);
    graph.close();
  }

  @Test
  void memoryThatAGraphHasTakenOverStaysWithIt() {
    Graph graph = Graph.capture(stream, s -> s.launch(ONE, GraphKernels::add, cell(0), 1));
    GlobalInts array = device.allocateInts(1);
    stream.fill(array, 5);
    Graph again = Graph.capture(stream, s -> s.launch(ONE, GraphKernels::add, array, 1));
    graph.update(again);
    again.close();
    array.close();
    graph.launch(stream);
    graph.launch(stream).await();
    assertThat(run(graph)).startsWith(0);
    graph.close();
  }

  @Test
  void whatIsOffStaysOffAndTakesOverItsParameters() {
    Graph graph = sum(1, 2, cell(0), 3);
    graph.setEnabled(graph.nodes().getFirst(), false);
    assertThat(run(graph)).startsWith(2);
    try (Graph again = sum(10, 20, cell(0), 3)) {
      graph.update(again);
    }
    assertThat(run(graph)).startsWith(22);
    graph.setEnabled(graph.nodes().getFirst(), true);
    assertThat(run(graph)).startsWith(52);
    graph.close();
  }

  @Test
  void callbacksAndChildrenAreTakenOver() {
    List<Integer> seen = java.util.Collections.synchronizedList(new ArrayList<>());
    Graph child = sum(1, 1, cell(0), 1);
    Graph larger = sum(5, 5, cell(0), 2);
    Graph graph = Graph.capture(stream, s -> nested(s, child, () -> seen.add(1)));
    assertThat(run(graph)).startsWith(2);
    try (Graph again = Graph.capture(stream, s -> nested(s, larger, () -> seen.add(2)))) {
      graph.update(again);
    }
    assertThat(run(graph)).startsWith(12);
    assertThat(seen).containsExactly(1, 2);
    graph.close();
    child.close();
    larger.close();
  }

  private static void nested(Stream s, Graph child, Runnable callback) {
    child.launch(s);
    s.then(callback);
  }

  @Test
  void whatDoesNotFitIsNamedAndNothingIsChanged() {
    MemorySegment host = pinned.allocate(JAVA_INT, 16);
    Graph graph =
        Graph.capture(
            stream,
            s -> {
              s.fill(cell(0), 1);
              s.copy(host, cells.slice(0, 16));
              s.fill(cell(2), 3);
            });
    Graph other =
        Graph.capture(
            stream,
            s -> {
              s.fill(cell(0), 9);
              s.copy(cells.slice(0, 16), host);
              s.launch(ONE, GraphKernels::add, cell(0), 1);
              s.fill(cell(3), 3);
            });
    List<GraphMisfit> misfits = graph.misfits(other);
    assertThat(misfits).hasSize(3);
    assertThat(misfits.get(0).reason()).contains("neither its direction nor its devices");
    assertThat(misfits.get(0).node()).contains(graph.nodes().get(1));
    assertThat(misfits.get(1).reason()).contains("stays of its kind");
    assertThat(misfits.get(2).node()).isEmpty();
    assertThat(misfits.get(2).other()).contains(other.nodes().get(3));
    assertThatThrownBy(() -> graph.update(other))
        .isInstanceOf(GraphException.class)
        .hasMessageContaining("neither its direction")
        .hasMessageContaining("stays of its kind")
        .hasMessageContaining("no node and node 3")
        .hasMessageContaining("ChangedGraphTest.java:");
    host.fill((byte) 0);
    assertThat(run(graph)).startsWith(0, 0, 3);
    other.close();
    graph.close();
  }

  @Test
  void anotherOrderAndAnotherBodyDoNotFit() {
    Graph chain =
        Graph.capture(
            stream,
            s -> {
              s.fill(cell(0), 1);
              s.fill(cell(1), 1);
            });
    Graph beside =
        Graph.capture(
            stream,
            s -> {
              side.waitFor(s.record());
              s.fill(cell(0), 1);
              side.fill(cell(1), 1);
              s.waitFor(side.record());
            });
    assertThat(chain.misfits(beside).getFirst().reason()).contains("the order does not change");
    Graph one = branching(1);
    Graph same = branching(1);
    Graph two = branching(2);
    assertThat(one.misfits(same)).isEmpty();
    one.update(same);
    assertThat(one.misfits(two).getFirst().reason()).contains("bodies of a conditional node");
    for (Graph each : List.of(chain, beside, one, same, two)) {
      each.close();
    }
    assertThatThrownBy(() -> one.misfits(two)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> one.update(two)).isInstanceOf(ClosedException.class);
  }

  private Graph branching(int value) {
    return Graph.capture(
        stream,
        s ->
            GraphBranch.ifNonZero(
                s, cell(0), body -> body.launch(ONE, GraphKernels::add, cell(1), value)));
  }
}
