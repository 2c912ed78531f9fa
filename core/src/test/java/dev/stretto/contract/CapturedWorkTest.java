package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Batch;
import dev.stretto.CopyRequest;
import dev.stretto.Extent;
import dev.stretto.Graph;
import dev.stretto.GraphBranch;
import dev.stretto.GraphNode;
import dev.stretto.GraphNode.Kind;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Pitches;
import dev.stretto.SourceAccess;
import dev.stretto.Stream;
import dev.stretto.driver.ValueCondition;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Planes, batches, numbers, bodies and memory in captures. */
class CapturedWorkTest extends ContractTest {
  private static final Grid ONE = Grid.of(1, 32);
  private static final int COUNT = 4096;

  private Stream stream;
  private Stream side;
  private PinnedArena pinned;

  @BeforeEach
  void prepare() {
    stream = device.stream();
    side = device.stream();
    pinned = device.pinnedArena();
  }

  @AfterEach
  void closeStreams() {
    if (device.isOpen()) {
      stream.close();
      side.close();
      pinned.close();
    }
  }

  private int[] ints(GlobalInts array) {
    int[] values = new int[Math.toIntExact(array.length())];
    stream.copy(array, values).await();
    return values;
  }

  private static int[] all(int value) {
    int[] values = new int[COUNT];
    Arrays.fill(values, value);
    return values;
  }

  private static List<Kind> kinds(Graph graph) {
    return graph.nodes().stream().map(GraphNode::kind).toList();
  }

  // --- planes
  // -------------------------------------------------------------------------------------------------------

  @Test
  void planesAreCopiedByEachLaunch() {
    Extent extent = new Extent(12, 5, 3);
    Pitches tight = new Pitches(12, 60);
    Pitches loose = new Pitches(16, 96);
    try (GlobalBytes first = device.allocateBytes(512);
        GlobalBytes second = device.allocateBytes(512)) {
      MemorySegment in = pinned.allocate(512);
      MemorySegment out = pinned.allocate(512);
      try (Graph graph =
          Graph.capture(
              stream,
              s -> {
                s.copy3D(in, tight, first, loose, extent);
                s.copy3D(first, loose, second, tight, extent);
                s.copy3D(second, tight, out, loose, extent);
              })) {
        assertThat(kinds(graph)).containsExactly(Kind.COPY, Kind.COPY, Kind.COPY);
        assertThat(graph.nodes().getFirst().description())
            .isEqualTo("copy of 3 planes of 5 rows of 12 bytes to the device");
        for (int round = 1; round <= 3; round++) {
          for (int i = 0; i < 180; i++) {
            in.set(java.lang.foreign.ValueLayout.JAVA_BYTE, i, (byte) (i * round));
          }
          out.fill((byte) 0);
          graph.launch(stream).await();
          for (int at = 0; at < 288; at++) {
            int row = at % 96 / 16;
            boolean isOf = at % 96 < 80 && at % 16 < 12;
            int expected = isOf ? (at / 96 * 60 + row * 12 + at % 16) * round : 0;
            assertThat(out.get(java.lang.foreign.ValueLayout.JAVA_BYTE, at))
                .as("byte %d of round %d", at, round)
                .isEqualTo((byte) expected);
          }
        }
      }
    }
  }

  @Test
  void planesThatDoNotFitAreRefused() {
    try (GlobalBytes array = device.allocateBytes(100)) {
      MemorySegment host = pinned.allocate(100);
      Pitches pitches = new Pitches(10, 50);
      assertThatThrownBy(
              () ->
                  Graph.capture(
                      stream, s -> s.copy3D(host, pitches, array, pitches, new Extent(10, 5, 3))))
          .isInstanceOf(IndexOutOfBoundsException.class);
      MemorySegment pageable = MemorySegment.ofArray(new byte[100]);
      GraphRefusals.refused(
          () ->
              Graph.capture(
                  stream, s -> s.copy3D(pageable, pitches, array, pitches, new Extent(10, 5, 2))),
          "pageable host memory");
    }
  }

  // --- batches
  // -------------------------------------------------------------------------------------------------------

  @Test
  void theCopiesOfABatchAreNotOrderedAmongEachOther() {
    try (GlobalInts array = device.allocateInts(COUNT)) {
      MemorySegment in = pinned.allocate(JAVA_INT, COUNT);
      MemorySegment out = pinned.allocate(JAVA_INT, COUNT);
      List<Batch> batches = new ArrayList<>();
      Graph graph =
          Graph.capture(
              stream,
              s -> {
                s.fill(array, 0);
                List<CopyRequest> copies = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                  copies.add(
                      CopyRequest.of(
                          in.asSlice(i * COUNT / 2L, COUNT / 2),
                          array.slice(i * COUNT / 8, COUNT / 8)));
                }
                batches.add(s.copyAll(copies));
                s.copy(array, out);
              });
      assertThat(graph.nodes()).hasSize(10);
      assertThat(graph.nodes().subList(1, 9))
          .allSatisfy(node -> assertThat(node.after()).containsExactly(graph.nodes().getFirst()));
      assertThat(graph.nodes().getLast().after()).hasSize(8);
      assertThat(batches.getFirst().copies()).hasSize(8);
      assertThatThrownBy(() -> batches.getFirst().await()).isInstanceOf(GraphException.class);
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < COUNT; i++) {
          in.setAtIndex(JAVA_INT, i, i + round);
        }
        graph.launch(stream).await();
        for (int i = 0; i < COUNT; i++) {
          assertThat(out.getAtIndex(JAVA_INT, i)).isEqualTo(i + round);
        }
      }
      graph.close();
    }
  }

  @Test
  void aBatchWhoseOrderWouldMatterIsRefusedAsOnAStream() {
    try (GlobalInts array = device.allocateInts(COUNT)) {
      MemorySegment in = pinned.allocate(JAVA_INT, COUNT);
      assertThatThrownBy(
              () ->
                  Graph.capture(
                      stream,
                      s ->
                          s.copyAll(List.of(CopyRequest.of(in, array), CopyRequest.of(in, array)))))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> Graph.capture(stream, s -> s.copyAll(List.of())))
          .isInstanceOf(IllegalArgumentException.class);
      GraphRefusals.refused(
          () ->
              Graph.capture(
                  stream,
                  s ->
                      s.copyAll(
                          List.of(CopyRequest.of(in, array).reading(SourceAccess.DURING_CALL)))),
          "during the call");
    }
  }

  // --- numbers
  // -------------------------------------------------------------------------------------------------------

  @Test
  void aGraphWaitsForNumbersAndWritesThem() {
    try (GlobalInts flags = device.allocateSignals(4);
        GlobalInts array = device.allocateInts(COUNT)) {
      stream.fill(flags, 0);
      stream.fill(array, 0).await();
      try (Graph graph =
          Graph.capture(
              stream,
              s -> {
                s.waitValue(flags, 0, 1, ValueCondition.AT_LEAST);
                s.fill(array, 7);
                s.writeValue(flags, 1, 5);
              })) {
        assertThat(kinds(graph)).containsExactly(Kind.WAIT_VALUE, Kind.FILL, Kind.WRITE_VALUE);
        graph.launch(stream);
        side.writeValue(flags, 0, 1);
        side.waitValue(flags, 1, 5, ValueCondition.EQUAL);
        int[] values = new int[COUNT];
        side.copy(array, values).await();
        assertThat(values).isEqualTo(all(7));
        stream.await();
      }
    }
  }

  // --- bodies
  // -------------------------------------------------------------------------------------------------------

  @Test
  void aBodyIsCapturedInTheMiddle() {
    try (GlobalInts cells = device.allocateInts(4)) {
      GlobalInts sum = cells.slice(0, 1);
      GlobalInts isBelow = cells.slice(1, 1);
      try (Graph graph =
          Graph.capture(
              stream,
              s -> {
                s.fill(isBelow, 1);
                GraphBranch.whileNonZero(
                    s,
                    isBelow,
                    body -> body.launch(ONE, GraphKernels::addBelow, sum, 3, 20, isBelow));
                GraphBranch.ifNonZero(
                    s,
                    sum,
                    body -> body.fill(cells.slice(2, 1), 5),
                    otherwise -> otherwise.fill(cells.slice(2, 1), 6));
                GraphBranch.ifNonZero(s, isBelow, body -> body.fill(sum, -1));
                s.launch(ONE, GraphKernels::add, sum, 100);
              })) {
        assertThat(kinds(graph))
            .containsExactly(Kind.FILL, Kind.WHILE, Kind.IF, Kind.IF, Kind.KERNEL);
        for (int start : new int[] {0, 5, 50}) {
          stream.fill(sum, start);
          graph.launch(stream);
          int expected = start;
          do {
            expected += 3;
          } while (expected < 20);
          assertThat(ints(cells)).startsWith(expected + 100, 0, 5);
        }
      }
    }
  }

  @Test
  void oneOfSeveralBodiesIsCaptured() {
    try (GlobalInts cells = device.allocateInts(8)) {
      GlobalInts which = cells.slice(0, 1);
      List<Consumer<Stream>> bodies = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        GlobalInts cell = cells.slice(1 + i, 1);
        int value = 10 + i;
        bodies.add(body -> body.fill(cell, value));
      }
      try (Graph graph = Graph.capture(stream, s -> GraphBranch.switchOn(s, which, bodies))) {
        for (int i = -1; i <= 4; i++) {
          stream.fill(cells, 0);
          stream.fill(which, i);
          graph.launch(stream);
          int[] values = ints(cells);
          int chosen = i;
          assertThat(Arrays.stream(values, 1, 5).toArray())
              .isEqualTo(IntStream.range(0, 4).map(n -> n == chosen ? 10 + n : 0).toArray());
        }
      }
    }
  }

  @Test
  void aBodyForksAndJoins() {
    try (GlobalInts cells = device.allocateInts(8)) {
      GlobalInts flag = cells.slice(0, 1);
      stream.fill(cells, 1);
      try (Graph graph =
          Graph.capture(
              stream,
              s ->
                  GraphBranch.ifNonZero(
                      s,
                      flag,
                      body -> {
                        side.waitFor(body.record());
                        side.fill(cells.slice(1, 1), 2);
                        body.fill(cells.slice(2, 1), 3);
                        body.waitFor(side.record());
                        GraphBranch.ifNonZero(body, flag, deep -> deep.fill(cells.slice(3, 1), 4));
                      }))) {
        assertThat(side.isCapturing()).isFalse();
        graph.launch(stream);
        assertThat(ints(cells)).startsWith(1, 2, 3, 4, 1);
        stream.fill(flag, 0);
        stream.fill(cells.slice(1, 3), 9);
        graph.launch(stream);
        assertThat(ints(cells)).startsWith(0, 9, 9, 9, 1);
      }
    }
  }

  @Test
  void whatDoesNotBelongToABodyIsRefused() {
    try (GlobalInts cells = device.allocateInts(8);
        GlobalInts signals = device.allocateSignals(1)) {
      GlobalInts flag = cells.slice(0, 1);
      GraphRefusals.refused(
          () -> GraphBranch.ifNonZero(stream, flag, s -> s.fill(cells, 1)), "not being captured");
      inBody("callback cannot be in the body", flag, body -> body.then(() -> {}));
      inBody("number cannot be in the body", flag, body -> body.writeValue(signals, 0, 1));
      inBody(
          "is not yet joined on",
          flag,
          body -> {
            side.waitFor(body.record());
            side.fill(cells.slice(2, 1), 1);
          });
      GraphRefusals.refused(
          () ->
              Graph.capture(
                  stream,
                  s -> {
                    side.waitFor(s.record());
                    GraphBranch.ifNonZero(s, flag, body -> side.fill(cells.slice(2, 1), 1));
                  }),
          "is captured outside the body");
      GraphRefusals.refused(
          () ->
              Graph.capture(
                  stream,
                  s -> {
                    var event = s.record();
                    GraphBranch.ifNonZero(s, flag, body -> body.waitFor(event));
                  }),
          "of the graph around the body");
      assertThatThrownBy(
              () -> Graph.capture(stream, s -> GraphBranch.ifNonZero(s, cells, body -> {})))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("slice(i, 1)");
      assertThat(stream.isCapturing()).isFalse();
      assertThat(side.isCapturing()).isFalse();
      stream.fill(cells, 3).await();
    }
  }

  private void inBody(String why, GlobalInts flag, Consumer<Stream> body) {
    GraphRefusals.refused(
        () -> Graph.capture(stream, s -> GraphBranch.ifNonZero(s, flag, body)), why);
  }

  // --- memory
  // -------------------------------------------------------------------------------------------------------

  @Test
  void aCaptureAllocatesMemoryOfTheGraph() {
    MemorySegment in = pinned.allocate(JAVA_INT, COUNT);
    MemorySegment out = pinned.allocate(JAVA_INT, COUNT);
    opened.settle();
    long before = device.freeBytes();
    Graph graph =
        Graph.capture(
            stream,
            s -> {
              try (GlobalInts array = s.allocateInts(COUNT)) {
                s.copy(in, array);
                s.launch(Grid.covering(COUNT, 128), Kernels.ADD, array, 3, COUNT);
                s.copy(array, out);
              }
            });
    assertThat(kinds(graph))
        .containsExactly(Kind.ALLOCATE, Kind.COPY, Kind.KERNEL, Kind.COPY, Kind.FREE);
    assertThat(graph.memoryBytes()).isEqualTo(4L * COUNT);
    for (int round = 0; round < 3; round++) {
      in.fill((byte) 0);
      in.setAtIndex(JAVA_INT, 7, round);
      graph.launch(stream).await();
      assertThat(out.getAtIndex(JAVA_INT, 7)).isEqualTo(round + 3);
      assertThat(out.getAtIndex(JAVA_INT, 8)).isEqualTo(3);
    }
    graph.close();
    opened.settle();
    assertThat(device.freeBytes()).isEqualTo(before);
  }

  @Test
  void whatOneNodeFreesAnotherOneBehindItHasAgain() {
    try (GlobalInts result = device.allocateInts(COUNT)) {
      Graph graph =
          Graph.capture(
              stream,
              s -> {
                for (int i = 0; i < 10; i++) {
                  GlobalInts array = s.allocateInts(COUNT - 8 * i);
                  s.fill(array, i);
                  s.copy(array, result.slice(0, array.length()));
                  array.close();
                }
                GlobalInts first = s.allocateInts(COUNT / 2);
                GlobalInts second = s.allocateInts(COUNT / 2);
                first.close();
                second.close();
              });
      assertThat(graph.memoryBytes()).isEqualTo(4L * COUNT + 2L * COUNT);
      graph.launch(stream);
      int[] values = ints(result);
      for (int i = 0; i < COUNT; i++) {
        assertThat(values[i]).isEqualTo(Math.min(9, (COUNT - 1 - i) / 8));
      }
      graph.close();
    }
  }

  @Test
  void memoryThatIsStillUsedBesideIsNotUsedAgain() {
    try (GlobalInts result = device.allocateInts(COUNT)) {
      Graph graph =
          Graph.capture(
              stream,
              s -> {
                side.waitFor(s.record());
                GlobalInts mine = s.allocateInts(COUNT);
                s.fill(mine, 1);
                mine.close();
                GlobalInts other = side.allocateInts(COUNT); // not behind the first one's free
                side.fill(other, 2);
                side.copy(other, result);
                other.close();
                s.waitFor(side.record());
              });
      assertThat(graph.memoryBytes()).isEqualTo(8L * COUNT);
      graph.launch(stream);
      assertThat(ints(result)).isEqualTo(all(2));
      graph.close();
    }
  }

  @Test
  void aFreeComesAfterUsesOnEveryStream() {
    MemorySegment out = pinned.allocate(JAVA_INT, COUNT);
    Graph graph =
        Graph.capture(
            stream,
            s -> {
              GlobalInts array = s.allocateInts(COUNT);
              s.fill(array, 4);
              side.waitFor(s.record());
              side.copy(array, out);
              array.close(); // the node waits for the copy, and joins the other stream
              s.waitFor(side.record());
            });
    assertThat(graph.nodes().getLast().kind()).isEqualTo(Kind.FREE);
    assertThat(graph.nodes().getLast().after())
        .extracting(GraphNode::kind)
        .contains(Kind.FILL, Kind.COPY);
    graph.launch(stream).await();
    assertThat(out.getAtIndex(JAVA_INT, COUNT - 1)).isEqualTo(4);
    graph.close();
  }

  @Test
  void anArrayThatIsNotFreedIsTheProgramsUntilTheGraphIsClosed() {
    List<GlobalInts> arrays = new ArrayList<>();
    Graph graph =
        Graph.capture(
            stream,
            s -> {
              arrays.add(s.allocateInts(COUNT));
              s.fill(arrays.getFirst(), 6);
            });
    GlobalInts array = arrays.getFirst();
    graph.launch(stream);
    assertThat(ints(array)).isEqualTo(all(6));
    graph.close();
    assertThat(array.isOpen()).isFalse();
    assertThatThrownBy(() -> stream.fill(array, 1)).isInstanceOf(ClosedException.class);
    array.close();
  }

  @Test
  void whatIsFreedInACaptureIsNotUsedAnyMore() {
    assertThatThrownBy(
            () ->
                Graph.capture(
                    stream,
                    s -> {
                      GlobalInts array = s.allocateInts(COUNT);
                      s.free(array);
                      s.fill(array, 1);
                    }))
        .isInstanceOf(ClosedException.class);
    try (GlobalInts outside = device.allocateInts(10)) {
      GraphRefusals.refused(
          () -> Graph.capture(stream, s -> s.freeOnClose(outside)), "outside the capture");
    }
  }

  @Test
  void aCaptureThatFailsFreesWhatItHasAllocated() {
    opened.settle();
    long before = device.freeBytes();
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(
              () ->
                  Graph.capture(
                      stream,
                      s -> {
                        s.allocateInts(1 << 20);
                        s.allocateInts(1 << 20).close();
                        s.await();
                      }))
          .isInstanceOf(GraphException.class);
    }
    opened.settle();
    assertThat(device.freeBytes()).isEqualTo(before);
  }

  @Test
  void memoryOfAChildIsKeptByTheGraphAroundIt() {
    MemorySegment out = pinned.allocate(JAVA_INT, COUNT);
    Graph inner =
        Graph.capture(
            stream,
            s -> {
              GlobalInts array = s.allocateInts(COUNT);
              s.fill(array, 8);
              s.copy(array, out);
            });
    Graph outer = Graph.capture(stream, s -> inner.launch(s));
    inner.close();
    outer.launch(stream).await();
    assertThat(out.getAtIndex(JAVA_INT, 17)).isEqualTo(8);
    outer.close();
  }
}
