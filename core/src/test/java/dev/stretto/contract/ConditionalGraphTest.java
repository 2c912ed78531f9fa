package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphEvent;
import dev.stretto.GraphNode;
import dev.stretto.GraphNode.Kind;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** That a graph does what ints on the device say, and the host is not asked. */
class ConditionalGraphTest extends ContractTest {
  private static final Grid ONE = Grid.of(1, 32);

  private Stream stream;
  private GlobalInts cells;

  @BeforeEach
  void prepare() {
    stream = device.stream();
    cells = device.allocateInts(16);
    stream.fill(cells, 0).await();
  }

  @AfterEach
  void closeTheStream() {
    if (device.isOpen()) {
      stream.close();
    }
  }

  private GlobalInts cell(int index) {
    return cells.slice(index, 1);
  }

  private Launch add(int cell, int value) {
    return device.prepare(ONE, GraphKernels::add, cell(cell), value);
  }

  private Launch addBelow(int cell, int value, int limit, int isBelow) {
    return device.prepare(ONE, GraphKernels::addBelow, cell(cell), value, limit, cell(isBelow));
  }

  private void put(int index, int value) {
    stream.fill(cell(index), value);
  }

  private int[] run(Graph graph) {
    graph.launch(stream);
    return values();
  }

  private int[] values() {
    int[] values = new int[16];
    stream.copy(cells, values).await();
    return values;
  }

  // --- what is done
  // -------------------------------------------------------------------------------

  @Test
  void aBodyIsDoneIfTheIntIsNotZeroAtThatMoment() {
    GraphBuilder builder = Graph.builder(device);
    GraphNode before = builder.launch(add(0, 1));
    GraphNode branch = builder.ifNonZero(cell(0), body -> body.launch(add(1, 10)), before);
    builder.launch(add(1, 100), branch);
    assertThat(branch.kind()).isEqualTo(Kind.IF);
    assertThat(branch.description()).isEqualTo("if: 1 nodes");
    try (Graph graph = builder.build()) {
      put(0, -1); // and 0 after the first node
      assertThat(run(graph)).startsWith(0, 100);
      assertThat(run(graph)).startsWith(1, 210);
      put(0, -7);
      assertThat(run(graph)).startsWith(-6, 320);
    }
  }

  @Test
  void oneOfTwoBodiesIsDone() {
    GraphBuilder builder = Graph.builder(device);
    builder.ifNonZero(
        cell(0), body -> body.launch(add(1, 1)), otherwise -> otherwise.launch(add(2, 1)));
    try (Graph graph = builder.build().instantiate()) {
      graph.upload(stream);
      assertThat(run(graph)).startsWith(0, 0, 1);
      put(0, 5);
      assertThat(run(graph)).startsWith(5, 1, 1);
      assertThat(run(graph)).startsWith(5, 2, 1);
    }
  }

  @Test
  void oneOfManyBodiesIsDoneOrNone() {
    GraphBuilder builder = Graph.builder(device);
    Consumer<GraphBuilder> nothing = body -> {};
    GraphNode branch =
        builder.switchOn(
            cell(0),
            List.of(
                body -> body.launch(add(1, 1)), nothing, body -> body.fill(cells.slice(3, 2), 9)));
    assertThat(branch.kind()).isEqualTo(Kind.SWITCH);
    try (Graph graph = builder.build()) {
      for (int choice : new int[] {0, 1, 3, -1, Integer.MIN_VALUE, 0}) {
        put(0, choice);
        graph.launch(stream);
      }
      assertThat(values()).startsWith(0, 2, 0, 0, 0);
      put(0, 2);
      assertThat(run(graph)).startsWith(2, 2, 0, 9, 9);
    }
  }

  @Test
  void aBodyIsRepeatedUntilTheIntIsZero() {
    GraphBuilder builder = Graph.builder(device);
    GraphNode begin = builder.fill(cells, 0);
    GraphNode flag = builder.fill(cell(1), 1, begin);
    GraphNode loop =
        builder.whileNonZero(cell(1), body -> body.launch(addBelow(0, 3, 100, 1)), flag);
    builder.launch(add(0, 1000), loop);
    assertThat(loop.kind()).isEqualTo(Kind.WHILE);
    try (Graph graph = builder.build()) {
      for (int i = 0; i < 3; i++) {
        assertThat(run(graph)).startsWith(1102, 0);
      }
    }
  }

  @Test
  void aBodyIsNotDoneAtAllIfTheIntIsZeroBefore() {
    GraphBuilder builder = Graph.builder(device);
    builder.whileNonZero(cell(1), body -> body.launch(addBelow(0, 1, 5, 1)));
    try (Graph graph = builder.build()) {
      graph.launch(stream);
      graph.launch(stream);
      assertThat(values()).startsWith(0, 0);
      put(1, -3);
      assertThat(run(graph)).startsWith(5, 0);
    }
  }

  @Test
  void allOfAPassIsDoneBeforeTheNextBegins() {
    // Two branches of a pass, of which one is slow, and a join of both that decides.
    GlobalInts large = device.allocateInts(1 << 16);
    GlobalInts copy = device.allocateInts(1 << 16);
    stream.fill(large, 7);
    stream.fill(copy, 0);
    put(1, 1);
    Launch addToAll = device.prepare(Grid.covering(1 << 16, 256), Kernels.ADD, large, 1, 1 << 16);
    GraphBuilder builder = Graph.builder(device);
    builder.whileNonZero(
        cell(1),
        body -> {
          GraphNode slow = body.copy(large, copy);
          GraphNode more = body.launch(addToAll, slow);
          body.launch(addBelow(2, 1, 100, 3)); // beside, with nothing after it
          body.launch(addBelow(0, 1, 6, 1), more);
        });
    try (Graph graph = builder.build()) {
      assertThat(run(graph)).startsWith(6, 0, 6, 1);
      int[] numbers = new int[1 << 16];
      stream.copy(copy, numbers).await();
      assertThat(numbers).containsOnly(12);
      stream.copy(large, numbers).await();
      assertThat(numbers).containsOnly(13);
    }
    large.close();
    copy.close();
  }

  @Test
  void whatAKernelFindsOutDecides() {
    int count = 1000;
    GlobalInts numbers = device.allocateInts(count);
    int[] given = new int[count];
    for (int i = 0; i < count; i++) {
      given[i] = i * 37;
    }
    GraphBuilder builder = Graph.builder(device);
    GraphNode flag = builder.fill(cell(0), 1);
    builder.whileNonZero(
        cell(0),
        body -> {
          GraphNode none = body.fill(cell(0), 0);
          GraphNode count1 = body.launch(add(1, 1), none);
          body.launch(
              device.prepare(Grid.covering(count, 128), GraphKernels::halve, numbers, cell(0)),
              count1);
        },
        flag);
    try (Graph graph = builder.build()) {
      stream.copy(given, numbers);
      int[] after = run(graph);
      assertThat(after[1]).isEqualTo(15); // 36963 is less than 2^16
      stream.copy(numbers, given).await();
      assertThat(given).containsOnly(1);
    }
    numbers.close();
  }

  @Test
  void bodiesHaveConditionsOfTheirOwn() {
    GraphBuilder builder = Graph.builder(device);
    // for (a = 0; a < 3; a++) for (b = 0; b < 4; b++) c += b == 1 ? 100 : 1
    GraphNode on = builder.fill(cell(10), 1);
    builder.whileNonZero(
        cell(10),
        outer -> {
          GraphNode zero = outer.fill(cell(1), 0);
          GraphNode again = outer.fill(cell(11), 1, zero);
          GraphNode inner =
              outer.whileNonZero(
                  cell(11),
                  body -> {
                    GraphNode choice =
                        body.switchOn(
                            cell(1),
                            List.of(
                                first -> first.launch(add(2, 1)),
                                second -> second.launch(add(2, 100)),
                                third -> addAsChild(third, 2, 1),
                                fourth -> fourth.launch(add(2, 1))));
                    body.launch(addBelow(1, 1, 4, 11), choice);
                  },
                  again);
          outer.launch(addBelow(0, 1, 3, 10), inner);
        },
        on);
    try (Graph graph = builder.build()) {
      assertThat(run(graph)).startsWith(3, 4, 309);
      put(0, 0);
      assertThat(run(graph)).startsWith(3, 4, 618);
    }
  }

  private void addAsChild(GraphBuilder body, int cell, int value) {
    GraphBuilder builder = Graph.builder(device);
    builder.launch(add(cell, value));
    try (Graph graph = builder.build()) {
      body.child(graph);
    }
  }

  @Test
  void copiesToTheHostAndBackAreRepeatedToo() {
    try (PinnedArena pinned = device.pinnedArena()) {
      MemorySegment out = pinned.allocate(JAVA_INT, 16);
      MemorySegment in = pinned.allocate(JAVA_INT, 1);
      in.set(JAVA_INT, 0, 41);
      GraphBuilder builder = Graph.builder(device);
      GraphNode on = builder.fill(cell(1), 1);
      builder.whileNonZero(
          cell(1),
          body -> {
            GraphNode step = body.launch(addBelow(0, 1, 7, 1));
            GraphNode taken = body.copy(in, cell(4));
            GraphNode local = body.copy(cell(4), cell(5), taken);
            body.copy(cells, out, body.join(step, local));
          },
          on);
      try (Graph graph = builder.build()) {
        graph.launch(stream).await();
      }
      assertThat(out.getAtIndex(JAVA_INT, 0)).isEqualTo(7);
      assertThat(out.getAtIndex(JAVA_INT, 5)).isEqualTo(41);
    }
  }

  @Test
  void aCopyFromTheHostEndsALoop() {
    try (Stream other = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      MemorySegment zero = pinned.allocate(JAVA_INT, 1);
      put(1, 1);
      stream.await();
      GraphBuilder builder = Graph.builder(device);
      builder.whileNonZero(cell(1), body -> body.launch(add(0, 1)));
      try (Graph graph = builder.build()) {
        Event end = graph.launch(stream);
        if (!machine.isSeeded()) {
          assertThat(end.await(Duration.ofMillis(20))).isFalse();
        }
        other.copy(zero, cell(1)).await();
        end.await();
        assertThat(values()[0]).isGreaterThanOrEqualTo(machine.isSeeded() ? 0 : 1);
      }
    }
  }

  // --- among other things
  // -------------------------------------------------------------------------

  @Test
  void callbacksComeBeforeAndAfterConditionalNodes() {
    AtomicReference<String> said = new AtomicReference<>("");
    try (PinnedArena pinned = device.pinnedArena()) {
      MemorySegment host = pinned.allocate(JAVA_INT, 1);
      GraphBuilder builder = Graph.builder(device);
      GraphNode first = builder.then(() -> host.set(JAVA_INT, 0, host.get(JAVA_INT, 0) + 1));
      GraphNode in = builder.copy(host, cell(0), first);
      GraphNode branch = builder.ifNonZero(cell(0), body -> body.launch(add(1, 5)), in);
      GraphNode out = builder.copy(cell(1), host, branch);
      builder.then(() -> said.updateAndGet(s -> s + host.get(JAVA_INT, 0) + " "), out);
      try (Graph graph = builder.build()) {
        assertThat(graph.segments()).isOne();
        host.set(JAVA_INT, 0, -1);
        graph.launch(stream).await();
        graph.launch(stream).await();
        assertThat(said.get()).isEqualTo("0 5 ");
      }
    }
  }

  @Test
  void aGraphWithConditionsIsANodeOfAnotherAndOfABody() {
    GraphBuilder inner = Graph.builder(device);
    GraphNode on = inner.fill(cell(1), 1);
    inner.whileNonZero(cell(1), body -> body.launch(addBelow(0, 1, 4, 1)), on);
    GraphBuilder outer = Graph.builder(device);
    Graph captured;
    try (Graph loop = inner.build()) {
      GraphNode again = outer.fill(cell(2), 1);
      outer.whileNonZero(
          cell(2),
          body -> {
            GraphNode zero = body.fill(cell(0), 0);
            GraphNode four = body.child(loop, zero);
            body.launch(addBelow(3, 10, 30, 2), four);
          },
          again);
      captured =
          Graph.capture(
              stream,
              () -> {
                stream.fill(cells, 0);
                loop.launch(stream);
                stream.launch(add(0, 100));
              });
    }
    assertThat(captured.nodes())
        .extracting(GraphNode::kind)
        .containsExactly(Kind.FILL, Kind.CHILD, Kind.KERNEL);
    try (Graph graph = outer.build();
        captured) {
      assertThat(run(graph)).startsWith(4, 0, 0, 30);
      assertThat(run(captured)).startsWith(104, 0, 0, 0);
      assertThat(run(captured)).startsWith(104, 0, 0, 0);
    }
  }

  @Test
  void whatComesBeforeAndAfterCanBeChanged() {
    GraphBuilder builder = Graph.builder(device);
    GraphNode times = builder.fill(cell(1), 1);
    GraphNode begin = builder.launch(add(0, 1), times);
    GraphNode[] inside = new GraphNode[1];
    GraphNode loop =
        builder.whileNonZero(
            cell(1), body -> inside[0] = body.launch(addBelow(0, 10, 35, 1)), begin);
    GraphNode last = builder.launch(add(0, 100), loop);
    try (Graph graph = builder.build()) {
      assertThat(run(graph)).startsWith(141);
      put(0, 0);
      graph.setArgument(begin, 1, 2);
      graph.setArgument(last, 1, 200);
      assertThat(run(graph)).startsWith(242);
      GraphRefusals.refused(() -> graph.setArgument(inside[0], 1, 2), "does not belong");
      GraphRefusals.refused(() -> graph.setFill(loop, cell(0), 2), "is not a FILL");
    }
  }

  @Test
  void launchesFollowEachOtherOnSeveralStreams() {
    try (Stream other = device.stream()) {
      GraphBuilder builder = Graph.builder(device);
      GraphNode on = builder.fill(cell(1), 1);
      GraphNode zero = builder.fill(cell(0), 0, on);
      GraphNode loop =
          builder.whileNonZero(cell(1), body -> body.launch(addBelow(0, 1, 3, 1)), zero);
      builder.ifNonZero(cell(0), body -> body.launch(add(2, 1)), loop);
      try (Graph graph = builder.build()) {
        for (int i = 0; i < 100; i++) {
          graph.launch(i % 3 == 0 ? other : stream);
        }
      }
      device.await();
      assertThat(values()).startsWith(3, 0, 100);
    }
  }

  // --- lifetimes
  // ----------------------------------------------------------------------------------

  @Test
  void aGraphKeepsItsConditionAndWhatItsBodiesUse() {
    try (PinnedArena pinned = device.pinnedArena()) {
      MemorySegment out = pinned.allocate(JAVA_INT, 1);
      GlobalInts flag = device.allocateInts(1);
      GlobalInts sum = device.allocateInts(1);
      GraphBuilder builder = Graph.builder(device);
      GraphNode on = builder.fill(flag, 1, builder.fill(sum, 0));
      builder.whileNonZero(
          flag,
          body -> {
            GraphNode step =
                body.launch(device.prepare(ONE, GraphKernels::addBelow, sum, 2, 9, flag));
            body.copy(sum, out, step);
          },
          on);
      Graph graph = builder.build();
      flag.close();
      sum.close();
      graph.launch(stream).await();
      assertThat(out.get(JAVA_INT, 0)).isEqualTo(10);
      Gate gate = gate(stream);
      graph.launch(stream);
      graph.close();
      gate.open();
      stream.await();
      if (machine.isVirtual()) {
        eventually("the graph is gone", () -> opened.live().graphs() == 0);
      }
    }
  }

  @Test
  void aDeviceIsClosedWhileALoopRuns() {
    GraphBuilder builder = Graph.builder(device);
    GraphNode on = builder.fill(cell(1), 1);
    builder.whileNonZero(cell(1), body -> body.launch(addBelow(0, 1, 500, 1)), on);
    Graph graph = builder.build();
    graph.launch(stream);
    device.close(); // the fixture sees to it that nothing is held afterwards
    graph.close();
  }

  // --- what is refused
  // ----------------------------------------------------------------------------

  @Test
  void whatNeedsTheHostHasNoPlaceInABody() {
    GraphEvent event = GraphEvent.of(device);
    Graph calling = Graph.capture(stream, () -> stream.then(() -> {}));
    Graph nested = Graph.capture(stream, () -> calling.launch(stream));
    refusedInBody("a callback cannot be in the body", body -> body.then(() -> {}));
    refusedInBody("a callback cannot be in the body", body -> body.then(() -> {}, Runnable::run));
    refusedInBody("a record of an event cannot", body -> body.record(event));
    refusedInBody("a wait for an event cannot", body -> body.waitFor(event));
    refusedInBody("has a callback, made at ", body -> body.child(calling));
    refusedInBody("has a callback, made at ", body -> body.child(nested));
    refusedInBody("a callback", body -> body.ifNonZero(cell(2), deep -> deep.then(() -> {})));
    nested.close();
    calling.close();
    event.close();
  }

  private void refusedInBody(String why, Consumer<GraphBuilder> body) {
    GraphBuilder builder = Graph.builder(device);
    GraphException thrown = GraphRefusals.refused(() -> builder.whileNonZero(cell(0), body), why);
    assertThat(thrown.place().getFileName()).isEqualTo("ConditionalGraphTest.java");
    assertThat(thrown.place().getMethodName()).startsWith("lambda$");
    try (Graph empty = builder.build()) {
      assertThat(empty.nodes()).isEmpty();
    }
  }

  @Test
  void whatIsNoConditionIsRefused() {
    GraphBuilder builder = Graph.builder(device);
    Consumer<GraphBuilder> body = b -> b.launch(add(0, 1));
    assertThatThrownBy(() -> builder.ifNonZero(cells, body))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("slice(i, 1)");
    assertThatThrownBy(() -> builder.switchOn(cell(0), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    GlobalInts closed = device.allocateInts(1);
    closed.close();
    assertThatThrownBy(() -> builder.ifNonZero(closed, body)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> builder.ifNonZero(cell(0), b -> builder.fill(cells, 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a body of this graph is being described");
    GraphNode outside = builder.fill(cells, 1);
    GraphRefusals.refused(
        () -> builder.ifNonZero(cell(0), b -> b.fill(cells, 2, outside)), "another graph");
    assertThatThrownBy(() -> builder.ifNonZero(cell(0), b -> b.build().close()))
        .isInstanceOf(IllegalStateException.class);
    AtomicReference<GraphBuilder> kept = new AtomicReference<>();
    builder.ifNonZero(cell(0), kept::set, outside);
    assertThatThrownBy(() -> kept.get().fill(cells, 1)).isInstanceOf(IllegalStateException.class);
    builder.build().close();
    assertThat(values()[0]).isZero();
  }

  /** On virtual devices only: a GPU's driver is what it is. */
  @Test
  void whereTheDriverHasNoSuchNodesTheyAreRefusedAtOnce() {
    if (!machine.isVirtual()) {
      return;
    }
    List<Device> old = Device.openAll(new OlderDriver(12_020));
    List<Device> middle = Device.openAll(new OlderDriver(12_060));
    try (GlobalInts condition = old.getFirst().allocateInts(1);
        GlobalInts other = middle.getFirst().allocateInts(1)) {
      GraphBuilder builder = Graph.builder(old.getFirst());
      Consumer<GraphBuilder> never =
          body -> {
            throw new AssertionError("is not even described");
          };
      GraphRefusals.refused(
          () -> builder.ifNonZero(condition, never),
          "need a driver of CUDA 12.3, and that of " + old.getFirst().name() + " is of CUDA 12.2");
      GraphRefusals.refused(
          () -> builder.whileNonZero(condition, never), "decide on the host, between launches");
      GraphBuilder newer = Graph.builder(middle.getFirst());
      GraphNode node = newer.ifNonZero(other, body -> body.fill(other, 1));
      GraphRefusals.refused(
          () -> newer.ifNonZero(other, never, never, node),
          "IF nodes with an alternative need a driver of CUDA 12.8");
      GraphRefusals.refused(() -> newer.switchOn(other, List.of(never)), "use several IF nodes");
      newer.build().close();
    }
    old.forEach(Device::close);
    middle.forEach(Device::close);
  }

  /** A virtual driver that says it is older than it is. */
  private static final class OlderDriver extends DriverTap {
    private final int version;

    OlderDriver(int version) {
      super(new VirtualDriver(VirtualConfig.parse("seed=1")));
      this.version = version;
    }

    @Override
    void before(Call call) {}

    @Override
    DeviceTap tap(DriverDevice device) {
      return new DeviceTap(device) {
        @Override
        public DeviceProperties properties() {
          return older(device.properties());
        }
      };
    }

    private DeviceProperties older(DeviceProperties is) {
      return new DeviceProperties(
          is.name(),
          is.driver(),
          is.ordinal(),
          version,
          is.computeMajor(),
          is.computeMinor(),
          is.totalBytes(),
          is.multiprocessors(),
          is.warpSize(),
          is.maxThreadsPerBlock(),
          is.maxBlockX(),
          is.maxBlockY(),
          is.maxBlockZ(),
          is.maxGridX(),
          is.maxGridY(),
          is.maxGridZ(),
          is.sharedBytesPerBlock(),
          is.sharedBytesPerBlockOptIn(),
          is.registersPerBlock(),
          is.copyEngines(),
          is.clockKilohertz(),
          is.memoryClockKilohertz(),
          is.memoryBusBits(),
          is.l2Bytes(),
          is.pciBusId(),
          is.lowestPriority(),
          is.greatestPriority());
    }
  }

  @Test
  void theDrawingShowsBodies() {
    GraphBuilder builder = Graph.builder(device);
    GraphNode on = builder.fill(cell(1), 1);
    builder.whileNonZero(
        cell(1),
        body -> {
          GraphNode step = body.launch(addBelow(0, 1, 3, 1));
          body.ifNonZero(cell(0), b -> b.fill(cell(5), 1), b -> b.fill(cell(6), 1), step);
        },
        on);
    try (Graph graph = builder.build()) {
      assertThat(graph.toDot())
          .contains("n1 [shape=hexagon, label=\"1: while: 2 nodes\"")
          .contains("subgraph cluster_n1_0 {", "label=\"while not 0\"; style=dashed;")
          .contains("n1_0_0 [shape=box", "n1_0_1 [shape=hexagon", "n1_0_0 -> n1_0_1;")
          .contains("subgraph cluster_n1_0_1_1 {", "label=\"if 0\"", "n1_0_1_1_0 [shape=note")
          .contains("n1 -> n1_0_0 [style=dashed, lhead=cluster_n1_0];")
          .contains("n0 -> n1;")
          .endsWith("}\n");
    }
  }
}
