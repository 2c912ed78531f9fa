package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.PeerAccess;
import dev.stretto.PinnedArena;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.fault.PeerAccessException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Graphs of one device that use the memory of another. */
class PeerGraphTest extends ContractTest {
  private static final int COUNT = 3000;

  private Device other;
  private boolean own;
  private Stream stream;

  @Override
  Machine machine() {
    return machine.isVirtual()
        ? new Machine(
            machine.isSeeded() ? machine.name().replace("h200", "h200x2") : "virtual:h200x2")
        : machine;
  }

  /** On a computer with one GPU the other device is a virtual one, of another driver. */
  @BeforeEach
  void openTheOther() {
    stream = device.stream();
    if (opened.devices().size() > 1) {
      other = opened.devices().get(1);
    } else {
      own = true;
      other = anotherGpu();
    }
  }

  @AfterEach
  void closeTheOther() {
    stream.close();
    if (own && other.isOpen()) {
      other.close();
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

  // --- copies
  // -------------------------------------------------------------------------------------

  @Test
  void withoutAccessACopyBetweenDevicesIsRefused() {
    try (GlobalInts here = device.allocateInts(COUNT);
        GlobalInts there = other.allocateInts(COUNT)) {
      boolean kin = other.isVirtual() == device.isVirtual();
      String wayOut = kin ? "call enablePeerAccess first" : "different drivers";
      GraphBuilder builder = Graph.builder(device);
      GraphRefusals.refused(() -> builder.copy(here, there), wayOut);
      GraphRefusals.refused(() -> builder.copy(there, here), wayOut);
      if (!kin) {
        GraphRefusals.refused(() -> builder.fill(there, 1), "does not lie on");
      }
      GraphException thrown =
          GraphRefusals.refused(
              () -> Graph.capture(stream, () -> stream.copy(here, there)), wayOut);
      assertThat(thrown.place().getFileName()).isEqualTo("PeerGraphTest.java");
      if (other.canAccess(device)) {
        try (PeerAccess theirs = other.enablePeerAccess(device)) {
          assertThat(theirs.isOpen()).isTrue();
          // For copies of streams that is enough; a graph's device has to have access itself.
          GraphRefusals.refused(() -> builder.copy(here, there), wayOut);
        }
      }
    }
  }

  @Test
  void copiesGoBothWaysInEveryLaunch() {
    if (!device.canAccess(other)) {
      return;
    }
    try (PeerAccess access = device.enablePeerAccess(other);
        GlobalInts here = device.allocateInts(COUNT);
        GlobalInts there = other.allocateInts(COUNT);
        GlobalInts back = device.allocateInts(COUNT)) {
      assertThat(access.isOpen()).isTrue();
      fill(device, here, 0);
      try (Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.launch(Grid.covering(COUNT, 128), Kernels.ADD, here, 5, COUNT);
                assertThat(stream.copy(here, there).route().kind()).isEqualTo(Route.Kind.PEER);
                stream.copy(there, back, Route.Kind.PEER);
              })) {
        assertThat(graph.nodes().get(1).description())
            .isEqualTo("copy of 12000 bytes between devices");
        for (int i = 1; i <= 4; i++) {
          graph.launch(stream).await();
          assertThat(ints(other, there)).containsOnly(5 * i);
          assertThat(ints(device, back)).containsOnly(5 * i);
        }
      }
      GraphRefusals.refused(
          () -> Graph.capture(stream, () -> stream.copy(here, there, Route.Kind.LOCAL)),
          "would go PEER");
    }
  }

  @Test
  void aCopyIsChangedForAnotherBetweenTheSameDevices() {
    if (!device.canAccess(other)) {
      return;
    }
    try (PeerAccess access = device.enablePeerAccess(other);
        GlobalInts here = device.allocateInts(COUNT);
        GlobalInts more = device.allocateInts(COUNT);
        GlobalInts there = other.allocateInts(COUNT)) {
      assertThat(access.isOpen()).isTrue();
      fill(device, here, 1);
      fill(device, more, 2);
      GraphBuilder builder = Graph.builder(device);
      GraphNode node = builder.copy(here, there);
      try (Graph graph = builder.build()) {
        graph.launch(stream);
        graph.setCopy(node, more.slice(0, 10), there.slice(20, 10));
        graph.launch(stream).await();
        int[] values = ints(other, there);
        assertThat(values[19]).isEqualTo(1);
        assertThat(values[20]).isEqualTo(2);
        assertThat(values[30]).isEqualTo(1);
        GraphRefusals.refused(
            () -> graph.setCopy(node, there, here), "neither its direction nor its devices");
        GraphRefusals.refused(
            () -> graph.setCopy(node, more, here), "neither its direction nor its devices");
      }
    }
  }

  @Test
  void aBodyThatIsRepeatedCopiesToo() {
    if (!device.canAccess(other)) {
      return;
    }
    try (PeerAccess access = device.enablePeerAccess(other);
        GlobalInts cells = device.allocateInts(2);
        GlobalInts there = other.allocateInts(2)) {
      assertThat(access.isOpen()).isTrue();
      fill(device, cells, 0);
      GraphBuilder builder = Graph.builder(device);
      GlobalInts flag = cells.slice(1, 1);
      GraphNode on = builder.fill(flag, 1);
      builder.whileNonZero(
          flag,
          body -> {
            GraphNode step =
                body.launch(
                    device.prepare(
                        Grid.of(1, 32), GraphKernels::addBelow, cells.slice(0, 1), 2, 9, flag));
            body.copy(cells, there, step);
          },
          on);
      try (Graph graph = builder.build()) {
        graph.launch(stream).await();
        assertThat(ints(other, there)).containsExactly(10, 0);
      }
    }
  }

  // --- kernels
  // ------------------------------------------------------------------------------------

  @Test
  void kernelsUseThePeersArrays() {
    if (!device.canAccess(other)) {
      return;
    }
    try (GlobalInts there = other.allocateInts(COUNT)) {
      fill(other, there, 1);
      PeerAccess access = device.enablePeerAccess(other);
      try (Graph graph =
          Graph.capture(
              stream,
              () -> stream.launch(Grid.covering(COUNT, 128), Kernels.ADD, there, 7, COUNT))) {
        graph.launch(stream);
        graph.launch(stream).await();
        assertThat(ints(other, there)).containsOnly(15);
        access.close();
        assertThatThrownBy(() -> graph.launch(stream))
            .isInstanceOf(PeerAccessException.class)
            .hasMessageContaining("enable access before the launch");
      }
    }
  }

  // --- lifetimes
  // ----------------------------------------------------------------------------------

  @Test
  void everyLaunchNeedsAccessAndKeepsIt() {
    if (!device.canAccess(other)) {
      return;
    }
    try (GlobalInts here = device.allocateInts(COUNT);
        GlobalInts there = other.allocateInts(COUNT)) {
      fill(device, here, 3);
      PeerAccess access = device.enablePeerAccess(other);
      GraphBuilder builder = Graph.builder(device);
      builder.copy(here, there);
      try (Graph graph = builder.build()) {
        Event done;
        try (Gate gate = gate(stream)) {
          done = graph.launch(stream); // held back
          access.close();
          gate.open();
        }
        done.await();
        assertThat(ints(other, there)).containsOnly(3);
        assertThatThrownBy(() -> graph.launch(stream)).isInstanceOf(PeerAccessException.class);
        try (Graph never = Graph.capture(stream, () -> graph.launch(stream))) {
          assertThatThrownBy(never::instantiate).isInstanceOf(PeerAccessException.class);
        }
        fill(device, here, 4);
        try (PeerAccess again = device.enablePeerAccess(other)) {
          assertThat(again.isOpen()).isTrue();
          graph.launch(stream).await();
        }
        assertThat(ints(other, there)).containsOnly(4);
      }
    }
  }

  @Test
  void theOtherDevicesMemoryRemainsItsOwn() {
    if (!device.canAccess(other)) {
      return;
    }
    try (PeerAccess access = device.enablePeerAccess(other);
        GlobalInts here = device.allocateInts(COUNT)) {
      assertThat(access.isOpen()).isTrue();
      fill(device, here, 3);
      GlobalInts there = other.allocateInts(COUNT);
      GraphBuilder builder = Graph.builder(device);
      builder.copy(there, here, builder.copy(here, there));
      try (Graph graph = builder.build()) {
        try (Gate gate = gate(stream)) {
          graph.launch(stream); // held back, and keeps the memory
          there.close();
          gate.open();
        }
        assertThatThrownBy(() -> graph.launch(stream)).isInstanceOf(ClosedException.class);
        stream.await();
        assertThat(ints(device, here)).containsOnly(3);
      }
    }
  }

  @Test
  void theOtherDeviceMayBeClosedWhileALaunchIsUnderWay() {
    if (!device.canAccess(other)) {
      return;
    }
    PeerAccess access = device.enablePeerAccess(other);
    assertThat(access.isOpen()).isTrue();
    GlobalInts here = device.allocateInts(COUNT);
    GlobalInts there = other.allocateInts(COUNT);
    fill(device, here, 3);
    GraphBuilder builder = Graph.builder(device);
    GraphNode out = builder.copy(here, there);
    GraphNode zero = builder.fill(here, 0, out);
    builder.copy(there, here, zero);
    Graph graph = builder.build();
    try (Gate gate = gate(stream)) {
      graph.launch(stream);
      other.close();
      gate.open();
    }
    stream.await();
    assertThat(ints(device, here)).containsOnly(3);
    assertThatThrownBy(() -> graph.launch(stream)).isInstanceOf(ClosedException.class);
    graph.close();
    here.close();
  }

  @Test
  void pinnedMemoryOfAnotherDeviceRemainsItsOwn() {
    if (other.isVirtual() != device.isVirtual()) {
      return; // another driver's pinned memory is ordinary memory to this one
    }
    PinnedArena pinned = other.pinnedArena();
    MemorySegment host = pinned.allocate(1000).fill((byte) 6);
    try (GlobalBytes array = device.allocateBytes(1000);
        Graph graph = Graph.capture(stream, () -> stream.copy(host, array))) {
      Event done;
      try (Gate gate = gate(stream)) {
        done = graph.launch(stream);
        pinned.close();
        gate.open();
      }
      done.await();
      assertThat(read(stream, array)).containsOnly(6);
      assertThatThrownBy(() -> graph.launch(stream)).isInstanceOf(ClosedException.class);
    }
  }
}
