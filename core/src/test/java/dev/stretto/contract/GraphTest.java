package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphEvent;
import dev.stretto.GraphNode;
import dev.stretto.GraphNode.Kind;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Registration;
import dev.stretto.Route;
import dev.stretto.Sample;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** That graphs do what their operations one by one would do, however often they are launched. */
class GraphTest extends ContractTest {
  private static final int COUNT = 5000;
  private static final Grid GRID = Grid.covering(COUNT, 128);

  private Launch add(GlobalInts array, int value) {
    return device.prepare(GRID, Kernels.ADD, array, value, COUNT);
  }

  private int[] ints(Stream stream, GlobalInts array) {
    int[] values = new int[Math.toIntExact(array.length())];
    stream.copy(array, values).await();
    return values;
  }

  private void assertAll(Stream stream, GlobalInts array, int value) {
    int[] expected = new int[Math.toIntExact(array.length())];
    Arrays.fill(expected, value);
    assertThat(ints(stream, array)).isEqualTo(expected);
  }

  // --- capture
  // ------------------------------------------------------------------------------------

  @Test
  void aStreamTellsWhetherItIsCaptured() throws Exception {
    try (Stream stream = device.stream();
        Stream side = device.stream()) {
      List<Boolean> seen = new ArrayList<>();
      Graph graph =
          Graph.capture(
              stream,
              () -> {
                seen.add(stream.isCapturing());
                seen.add(side.isCapturing());
                side.waitFor(stream.record());
                seen.add(side.isCapturing());
                Thread other = Thread.startVirtualThread(() -> seen.add(stream.isCapturing()));
                assertThatCode(other::join).doesNotThrowAnyException();
                stream.waitFor(side.record());
              });
      graph.close();
      assertThat(seen).containsExactly(true, false, true, true);
      assertThat(stream.isCapturing()).isFalse();
      assertThat(side.isCapturing()).isFalse();
      assertThatThrownBy(() -> Graph.capture(stream, (Runnable) stream::await)).isNotNull();
      assertThat(stream.isCapturing()).as("after a refusal").isFalse();
    }
  }

  @Test
  void aStreamLaunchesAGraphThatNobodyAwaitsByItself() {
    try (Stream stream = device.stream()) {
      GlobalInts array = device.allocateInts(COUNT);
      Launch add = add(array, 2);
      Graph inner = Graph.capture(stream, () -> stream.launch(add));
      Graph outer = Graph.capture(stream, () -> stream.launch(inner));
      assertThat(outer.nodes()).extracting(GraphNode::kind).containsExactly(Kind.CHILD);
      stream.fill(array, 0);
      for (int i = 0; i < 100; i++) {
        stream.launch(inner);
      }
      stream.launch(outer);
      stream.await();
      assertAll(stream, array, 202);
      inner.close();
      outer.close();
      assertThatThrownBy(() -> stream.launch(inner)).isInstanceOf(ClosedException.class);
    }
  }

  @Test
  void whatIsCapturedIsDoneByEachLaunchAndNotBefore() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      MemorySegment in = pinned.allocate(JAVA_INT, COUNT);
      MemorySegment out = pinned.allocate(JAVA_INT, COUNT);
      GlobalInts array = device.allocateInts(COUNT);
      stream.fill(array, -1);
      stream.await();
      Graph graph =
          Graph.capture(
              stream,
              () -> {
                assertThat(stream.copy(in, array).route().kind()).isEqualTo(Route.Kind.DIRECT);
                stream.launch(add(array, 3));
                stream.copy(array, out);
              });
      assertThat(graph.nodes())
          .extracting(GraphNode::kind)
          .containsExactly(Kind.COPY, Kind.KERNEL, Kind.COPY);
      assertAll(stream, array, -1);
      for (int launch = 0; launch < 5; launch++) {
        in.setAtIndex(JAVA_INT, 7, launch * 10);
        graph.launch(stream).await();
        assertThat(out.getAtIndex(JAVA_INT, 7)).isEqualTo(launch * 10 + 3);
        assertThat(out.getAtIndex(JAVA_INT, 8)).isEqualTo(3);
      }
      graph.close();
    }
  }

  @Test
  void aForkThatIsJoinedBecomesADiamond() {
    try (Stream stream = device.stream();
        Stream side = device.stream()) {
      GlobalInts a = device.allocateInts(COUNT);
      GlobalInts b = device.allocateInts(COUNT);
      Graph graph =
          Graph.capture(
              stream,
              main -> {
                main.fill(a, 1);
                Event forked = main.record();
                side.waitFor(forked);
                side.copy(a, b);
                side.launch(add(b, 10));
                main.then(() -> {}); // no conflict with the other branch
                main.waitFor(side.record());
                main.launch(add(b, 100));
                main.launch(add(a, 5));
              });
      assertThat(graph.nodes().get(4).after())
          .containsExactlyInAnyOrder(graph.nodes().get(2), graph.nodes().get(3));
      assertThat(graph.nodes().get(3).after()).containsExactly(graph.nodes().get(0));
      for (int i = 0; i < 3; i++) {
        graph.launch(side);
      }
      graph.launch(stream).await();
      assertAll(stream, b, 111);
      assertAll(stream, a, 6);
      stream.fill(a, 0); // the streams are the program's again
      side.fill(b, 0).await();
      graph.close();
    }
  }

  @Test
  void aBuiltGraphIsTheSameAsACapturedOne() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts array = device.allocateInts(COUNT);
        GlobalInts other = device.allocateInts(COUNT)) {
      MemorySegment out = pinned.allocate(JAVA_INT, COUNT);
      GraphBuilder builder = Graph.builder(device);
      GraphNode first = builder.fill(array, 4);
      GraphNode second = builder.fill(other, 5);
      GraphNode join = builder.join(first, second);
      GraphNode local = builder.copy(array, other, join);
      GraphNode add = builder.launch(add(other, 6), local);
      builder.copy(other, out, add);
      try (Graph graph = builder.build().instantiate()) {
        assertThat(graph.segments()).isOne();
        graph.upload(stream);
        graph.launch(stream);
        graph.launch(stream).await();
        assertThat(out.getAtIndex(JAVA_INT, COUNT - 1)).isEqualTo(10);
        assertThatThrownBy(() -> builder.fill(array, 1)).isInstanceOf(IllegalStateException.class);
      }
    }
  }

  @Test
  void everySizeOfElementIsFilled() {
    try (Stream stream = device.stream()) {
      GlobalBytes bytes = device.allocateBytes(1001);
      GlobalHalfs halfs = device.allocateHalfs(1001);
      GlobalFloats floats = device.allocateFloats(1001);
      GlobalLongs longs = device.allocateLongs(1001);
      GlobalDoubles doubles = device.allocateDoubles(1001);
      try (Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.fill(bytes, (byte) -7);
                stream.fill(halfs, 1.5f);
                stream.fill(floats, 2.5f);
                stream.fill(longs, 0x0123456789abcdefL);
                stream.fill(doubles, Math.PI);
              })) {
        graph.launch(stream).await();
      }
      assertThat(read(stream, bytes)).containsOnly(-7);
      long[] back = new long[1001];
      stream.copy(longs, back).await();
      assertThat(back).containsOnly(0x0123456789abcdefL);
      double[] pi = new double[1001];
      stream.copy(doubles, pi).await();
      assertThat(pi).containsOnly(Math.PI);
      float[] twoAndAHalf = new float[1001];
      stream.copy(floats, twoAndAHalf).await();
      assertThat(twoAndAHalf).containsOnly(2.5f);
      assertThat(read(stream, halfs)[1]).isEqualTo((byte) (Float.floatToFloat16(1.5f) >> 8));
    }
  }

  @Test
  void rowsThatLieApartAreCopied() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      byte[] data = bytes(10_000, 3);
      MemorySegment in = pinned(pinned, data);
      MemorySegment out = pinned.allocate(10_000);
      GlobalBytes a = device.allocateBytes(10_000);
      GlobalBytes b = device.allocateBytes(10_000);
      try (Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.copy2D(in, 100, a, 80, 60, 90);
                stream.copy2D(a, 80, b, 90, 60, 90);
                stream.copy2D(b, 90, out, 100, 60, 90);
              })) {
        graph.launch(stream).await();
        for (int row = 0; row < 90; row++) {
          assertThat(read(out.asSlice(row * 100L, 60)))
              .isEqualTo(Arrays.copyOfRange(data, row * 100, row * 100 + 60));
        }
        GraphNode rows = graph.nodes().getFirst();
        GraphRefusals.refused(() -> graph.setCopy(rows, in, a), "a copy of one contiguous range");
      }
    }
  }

  // --- callbacks
  // ----------------------------------------------------------------------------------

  @Test
  void callbacksRunInOrderOffTheDriversThreads() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        ExecutorService executor = Executors.newSingleThreadExecutor(r -> new Thread(r, "mine"))) {
      MemorySegment host = pinned.allocate(JAVA_INT, COUNT);
      GlobalInts array = device.allocateInts(COUNT);
      ConcurrentLinkedQueue<String> threads = new ConcurrentLinkedQueue<>();
      Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.fill(array, 1);
                stream.copy(array, host);
                stream.then(
                    () -> {
                      threads.add(Thread.currentThread().getName());
                      host.setAtIndex(JAVA_INT, 0, host.getAtIndex(JAVA_INT, 0) + 41);
                    },
                    executor);
                stream.copy(host, array);
                stream.launch(add(array, 1000));
                stream.copy(array, host);
                stream.then(() -> host.setAtIndex(JAVA_INT, 1, 5));
              });
      assertThat(graph.segments()).isEqualTo(2);
      for (int i = 0; i < 3; i++) {
        graph.launch(stream).await();
        assertThat(host.getAtIndex(JAVA_INT, 0)).isEqualTo(1042);
        assertThat(host.getAtIndex(JAVA_INT, 1)).isEqualTo(5);
        assertThat(host.getAtIndex(JAVA_INT, 2)).isEqualTo(1001);
      }
      if (!machine.isSeeded()) {
        assertThat(threads).hasSize(3).containsOnly("mine");
      }
      graph.close();
    }
  }

  @Test
  void whatACallbackThrowsIsReportedWhereTheStreamIsAwaited() {
    try (Stream stream = device.stream()) {
      GraphBuilder builder = Graph.builder(device);
      builder.then(
          () -> {
            throw new IllegalStateException("thrown on purpose");
          });
      try (Graph graph = builder.build()) {
        graph.launch(stream);
        assertThatThrownBy(stream::await).hasMessageContaining("thrown on purpose");
      }
    }
  }

  @Test
  void launchesWithCallbacksNeverOverlap() {
    try (Stream one = device.stream();
        Stream two = device.stream()) {
      GlobalInts array = device.allocateInts(COUNT);
      one.fill(array, 0).await();
      AtomicInteger inside = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();
      try (Graph graph =
          Graph.capture(
              one,
              () -> {
                one.launch(add(array, 1));
                one.then(() -> most.accumulateAndGet(inside.incrementAndGet(), Math::max));
                one.launch(add(array, 1));
                one.then(inside::decrementAndGet);
              })) {
        for (int i = 0; i < 6; i++) {
          graph.launch(i % 2 == 0 ? one : two);
        }
        device.await();
        assertThat(most.get()).isOne();
        assertAll(one, array, 12);
      }
    }
  }

  // --- graphs in graphs
  // ---------------------------------------------------------------------------

  @Test
  void aGraphIsANodeOfAnother() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(COUNT)) {
      Graph inner =
          Graph.capture(
              stream,
              () -> {
                stream.launch(add(array, 1));
                stream.launch(add(array, 2));
              });
      Graph outer =
          Graph.capture(
              stream,
              () -> {
                stream.fill(array, 100);
                inner.launch(stream);
                inner.launch(stream);
                stream.launch(add(array, 10));
              });
      inner.setArgument(inner.nodes().getFirst(), 1, 1000); // the outer one has its own
      inner.close();
      assertThat(outer.nodes())
          .extracting(GraphNode::kind)
          .containsExactly(Kind.FILL, Kind.CHILD, Kind.CHILD, Kind.KERNEL);
      outer.launch(stream).await();
      assertAll(stream, array, 116);
      outer.close();
    }
  }

  @Test
  void aGraphWithCallbacksIsANodeOfAnotherToo() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(COUNT)) {
      AtomicInteger calls = new AtomicInteger();
      Graph inner =
          Graph.capture(
              stream,
              () -> {
                stream.launch(add(array, 1));
                stream.then(calls::incrementAndGet);
                stream.launch(add(array, 2));
              });
      GraphBuilder builder = Graph.builder(device);
      GraphNode fill = builder.fill(array, 7);
      GraphNode child = builder.child(inner, fill);
      GraphNode again = builder.child(inner, child);
      builder.launch(add(array, 10), again);
      inner.close();
      try (Graph outer = builder.build()) {
        assertThat(outer.segments()).isEqualTo(3);
        outer.launch(stream);
        outer.launch(stream).await();
        assertAll(stream, array, 23);
        assertThat(calls.get()).isEqualTo(4);
      }
    }
  }

  // --- parameters
  // ---------------------------------------------------------------------------------

  @Test
  void parametersChangeForTheLaunchesThatFollow() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts a = device.allocateInts(COUNT);
        GlobalInts b = device.allocateInts(COUNT)) {
      MemorySegment out = pinned.allocate(JAVA_INT, COUNT);
      MemorySegment part = pinned.allocate(JAVA_INT, 10);
      Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.fill(a, 1);
                stream.launch(add(a, 1));
                stream.copy(a, b);
                stream.copy(b, out);
              });
      List<GraphNode> nodes = graph.nodes();
      Gate gate = gate(stream);
      graph.launch(stream); // held back, with the parameters of now
      GlobalInts kept = device.allocateInts(COUNT);
      graph.setFill(nodes.get(0), a, 20);
      graph.setArgument(nodes.get(1), 1, 300);
      graph.setCopy(nodes.get(2), a, kept);
      graph.setCopy(nodes.get(3), kept.slice(5, 10), part);
      graph.launch(stream);
      gate.open();
      stream.await();
      assertThat(out.getAtIndex(JAVA_INT, 3)).isEqualTo(2);
      assertThat(part.getAtIndex(JAVA_INT, 3)).isEqualTo(320);
      assertAll(stream, b, 2);
      assertAll(stream, kept, 320);
      graph.setArgument(nodes.get(1), 1, 0);
      graph.launch(stream).await();
      assertThat(part.getAtIndex(JAVA_INT, 0)).isEqualTo(20);
      kept.close();
      graph.launch(stream).await();
      graph.close();
    }
  }

  @Test
  void whatCudaCannotChangeIsRefused() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts a = device.allocateInts(10);
        GlobalLongs longs = device.allocateLongs(10)) {
      MemorySegment host = pinned.allocate(JAVA_INT, 10);
      Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.copy(host, a);
                stream.fill(longs, 1L);
                stream.then(() -> {});
                stream.fill(a, 3);
              });
      List<GraphNode> nodes = graph.nodes();
      GraphRefusals.refused(
          () -> graph.setCopy(nodes.get(0), a, host), "neither its direction nor its devices");
      GraphRefusals.refused(() -> graph.setFill(nodes.get(1), longs, 2L), "8 bytes");
      GraphRefusals.refused(() -> graph.setFill(nodes.get(2), a, 2), "is not a FILL");
      GraphRefusals.refused(() -> graph.setArgument(nodes.get(3), 1, 2), "is not a KERNEL");
      assertThatThrownBy(() -> graph.setFill(nodes.get(3), a, 2f))
          .isInstanceOf(IllegalArgumentException.class);
      Graph other = Graph.capture(stream, () -> stream.fill(a, 1));
      GraphRefusals.refused(() -> graph.setFill(other.nodes().getFirst(), a, 2), "does not belong");
      graph.launch(stream).await();
      assertAll(stream, a, 3);
      graph.close();
      other.close();
      assertThatThrownBy(() -> graph.launch(stream)).isInstanceOf(ClosedException.class);
      graph.close();
    }
  }

  // --- lifetimes
  // ----------------------------------------------------------------------------------

  @Test
  void aGraphKeepsWhatItsNodesUse() {
    try (Stream stream = device.stream()) {
      opened.settle();
      long before = device.freeBytes();
      PinnedArena pinned = device.pinnedArena();
      MemorySegment host = pinned.allocate(1 << 20);
      host.fill((byte) 5);
      GlobalBytes array = device.allocateBytes(1 << 20);
      GlobalBytes copy = device.allocateBytes(1 << 20);
      GlobalInts result = device.allocateInts(10);
      Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.copy(host, array);
                stream.copy(array, copy);
                stream.fill(result, 3);
              });
      pinned.close();
      array.close();
      assertThat(array.isOpen()).isFalse();
      for (int i = 0; i < 3; i++) {
        graph.launch(stream).await();
      }
      assertThat(read(stream, copy)).containsOnly(5);
      Gate gate = gate(stream);
      graph.launch(stream);
      graph.close();
      copy.close();
      result.close();
      gate.open();
      stream.await();
      if (machine.isVirtual()) {
        eventually("what the graph used is free", () -> device.freeBytes() >= before);
        eventually("the graph is gone", () -> opened.live().graphs() == 0);
      }
    }
  }

  @Test
  void whatAChangedNodeUsedIsLetGo() {
    try (Stream stream = device.stream()) {
      GlobalBytes first = device.allocateBytes(1 << 20);
      GlobalBytes second = device.allocateBytes(1 << 20);
      Graph graph = Graph.capture(stream, () -> stream.fill(first, (byte) 1));
      first.close();
      graph.launch(stream).await();
      long before = device.freeBytes();
      graph.setFill(graph.nodes().getFirst(), second, (byte) 2);
      if (machine.isVirtual()) {
        eventually("the first array is free", () -> device.freeBytes() >= before + (1 << 20));
      }
      graph.launch(stream).await();
      assertThat(read(stream, second)).containsOnly(2);
      assertThatThrownBy(() -> graph.setFill(graph.nodes().getFirst(), first, (byte) 2))
          .isInstanceOf(ClosedException.class);
      graph.close();
    }
  }

  @Test
  void argumentsChangeBesideArraysThatOnlyTheGraphKeeps() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      MemorySegment out = pinned.allocate(JAVA_INT, COUNT);
      GlobalInts array = device.allocateInts(COUNT);
      try (Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.fill(array, 1);
                stream.launch(add(array, 1));
                stream.copy(array, out);
              })) {
        array.close();
        graph.setArgument(graph.nodes().get(1), 1, 41);
        graph.launch(stream).await();
        assertThat(out.getAtIndex(JAVA_INT, 9)).isEqualTo(42);
      }
    }
  }

  @Test
  void thousandsOfLaunchesAreEnqueuedWithoutWaiting() {
    int launches = machine.isSeeded() ? Sample.of(500, 2500) : 2500; // there each is many steps
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(COUNT)) {
      stream.fill(array, 0);
      try (Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.launch(add(array, 1));
                stream.launch(add(array, 1));
              })) {
        for (int i = 0; i < launches; i++) {
          graph.launch(stream);
        }
      }
      stream.await();
      assertAll(stream, array, 2 * launches);
    }
  }

  @Test
  void aDeviceIsClosedWithGraphsInFlight() {
    Stream stream = device.stream();
    GlobalInts array = device.allocateInts(COUNT);
    Graph launched =
        Graph.capture(
            stream,
            () -> {
              stream.fill(array, 1);
              stream.then(() -> {});
              stream.launch(add(array, 1));
            });
    Graph idle = Graph.capture(stream, () -> stream.fill(array, 2));
    launched.launch(stream);
    launched.launch(stream);
    device.close(); // the fixture sees to it that nothing is held afterwards
    assertThatThrownBy(() -> idle.launch(stream)).isInstanceOf(ClosedException.class);
    launched.close();
    idle.close();
  }

  @Test
  void registeredMemoryRemainsTheProgramsOwn() {
    try (Stream stream = device.stream();
        Arena arena = Arena.ofShared()) {
      MemorySegment host = arena.allocate(1 << 20, 4096).fill((byte) 9);
      GlobalBytes array = device.allocateBytes(1 << 20);
      Registration registration = device.register(host, arena);
      try (Graph graph = Graph.capture(stream, () -> stream.copy(host, array))) {
        graph.launch(stream).await();
        assertThat(read(stream, array)).containsOnly(9);
        graph.launch(stream);
        registration.close();
        assertThatThrownBy(() -> graph.launch(stream)).isInstanceOf(ClosedException.class);
        stream.await();
      }
    }
  }

  @Test
  void aGraphWaitsForStagedBytesOfItsPinnedMemory() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      byte[] data = bytes(3 << 20, 5);
      MemorySegment host = pinned.allocate(data.length);
      GlobalBytes from = onDevice(stream, data);
      GlobalBytes to = device.allocateBytes(data.length);
      try (Graph graph = Graph.capture(stream, () -> stream.copy(host, to))) {
        stream.copy(from, host, Route.Kind.STAGED);
        graph.launch(stream).await();
        assertSame(read(stream, to), data);
      }
    }
  }

  // --- events
  // -------------------------------------------------------------------------------------

  @Test
  void eventsTellTheTimeOfPartsAndOrderGraphs() {
    try (Stream one = device.stream();
        Stream two = device.stream();
        GlobalBytes large = device.allocateBytes(32 << 20);
        GlobalInts array = device.allocateInts(COUNT)) {
      GraphEvent begin = GraphEvent.of(device);
      GraphEvent end = GraphEvent.of(device);
      assertThatThrownBy(() -> begin.elapsedTo(end)).isInstanceOf(IllegalStateException.class);
      GraphBuilder builder = Graph.builder(device);
      GraphNode first = builder.record(begin);
      GraphNode fill = builder.fill(large, (byte) 1, first);
      GraphNode set = builder.fill(array, 5, fill);
      builder.record(end, set);
      GraphBuilder later = Graph.builder(device);
      later.launch(add(array, 1), later.waitFor(end));
      try (Graph graph = builder.build();
          Graph after = later.build()) {
        for (int i = 0; i < 3; i++) {
          graph.launch(one);
          after.launch(two);
          two.await();
          assertAll(two, array, 6);
          one.await();
        }
        assertThat(begin.elapsedTo(end).toNanos()).isPositive();
        begin.close();
        end.close();
        graph.launch(one).await();
      }
    }
  }

  // --- a drawing
  // ----------------------------------------------------------------------------------

  @Test
  void theDrawingHasEveryNodeAndEdge() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(10);
        Graph graph =
            Graph.capture(
                stream,
                () -> {
                  stream.fill(array, 1);
                  stream.then(() -> {});
                })) {
      assertThat(graph.toDot())
          .startsWith("digraph ")
          .contains("n0 [shape=note, label=\"0: fill of 40 bytes\"")
          .contains("n1 [shape=house, label=\"1: callback\"")
          .contains("GraphTest.java")
          .contains("n0 -> n1;")
          .endsWith("}\n");
      assertThat(graph.nodes().getFirst().place().getMethodName()).contains("theDrawing");
    }
  }

  @Test
  void anEmptyGraphIsLaunchedLikeAnother() {
    try (Stream stream = device.stream();
        Graph graph = Graph.capture(stream, () -> {})) {
      assertThat(graph.nodes()).isEmpty();
      graph.upload(stream);
      graph.launch(stream).await();
    }
  }
}
