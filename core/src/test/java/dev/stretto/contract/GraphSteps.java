package dev.stretto.contract;

import static dev.stretto.contract.EveryOperation.SIZE;
import static dev.stretto.contract.EveryOperation.bytes;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphEvent;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** Graphs of every kind of node, captured and made by hand, changed, and closed in flight. */
final class GraphSteps {
  private static final int COUNT = 1000;

  private final EveryOperation all;
  private final Device device;

  GraphSteps(EveryOperation all) {
    this.all = all;
    this.device = all.device;
  }

  void run() {
    all.step("captured", this::captured);
    all.step("built", this::built);
    all.step("changed", this::changed);
    all.step("closed in flight", this::closed);
  }

  private void captured() {
    byte[] data = bytes(SIZE, 7);
    try (Stream stream = device.stream();
        Stream other = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(SIZE);
        GlobalBytes second = device.allocateBytes(SIZE);
        GlobalInts ints = device.allocateInts(COUNT)) {
      MemorySegment host = pinned.allocate(SIZE).copyFrom(MemorySegment.ofArray(data));
      MemorySegment out = pinned.allocate(SIZE);
      AtomicInteger calls = new AtomicInteger();
      try (Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.copy(host, array);
                other.waitFor(stream.record());
                stream.fill(ints, 1);
                stream.launch(Grid.of(16, 64), Kernels.ADD, ints, 1, COUNT);
                other.copy(array, second);
                stream.waitFor(other.record());
                stream.copy2D(second, 400, out, 400, 400, SIZE / 400);
                stream.then(calls::incrementAndGet);
                stream.fill(array, (byte) 0);
              })) {
        graph.launch(stream);
        graph.launch(other);
        all.await(stream);
        all.await(other);
        all.check(out, data);
        all.check(calls.get() == 2, "a callback for each launch");
        int[] found = new int[COUNT];
        stream.copy(ints, found);
        all.await(stream);
        all.checkComputed(found, 2);
      }
    }
  }

  private void built() {
    try (Stream stream = device.stream();
        GraphEvent event = GraphEvent.of(device);
        GraphEvent end = GraphEvent.of(device);
        GlobalInts ints = device.allocateInts(COUNT)) {
      GraphBuilder inner = Graph.builder(device);
      inner.fill(ints, 4);
      GraphBuilder builder = Graph.builder(device);
      try (Graph child = inner.build()) {
        GraphNode first = builder.record(event);
        GraphNode one = builder.fill(ints, 3, first);
        GraphNode sub = builder.child(child, one);
        GraphNode join = builder.join(sub);
        GraphNode wait = builder.waitFor(event, join);
        GraphNode last =
            builder.launch(device.prepare(Grid.of(16, 64), Kernels.ADD, ints, 5, COUNT), wait);
        builder.record(end, last);
      }
      try (Graph graph = builder.build()) {
        graph.instantiate();
        graph.upload(stream);
        graph.launch(stream);
        all.await(stream);
        all.check(event.elapsedTo(end).toNanos() >= 0, "time goes on");
        int[] found = new int[COUNT];
        stream.copy(ints, found);
        all.await(stream);
        all.checkComputed(found, 9);
      }
    }
  }

  private void changed() {
    byte[] data = bytes(SIZE, 8);
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(SIZE);
        GlobalBytes second = device.allocateBytes(SIZE);
        GlobalInts ints = device.allocateInts(COUNT)) {
      MemorySegment host = pinned.allocate(SIZE).copyFrom(MemorySegment.ofArray(data));
      MemorySegment out = pinned.allocate(SIZE);
      try (Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.fill(array, (byte) 1);
                stream.copy(array, second);
                stream.copy(second, out);
                stream.launch(Grid.of(16, 64), Kernels.ADD, ints, 1, COUNT);
              })) {
        stream.fill(ints, 0);
        graph.launch(stream);
        graph.setFill(graph.nodes().get(0), array, (byte) 2);
        graph.setArgument(graph.nodes().get(3), 1, 10);
        graph.launch(stream);
        all.await(stream);
        byte[] expected = new byte[SIZE];
        Arrays.fill(expected, (byte) 2);
        all.check(out, expected);
        GlobalBytes third = device.allocateBytes(SIZE);
        try {
          stream.copy(host, third);
          graph.setCopy(graph.nodes().get(1), third, second);
        } finally {
          third.close(); // the graph keeps it
        }
        graph.launch(stream);
        all.await(stream);
        all.check(out, data);
        int[] found = new int[COUNT];
        stream.copy(ints, found);
        all.await(stream);
        all.checkComputed(found, 21);
      }
    }
  }

  private void closed() {
    byte[] data = bytes(SIZE, 9);
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      MemorySegment host = pinned.allocate(SIZE).copyFrom(MemorySegment.ofArray(data));
      MemorySegment out = pinned.allocate(SIZE);
      try (GlobalBytes array = device.allocateBytes(SIZE)) {
        GraphBuilder builder = Graph.builder(device);
        builder.copy(array, out, builder.then(() -> {}, builder.copy(host, array)));
        try (Graph graph = builder.build()) {
          graph.launch(stream);
          graph.launch(stream);
        }
      }
      all.await(stream);
      all.check(out, data);
    }
  }
}
