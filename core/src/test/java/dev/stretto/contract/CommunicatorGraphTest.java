package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.GraphBranch;
import dev.stretto.GraphNode;
import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.Reduction;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.fault.RaceException;
import dev.stretto.memory.GlobalInts;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Graphs with operations of a communicator of one rank. On a GPU it is NCCL's, if that is there.
 */
class CommunicatorGraphTest extends ContractTest {
  private static final int LENGTH = 50_000;

  private Communicator alone;
  private Stream stream;

  @BeforeEach
  void join() {
    alone = Communicator.awaitPeers(Communicator.id(), 0, 1, device, Duration.ofSeconds(60));
    stream = device.stream();
  }

  @AfterEach
  void part() {
    alone.close();
    stream.close();
  }

  private void requireAll(GlobalInts array, int value) {
    int[] values = new int[LENGTH];
    stream.copy(array, values).await();
    assertThat(values).containsOnly(value);
  }

  @Test
  void eachLaunchDoesTheOperationWithWhatIsThereThen() {
    System.out.println(alone + ": " + alone.reason());
    try (GlobalInts from = device.allocateInts(LENGTH);
        GlobalInts to = device.allocateInts(LENGTH);
        GlobalInts copy = device.allocateInts(LENGTH);
        Graph graph =
            Graph.capture(
                stream,
                () -> {
                  Event _ = alone.allReduce(stream, from, to, Reduction.SUM);
                  stream.copy(to, copy);
                  stream.fill(to, 0);
                })) {
      assertThat(graph.nodes())
          .extracting(GraphNode::kind)
          .containsExactly(GraphNode.Kind.CALL, GraphNode.Kind.COPY, GraphNode.Kind.FILL);
      for (int i = 1; i <= 5; i++) {
        stream.fill(from, i);
        graph.launch(stream);
        requireAll(copy, i);
        requireAll(to, 0);
      }
    }
  }

  @Test
  void everyOperationCanBeInAGraph() {
    try (GlobalInts from = device.allocateInts(LENGTH);
        GlobalInts to = device.allocateInts(LENGTH);
        GlobalInts in = device.allocateInts(LENGTH)) {
      for (int i = 0; i < 6; i++) {
        int which = i;
        try (Graph graph =
            Graph.capture(
                stream,
                () -> {
                  Event _ =
                      switch (which) {
                        case 0 -> alone.allReduce(stream, from, to, Reduction.MAX);
                        case 1 -> alone.allGather(stream, from, to);
                        case 2 -> alone.reduceScatter(stream, from, to, Reduction.SUM);
                        case 3 -> alone.allToAll(stream, from, to);
                        case 4 ->
                            alone.group(
                                stream,
                                group -> {
                                  group.send(from, 0);
                                  group.recv(to, 0);
                                });
                        default -> {
                          stream.copy(from, to);
                          yield alone.broadcast(stream, to, 0);
                        }
                      };
                  stream.copy(to, in);
                })) {
          stream.fill(to, -1);
          stream.fill(from, 10 + i);
          graph.launch(stream);
          requireAll(in, 10 + i);
        }
      }
    }
  }

  @Test
  void launchesAndSingleOperationsComeInTheirOrderWhateverTheStreams() {
    try (Stream other = device.stream();
        GlobalInts a = device.allocateInts(LENGTH);
        GlobalInts b = device.allocateInts(LENGTH);
        Graph there =
            Graph.capture(
                stream,
                () -> {
                  Event _ = alone.allReduce(stream, a, b, Reduction.SUM);
                });
        Graph back =
            Graph.capture(
                other,
                () -> {
                  Event _ = alone.allReduce(other, b, a, Reduction.SUM);
                })) {
      stream.fill(a, 3);
      for (int i = 0; i < 30; i++) {
        there.launch(i % 2 == 0 ? stream : other);
        back.launch(i % 3 == 0 ? stream : other);
        Event _ = alone.allReduce(i % 5 == 0 ? stream : other, a, b, Reduction.SUM);
      }
      stream.waitFor(other.record());
      requireAll(a, 3);
      requireAll(b, 3);
    }
  }

  @Test
  void operationsOfTwoStreamsOfACaptureComeOneAfterTheOther() {
    try (Stream side = device.stream();
        GlobalInts a = device.allocateInts(LENGTH);
        GlobalInts b = device.allocateInts(LENGTH);
        GlobalInts c = device.allocateInts(LENGTH);
        Graph graph =
            Graph.capture(
                stream,
                () -> {
                  side.waitFor(stream.record());
                  Event _ = alone.allReduce(side, a, b, Reduction.SUM);
                  Event _ = alone.allReduce(stream, a, c, Reduction.SUM);
                  stream.waitFor(side.record());
                })) {
      assertThat(graph.nodes().get(1).after()).containsExactly(graph.nodes().get(0));
      stream.fill(a, 4);
      graph.launch(stream);
      requireAll(b, 4);
      requireAll(c, 4);
    }
  }

  @Test
  void aGraphKeepsTheCommunicatorAndTheArrays() {
    GlobalInts from = device.allocateInts(LENGTH);
    GlobalInts to = device.allocateInts(LENGTH);
    GlobalInts in = device.allocateInts(LENGTH);
    stream.fill(from, 6);
    try (Graph graph =
        Graph.capture(
            stream,
            () -> {
              Event _ = alone.allReduce(stream, from, to, Reduction.SUM);
              stream.copy(to, in);
            })) {
      alone.close();
      from.close();
      to.close();
      graph.launch(stream);
      requireAll(in, 6);
      assertThatThrownBy(() -> alone.broadcast(stream, in, 0)).isInstanceOf(ClosedException.class);
      graph.launch(stream).await();
    }
    in.close();
  }

  @Test
  void aGraphThatIsClosedInALaunchDoesItAll() {
    for (int i = 0; i < 10; i++) {
      try (GlobalInts array = device.allocateInts(LENGTH);
          GlobalInts sum = device.allocateInts(LENGTH)) {
        Graph graph =
            Graph.capture(
                stream,
                () -> {
                  stream.fill(array, 3);
                  Event _ = alone.allReduce(stream, array, sum, Reduction.SUM);
                  stream.fill(array, 4);
                });
        graph.launch(stream);
        Event last = graph.launch(stream);
        graph.close();
        last.await();
        requireAll(sum, 3);
        requireAll(array, 4);
      }
    }
  }

  @Test
  void aGraphOfGraphsKeepsIt() {
    try (GlobalInts array = device.allocateInts(LENGTH)) {
      Graph inner =
          Graph.capture(
              stream,
              () -> {
                Event _ = alone.allReduce(stream, array, array, Reduction.SUM);
              });
      try (Graph outer =
          Graph.capture(
              stream,
              () -> {
                inner.launch(stream);
                Event _ = alone.allReduce(stream, array, array, Reduction.SUM);
              })) {
        inner.close();
        alone.close();
        stream.fill(array, 2);
        outer.launch(stream);
        requireAll(array, 2);
      }
    }
  }

  @Test
  void aCaptureThatFailsLeavesTheCommunicatorAsItWas() {
    try (GlobalInts array = device.allocateInts(LENGTH);
        GlobalInts condition = device.allocateInts(1)) {
      assertThatThrownBy(
              () ->
                  Graph.capture(
                      stream,
                      () -> {
                        Event _ = alone.broadcast(stream, array, 0);
                        throw new IllegalStateException("enough");
                      }))
          .hasMessage("enough");
      assertThatThrownBy(
              () ->
                  Graph.capture(
                      stream,
                      () ->
                          GraphBranch.ifNonZero(
                              stream, condition, on -> alone.broadcast(on, array, 0))))
          .isInstanceOf(GraphException.class)
          .hasMessageContaining("cannot be in the body of a conditional node");
      stream.copy(IntStream.range(0, LENGTH).toArray(), array);
      alone.allReduce(stream, array, array, Reduction.MIN).await();
    }
  }

  @Test
  @WithOrder("checked")
  void theOrderOfALaunchIsChecked() {
    try (Stream side = device.stream();
        GlobalInts array = device.allocateInts(LENGTH);
        GlobalInts sum = device.allocateInts(LENGTH);
        Graph graph =
            Graph.capture(
                stream,
                () -> {
                  stream.fill(array, 5);
                  Event _ = alone.allReduce(stream, array, sum, Reduction.SUM);
                  stream.fill(array, 6);
                })) {
      graph.launch(stream);
      graph.launch(stream);
      assertThatThrownBy(() -> side.fill(sum, 2)).isInstanceOf(RaceException.class);
      assertThatThrownBy(() -> side.copy(array, sum)).isInstanceOf(RaceException.class);
      requireAll(sum, 5);
    }
  }

  @Test
  @WithOrder("automatic")
  void theOrderOfALaunchIsArrangedWhereThatIsAutomatic() {
    try (Stream side = device.stream();
        GlobalInts array = device.allocateInts(LENGTH);
        GlobalInts sum = device.allocateInts(LENGTH);
        Graph graph =
            Graph.capture(
                stream,
                () -> {
                  stream.fill(array, 5);
                  Event _ = alone.allReduce(stream, array, sum, Reduction.SUM);
                  stream.fill(array, 6);
                })) {
      graph.launch(stream);
      graph.launch(stream);
      side.fill(sum, 2);
      graph.launch(stream);
      requireAll(sum, 5);
    }
  }

  @Test
  void aGraphDoesNotTakeOverTheOperationsOfAnother() {
    try (GlobalInts array = device.allocateInts(LENGTH);
        Graph one = Graph.capture(stream, () -> keep(alone.broadcast(stream, array, 0)));
        Graph two = Graph.capture(stream, () -> keep(alone.broadcast(stream, array, 0)))) {
      assertThatThrownBy(() -> one.update(two)).isInstanceOf(GraphException.class);
      assertThatThrownBy(() -> one.setCallback(one.nodes().getFirst(), () -> {}))
          .isInstanceOf(GraphException.class);
      stream.fill(array, 1);
      one.launch(stream);
      requireAll(array, 1);
    }
  }

  private static void keep(Event event) {
    assertThat(event).isNotNull();
  }
}
