package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Extent;
import dev.stretto.Graph;
import dev.stretto.GraphBranch;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphEvent;
import dev.stretto.GraphMisfit;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Observer;
import dev.stretto.PeerAccess;
import dev.stretto.PinnedArena;
import dev.stretto.Pitches;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.GraphException;
import dev.stretto.fault.PeerAccessException;
import dev.stretto.fault.RaceException;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Graphs whose work two devices do. */
class GraphsOverDevicesTest extends ContractTest {
  private static final int COUNT = 3000;

  private Device other;
  private Stream stream;
  private Stream far;
  private PeerAccess there;
  private PeerAccess back;

  @Override
  Machine.Opened opened() {
    return machine.openPair(UnaryOperator.identity());
  }

  @BeforeEach
  void openTheOther() {
    assumeTrue(opened.devices().size() > 1);
    other = opened.devices().get(1);
    assumeTrue(device.canAccess(other) && other.canAccess(device));
    stream = device.stream();
    far = other.stream();
    there = device.enablePeerAccess(other);
    back = other.enablePeerAccess(device);
  }

  @AfterEach
  void closeTheOther() {
    if (there != null) {
      there.close();
      back.close();
      stream.close();
      far.close();
    }
  }

  private int[] ints(Device owner, GlobalInts array) {
    int[] values = new int[Math.toIntExact(array.length())];
    try (Stream reading = owner.stream()) {
      reading.copy(array, values).await();
    }
    return values;
  }

  private void fill(Device owner, GlobalInts array, int value) {
    try (Stream writing = owner.stream()) {
      writing.fill(array, value).await();
    }
  }

  private static Grid grid() {
    return Grid.covering(COUNT, 128);
  }

  // --- captures
  // -----------------------------------------------------------------------------------

  @Test
  void aCaptureForksToTheOtherDeviceAndJoins() {
    try (GlobalInts here = device.allocateInts(COUNT);
        GlobalInts away = other.allocateInts(COUNT);
        GlobalInts result = device.allocateInts(COUNT);
        Graph graph =
            Graph.capture(
                stream,
                () -> {
                  stream.launch(grid(), Kernels.ADD, here, 1, COUNT);
                  far.waitFor(stream.record());
                  far.fill(away, 100);
                  Copy copy = far.copy(here, away.slice(0, COUNT));
                  assertThat(copy.route().kind()).isEqualTo(Route.Kind.PEER);
                  far.launch(grid(), Kernels.ADD, away, 10, COUNT);
                  stream.waitFor(far.record());
                  stream.copy(away, result);
                })) {
      fill(device, here, 0);
      for (int i = 1; i <= 4; i++) {
        Event done = graph.launch(stream);
        done.await();
        assertThat(ints(other, away)).containsOnly(10 + i);
        assertThat(ints(device, result)).containsOnly(10 + i);
      }
    }
  }

  @Test
  void whatComesAfterALaunchComesAfterTheOtherDevicesWork() {
    try (GlobalInts away = other.allocateInts(COUNT);
        Graph graph =
            Graph.capture(
                stream,
                () -> {
                  far.waitFor(stream.record());
                  far.launch(grid(), Kernels.ADD, away, 1, COUNT);
                  stream.waitFor(far.record());
                })) {
      far.fill(away, 5);
      stream.waitFor(far.record());
      graph.launch(stream);
      far.waitFor(graph.launch(stream));
      far.launch(grid(), Kernels.ADD, away, 1, COUNT);
      far.await();
      assertThat(ints(other, away)).containsOnly(8);
    }
  }

  @Test
  void everyOperationOfTheOtherDeviceIsCaptured() {
    int[] cells = new int[24];
    Arrays.setAll(cells, i -> i);
    try (PinnedArena arena = other.pinnedArena();
        GlobalInts away = other.allocateInts(24);
        GlobalInts more = other.allocateInts(24);
        GlobalInts here = device.allocateInts(24)) {
      MemorySegment in = arena.allocate(96, 64).copyFrom(MemorySegment.ofArray(cells));
      MemorySegment out = arena.allocate(96, 64);
      fill(device, here, -1);
      fill(other, more, -1);
      boolean[] called = new boolean[1];
      try (Graph graph =
          Graph.capture(
              stream,
              () -> {
                far.waitFor(stream.record());
                far.copy(in, away);
                far.copy2D(away, 16, more, 16, 8, 6); // within the other device
                far.copy2D(away, 16, here, 16, 8, 3); // between devices
                Pitches pitches = new Pitches(16, 48);
                far.copy3D(away, pitches, here, pitches, new Extent(12, 2, 2));
                far.then(() -> called[0] = true);
                GlobalInts scratch = far.allocateInts(24);
                far.copy(more, scratch);
                far.copy(scratch, out);
                scratch.close();
                stream.waitFor(far.record());
              })) {
        graph.launch(stream).await();
        graph.launch(stream).await();
      }
      assertThat(called[0]).isTrue();
      int[] got = out.toArray(ValueLayout.JAVA_INT);
      int[] rows = ints(device, here);
      for (int i = 0; i < 24; i++) {
        assertThat(got[i]).as("row cell %d", i).isEqualTo(i % 4 < 2 ? i : -1);
        boolean ofRows = i < 12 && i % 4 < 2;
        boolean ofPlanes = i % 12 < 8 && i % 4 < 3;
        assertThat(rows[i]).as("cell %d", i).isEqualTo(ofRows || ofPlanes ? i : -1);
      }
    }
  }

  @Test
  void aGraphOfTheOtherDeviceIsANode() {
    try (GlobalInts away = other.allocateInts(COUNT);
        Graph inner = Graph.capture(far, () -> far.launch(grid(), Kernels.ADD, away, 3, COUNT))) {
      fill(other, away, 0);
      try (Graph graph =
          Graph.capture(
              stream,
              () -> {
                far.waitFor(stream.record());
                inner.launch(far);
                inner.launch(far);
                stream.waitFor(far.record());
              })) {
        graph.launch(stream).await();
        assertThat(ints(other, away)).containsOnly(6);
      }
    }
  }

  // --- builders
  // -----------------------------------------------------------------------------------

  @Test
  void aBuildersNodesAreOfTheDevicesOfTheirArrays() {
    try (GlobalInts here = device.allocateInts(COUNT);
        GlobalInts away = other.allocateInts(COUNT);
        GlobalInts twin = other.allocateInts(COUNT)) {
      Launch launch = other.prepare(grid(), Kernels.ADD, twin, 4, COUNT);
      GraphBuilder builder = Graph.builder(device);
      GraphNode filled = builder.fill(away, 7);
      GraphNode local = builder.copy(away, twin, filled);
      GraphNode added = builder.launch(launch, local);
      GraphNode rows = builder.copy2D(twin, 40, here, 40, 20, COUNT / 10, added);
      try (Graph graph = builder.build()) {
        fill(device, here, 0);
        graph.launch(stream).await();
        int[] values = ints(device, here);
        for (int i = 0; i < COUNT; i++) {
          assertThat(values[i]).isEqualTo(i % 10 < 5 ? 11 : 0);
        }
        assertThat(rows.description()).contains("between devices");
        GraphRefusals.refused(() -> graph.setFill(filled, here, 1), "does not lie on");
        graph.setFill(filled, away.slice(0, 100), 9);
        graph.setArgument(added, 1, 5);
        graph.setCopy(local, away.slice(0, 200), twin.slice(0, 200));
        graph.launch(stream).await();
        assertThat(Arrays.copyOf(ints(other, twin), 300))
            .satisfies(
                all -> {
                  assertThat(Arrays.copyOf(all, 100)).containsOnly(14);
                  assertThat(Arrays.copyOfRange(all, 100, 200)).containsOnly(12);
                  assertThat(Arrays.copyOfRange(all, 200, 300)).containsOnly(16);
                });
        graph.setEnabled(added, false);
        graph.launch(stream).await();
        assertThat(ints(other, twin)[0]).isEqualTo(9);
        graph.setEnabled(added, true);
        graph.launch(stream).await();
        assertThat(ints(other, twin)[0]).isEqualTo(14);
      }
    }
  }

  @Test
  void anotherCaptureFitsIfItsWorkIsOnTheSameDevices() {
    try (GlobalInts here = device.allocateInts(COUNT);
        GlobalInts away = other.allocateInts(COUNT);
        Graph graph = onTheOther(away, 3);
        Graph next = onTheOther(away, 4);
        Graph unfit =
            Graph.capture(
                stream,
                () -> {
                  stream.fill(here, 3);
                  stream.launch(grid(), Kernels.ADD, here, 1, COUNT);
                })) {
      assertThat(graph.misfits(next)).isEmpty();
      graph.update(next);
      graph.launch(stream).await();
      assertThat(ints(other, away)).containsOnly(5);
      List<GraphMisfit> misfits = graph.misfits(unfit);
      assertThat(misfits).hasSize(2);
      assertThat(misfits).allSatisfy(m -> assertThat(m.reason()).contains("stays on its device"));
      GraphRefusals.refused(() -> graph.update(unfit), "stays on its device");
    }
  }

  private Graph onTheOther(GlobalInts away, int value) {
    return Graph.capture(
        stream,
        () -> {
          far.waitFor(stream.record());
          far.fill(away, value);
          far.launch(grid(), Kernels.ADD, away, 1, COUNT);
          stream.waitFor(far.record());
        });
  }

  // --- refusals
  // -----------------------------------------------------------------------------------

  @Test
  void whatAGraphOverDevicesCannotHaveIsRefused() {
    try (GlobalInts away = other.allocateInts(1);
        GlobalInts condition = device.allocateInts(1);
        Graph decides =
            Graph.capture(far, () -> GraphBranch.ifNonZero(far, away, body -> body.fill(away, 1)));
        GraphEvent event = GraphEvent.of(other);
        Graph records = recording(event)) {
      GraphBuilder builder = Graph.builder(device);
      GraphRefusals.refused(() -> builder.child(decides), "the device that decides");
      GraphRefusals.refused(() -> builder.child(records), "GraphEvent.of(device)");
      GraphRefusals.refused(
          () -> builder.ifNonZero(condition, body -> body.fill(away, 1)), "stays on one device");
      GraphRefusals.refused(
          () -> Graph.capture(stream, () -> stream.fill(away, 1)), "a stream of its own device");
      GraphRefusals.refused(
          () ->
              Graph.capture(
                  stream,
                  () -> {
                    far.waitFor(stream.record());
                    far.fill(away, 1);
                  }),
          "is not yet joined");
      Event outside = far.record();
      GraphRefusals.refused(
          () -> Graph.capture(stream, () -> stream.waitFor(outside)), "recorded outside");
      GraphRefusals.refused(
          () ->
              Graph.capture(
                  stream,
                  () -> {
                    far.waitFor(stream.record());
                    other.allocateInts(1);
                  }),
          "do it before the capture");
      GraphRefusals.refused(
          () ->
              Graph.capture(
                  stream,
                  () ->
                      GraphBranch.ifNonZero(
                          stream, condition, body -> far.waitFor(stream.record()))),
          "stays on one device");
      assertThatThrownBy(() -> decides.launch(stream)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  private Graph recording(GraphEvent event) {
    GraphBuilder builder = Graph.builder(other);
    builder.record(event);
    return builder.build();
  }

  @Test
  void aDeviceOfAnotherDriverTakesNoPart() {
    try (Device stranger = Device.open("virtual:h200");
        Stream strange = stranger.stream();
        GlobalInts away = stranger.allocateInts(1)) {
      GraphRefusals.refused(
          () -> Graph.capture(stream, () -> strange.waitFor(stream.record())), "another driver");
      GraphRefusals.refused(() -> Graph.builder(device).fill(away, 1), "another driver");
    }
  }

  @Test
  void copiesBetweenTheDevicesNeedTheAccessOfTheOneThatCopies() {
    try (GlobalInts here = device.allocateInts(COUNT);
        GlobalInts away = other.allocateInts(COUNT)) {
      back.close();
      GraphException thrown =
          GraphRefusals.refused(
              () ->
                  Graph.capture(
                      stream,
                      () -> {
                        far.waitFor(stream.record());
                        far.copy(here, away);
                        stream.waitFor(far.record());
                      }),
              "call enablePeerAccess first");
      assertThat(thrown).hasMessageContaining("done by " + other.name());
      try (PeerAccess again = other.enablePeerAccess(device);
          Graph graph =
              Graph.capture(
                  stream,
                  () -> {
                    far.waitFor(stream.record());
                    far.copy(here, away);
                    stream.waitFor(far.record());
                  })) {
        fill(device, here, 2);
        graph.launch(stream).await();
        assertThat(ints(other, away)).containsOnly(2);
        again.close();
        assertThatThrownBy(() -> graph.launch(stream))
            .isInstanceOf(PeerAccessException.class)
            .hasMessageContaining(other.name() + " no longer has access");
      }
    }
  }

  // --- order
  // --------------------------------------------------------------------------------------

  @Test
  @WithOrder("checked")
  void racesBetweenNodesOfTwoDevicesAreNamed() {
    try (GlobalInts away = other.allocateInts(COUNT);
        GlobalInts here = device.allocateInts(COUNT)) {
      assertThatThrownBy(
              () ->
                  Graph.capture(
                      stream,
                      () -> {
                        far.waitFor(stream.record());
                        far.fill(away, 1);
                        stream.copy(away, here);
                        stream.waitFor(far.record());
                      }))
          .isInstanceOf(RaceException.class)
          .hasMessageContaining("race in a graph");
    }
  }

  @Test
  @WithOrder("checked")
  void racesWithTheOtherDevicesStreamsAreNamed() {
    try (GlobalInts away = other.allocateInts(COUNT);
        Graph graph = onTheOther(away, 3)) {
      graph.launch(stream);
      assertThatThrownBy(() -> far.fill(away, 4)).isInstanceOf(RaceException.class);
      far.waitFor(stream.record());
      far.fill(away, 5);
      assertThatThrownBy(() -> graph.launch(stream)).isInstanceOf(RaceException.class);
      stream.waitFor(far.record());
      graph.launch(stream).await();
      assertThat(ints(other, away)).containsOnly(4);
    }
  }

  // --- timelines
  // ----------------------------------------------------------------------------------

  @Test
  void aTimelineShowsTheNodesOfBothDevices() {
    try (GlobalInts away = other.allocateInts(COUNT);
        GlobalInts result = device.allocateInts(COUNT);
        Graph graph =
            Graph.capture(
                stream,
                () -> {
                  far.waitFor(stream.record());
                  far.fill(away, 3);
                  far.launch(grid(), Kernels.ADD, away, 4, COUNT);
                  stream.waitFor(far.record());
                  stream.copy(away, result);
                })) {
      try (Timeline timeline = Timeline.record(device).insideGraphs()) {
        graph.launch(stream);
        stream.await();
        List<Span> spans =
            timeline.spans().stream()
                .filter(Span::isNode)
                .sorted(Comparator.comparingInt(Span::node))
                .toList();
        assertThat(spans)
            .extracting(Span::kind)
            .containsExactly(Observer.Kind.FILL, Observer.Kind.KERNEL, Observer.Kind.PEER);
        for (int i = 1; i < spans.size(); i++) {
          assertThat(spans.get(i).startNanos()).isGreaterThanOrEqualTo(spans.get(i - 1).endNanos());
        }
      }
      assertThat(ints(device, result)).containsOnly(7);
    }
  }

  // --- lifetimes
  // ----------------------------------------------------------------------------------

  @Test
  void aGraphKeepsWhatItsNodesOfTheOtherDeviceUse() {
    GlobalInts away = other.allocateInts(COUNT);
    GlobalInts result = device.allocateInts(COUNT);
    Launch launch = other.prepare(grid(), Kernels.ADD, away, 4, COUNT);
    GraphBuilder builder = Graph.builder(device);
    builder.copy(away, result, builder.launch(launch, builder.fill(away, 1)));
    try (Graph graph = builder.build()) {
      away.close();
      graph.launch(stream).await();
      assertThat(ints(device, result)).containsOnly(5);
    }
    result.close();
  }

  @Test
  void theOtherDeviceIsClosedWhileALaunchIsUnderWay() {
    GlobalInts away = other.allocateInts(COUNT);
    GlobalInts result = device.allocateInts(COUNT);
    Graph graph =
        Graph.capture(
            stream,
            () -> {
              far.waitFor(stream.record());
              far.fill(away, 3);
              far.launch(grid(), Kernels.ADD, away, 4, COUNT);
              stream.waitFor(far.record());
              stream.copy(away, result);
            });
    try (Gate gate = gate(stream)) {
      graph.launch(stream);
      other.close();
      gate.open();
    }
    stream.await();
    assertThat(ints(device, result)).containsOnly(7);
    assertThatThrownBy(() -> graph.launch(stream))
        .isInstanceOf(ClosedException.class)
        .hasMessageContaining(other.name());
    assertThatThrownBy(() -> graph.update(graph)).isInstanceOf(ClosedException.class);
    graph.close();
    result.close();
  }

  @Test
  void aFaultLosesTheDeviceWhoseNodeHasIt() {
    assumeTrue(machine.isVirtual()); // a lost GPU would fail the tests behind this one
    try (GlobalInts away = other.allocateInts(COUNT);
        GlobalInts here = device.allocateInts(COUNT);
        Graph graph =
            Graph.capture(
                stream,
                () -> {
                  far.waitFor(stream.record());
                  far.launch(Grid.of(1, 32), Kernels.FAULT, away);
                  stream.fill(here, 5);
                  stream.waitFor(far.record());
                })) {
      graph.launch(stream).await(); // as after a wait for an event of a lost device
      assertThatThrownBy(far::await).isInstanceOf(DeviceLostException.class);
      assertThat(other.isLost()).isTrue();
      assertThat(device.isLost()).isFalse();
      assertThat(ints(device, here)).containsOnly(5);
      assertThatThrownBy(() -> graph.launch(stream)).isInstanceOf(DeviceLostException.class);
    }
  }

  @Test
  void theGraphsDeviceIsClosedFirst() {
    GlobalInts away = other.allocateInts(COUNT);
    fill(other, away, 0);
    Graph graph = onTheOther(away, 3);
    graph.launch(stream);
    device.close();
    eventuallyHas(away, 4);
    graph.close();
    away.close();
  }

  private void eventuallyHas(GlobalInts away, int value) {
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (ints(other, away)[0] != value) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }
}
