package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.GraphBranch;
import dev.stretto.GraphMisfit;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.PeerAccess;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the guide says of graphs that change, and of memory and decisions in captures. */
class GuideGraphsTest {
  private static final int COUNT = 1 << 10;
  private static final Grid GRID = Grid.covering(COUNT, 128);

  @Kernel
  static void scale(ThreadBlock block, GlobalFloats in, GlobalFloats out, float factor) {
    long i = block.globalIndexX();
    if (i < in.length()) {
      out.set(i, in.get(i) * factor);
    }
  }

  @Kernel
  static void halve(ThreadBlock block, GlobalFloats x, GlobalInts again) {
    long i = block.globalIndexX();
    if (i < x.length()) {
      float half = x.get(i) / 2;
      x.set(i, half);
      if (i == 0) {
        again.set(0, half > 1 ? 1 : 0);
      }
    }
  }

  // @start region="body"
  private static Graph graph(Stream stream, MemorySegment in, MemorySegment out, float factor) {
    return Graph.capture(
        stream,
        s -> {
          try (GlobalFloats x = s.allocateFloats(COUNT); // an ALLOCATE node
              GlobalFloats y = s.allocateFloats(COUNT)) {
            s.copy(in, x);
            s.launch(GRID, GuideGraphsTest::scale, x, y, factor);
            s.copy(y, out);
          } // two FREE nodes
        });
  }

  // @end

  @Test
  void aGraphTakesOverWhatWasCapturedAgain() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      MemorySegment in = pinned.allocate(JAVA_FLOAT, COUNT);
      MemorySegment out = pinned.allocate(JAVA_FLOAT, COUNT);
      in.setAtIndex(JAVA_FLOAT, 5, 3);
      // @start region="update"
      try (Graph graph = graph(stream, in, out, 2)) {
        graph.launch(stream).await();
        try (Graph again = graph(stream, in, out, 10)) {
          List<GraphMisfit> misfits = graph.misfits(again); // empty: both have the same nodes
          graph.update(again);
          // @end
          assertThat(misfits).isEmpty();
          assertThat(graph.memoryBytes()).isEqualTo(8L * COUNT);
          // @start region="launched"
        }
        graph.launch(stream).await();
      }
      // @end
      assertThat(out.getAtIndex(JAVA_FLOAT, 5)).isEqualTo(30);
    }
  }

  @Test
  void aNodeIsSwitchedOff() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalFloats x = device.allocateFloats(COUNT)) {
      try (Graph graph =
          Graph.capture(
              stream,
              s -> {
                s.fill(x, 1);
                s.launch(GRID, GuideGraphsTest::scale, x, x, 7f);
              })) {
        // @start region="off"
        GraphNode scaling = graph.nodes().get(1);
        graph.setEnabled(scaling, false);
        graph.launch(stream); // everything but that node
        graph.setEnabled(scaling, true);
        // @end
        float[] values = new float[COUNT];
        stream.copy(x, values).await();
        assertThat(values).containsOnly(1);
        graph.launch(stream);
        stream.copy(x, values).await();
        assertThat(values).containsOnly(7);
      }
    }
  }

  @Test
  void aLoopIsCaptured() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalFloats x = device.allocateFloats(COUNT);
        GlobalInts again = device.allocateInts(1)) {
      // @start region="loop"
      Graph graph =
          Graph.capture(
              stream,
              s -> {
                s.fill(x, 100);
                s.fill(again, 1);
                GraphBranch.whileNonZero(
                    s, again, body -> body.launch(GRID, GuideGraphsTest::halve, x, again));
                s.launch(GRID, GuideGraphsTest::scale, x, x, 10f); // behind the loop
              });
      // @end
      graph.launch(stream);
      float[] values = new float[COUNT];
      stream.copy(x, values).await();
      assertThat(values).containsOnly(7.8125f);
      graph.close();
    }
  }

  @Test
  void aGraphHasWorkOfTwoDevices() {
    List<Device> devices = Device.openAll("virtual:h200x2");
    try (Device device = devices.get(0);
        Device other = devices.get(1);
        PeerAccess there = device.enablePeerAccess(other);
        PeerAccess back = other.enablePeerAccess(device);
        Stream stream = device.stream();
        Stream far = other.stream();
        GlobalFloats x = device.allocateFloats(COUNT);
        GlobalFloats y = other.allocateFloats(COUNT)) {
      assertThat(there.isOpen() && back.isOpen()).isTrue();
      // @start region="devices"
      Graph graph =
          Graph.capture(
              stream,
              s -> {
                s.fill(x, 3);
                far.waitFor(s.record()); // from here on the other device takes part
                far.copy(x, y); // needs other.enablePeerAccess(device)
                far.launch(GRID, GuideGraphsTest::scale, y, y, 2f);
                s.waitFor(far.record()); // and is joined again
                s.copy(y, x); // needs device.enablePeerAccess(other)
              });
      graph.launch(stream);
      // @end
      float[] values = new float[COUNT];
      stream.copy(x, values).await();
      assertThat(values).containsOnly(6);
      graph.close();
    }
  }
}
