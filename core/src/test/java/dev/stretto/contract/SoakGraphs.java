package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphEvent;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.contract.SoakMemory.Kind;
import dev.stretto.contract.SoakProgram.Chance;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Graphs of a random program: captured with forks, made by hand, changed, closed in flight. */
final class SoakGraphs {
  private final SoakProgram program;
  private final Random random;
  private final Device device;

  /** What a graph does at one place: the memory, how to capture it or to add it, what it means. */
  private final class Act {
    final SoakMemory from;
    final SoakMemory to;
    int value = random.nextInt();
    GraphNode node;
    final int form;
    final int step = 1 + random.nextInt(50);

    Act(int form, SoakMemory from, SoakMemory to) {
      this.form = form;
      this.from = from;
      this.to = to;
    }

    void enqueue(Stream stream) {
      switch (form) {
        case 0 -> stream.copy(from.host, to.array);
        case 1 -> stream.copy(from.array, to.host);
        case 2 -> stream.copy(from.array, to.array);
        case 3 -> {
          if (to.array instanceof GlobalInts ints) {
            stream.fill(ints, value);
          } else {
            stream.fill((GlobalBytes) to.array, (byte) value);
          }
        }
        case 4 -> stream.launch(grid(), Kernels.ADD, to.array, value, program.size / 4);
        default -> stream.then(callback());
      }
    }

    GraphNode add(GraphBuilder builder, GraphNode... after) {
      return switch (form) {
        case 0 -> builder.copy(from.host, to.array, after);
        case 1 -> builder.copy(from.array, to.host, after);
        case 2 -> builder.copy(from.array, to.array, after);
        case 3 -> builder.fill(to.array, number(), after);
        case 4 ->
            builder.launch(
                device.prepare(grid(), Kernels.ADD, to.array, value, program.size / 4), after);
        default -> builder.then(callback(), after);
      };
    }

    private Number number() {
      return to.kind == Kind.INTS ? (Number) value : (Number) (byte) value;
    }

    private Runnable callback() {
      MemorySegment host = to.host;
      return () -> {
        for (int i = 0; i < program.size; i += step) {
          host.set(JAVA_BYTE, i, (byte) (host.get(JAVA_BYTE, i) * 3 + 1));
        }
      };
    }

    void change(Graph graph) {
      if (form == 3) {
        value = random.nextInt();
        graph.setFill(node, to.array, number());
      } else if (form == 4) {
        value = random.nextInt();
        graph.setArgument(node, 1, value);
      } else if (form == 2) {
        graph.setCopy(node, from.array, to.array);
      }
    }

    void model() {
      switch (form) {
        case 0, 1, 2 -> System.arraycopy(from.expected, 0, to.expected, 0, program.size);
        case 3 ->
            SoakProgram.fill(
                to.expected,
                0,
                program.size,
                to.kind == Kind.INTS ? value : (value & 0xff) * 0x01010101);
        case 4 -> SoakProgram.add(to.expected, value);
        default -> {
          for (int i = 0; i < program.size; i += step) {
            to.expected[i] = (byte) (to.expected[i] * 3 + 1);
          }
        }
      }
    }
  }

  SoakGraphs(SoakProgram program) {
    this.program = program;
    this.random = program.random;
    this.device = program.devices.getFirst();
  }

  void addTo(List<Chance> chances) {
    chances.add(new Chance("capture a graph", 3, () -> use(this::captured)));
    chances.add(new Chance("build a graph", 3, () -> use(this::built)));
    chances.add(new Chance("a graph in a graph", 1, () -> use(this::nested)));
  }

  private Grid grid() {
    return Grid.covering(program.size / 4, 128);
  }

  private interface Maker {
    Graph make(List<Act> acts);
  }

  private List<Act> acts() {
    List<Act> acts = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(8); i++) {
      int form = random.nextInt(6);
      SoakMemory from = form == 0 ? pinned() : array(null);
      SoakMemory to = form == 1 || form == 5 ? pinned() : array(form == 4 ? Kind.INTS : null);
      if (from != to) {
        acts.add(new Act(form, from, to));
      }
    }
    return acts;
  }

  private SoakMemory pinned() {
    return program.any(
        program.onHost.stream().filter(m -> m.kind == Kind.PINNED && m.device == device).toList());
  }

  private SoakMemory array(Kind kind) {
    return program.any(
        program.onDevice.stream()
            .filter(m -> m.device == device && (kind == null || m.kind == kind))
            .toList());
  }

  /** Makes a graph, launches it a few times, changes it in between, and closes it in flight. */
  private void use(Maker maker) {
    List<Act> acts = acts();
    if (acts.isEmpty()) {
      return;
    }
    Graph graph = maker.make(acts);
    if (random.nextInt(3) == 0) {
      graph.instantiate();
      Event _ = graph.upload(program.streamOf(device));
    }
    if (graph.toDot().isEmpty()) {
      throw new AssertionError("a graph has a drawing");
    }
    boolean callsBack = acts.stream().anyMatch(act -> act.form == 5);
    for (int i = 0; i < 1 + random.nextInt(4); i++) {
      launch(graph, acts);
      Act changed = program.any(acts);
      if (changed.node != null && changed.node.kind() != GraphNode.Kind.CHILD) {
        program.note("change a graph");
        changed.change(graph);
      }
    }
    if (callsBack) {
      settle(acts); // a callback must not find its memory closed
    }
    graph.close();
  }

  private void settle(List<Act> acts) {
    acts.forEach(act -> program.settle(act.to));
  }

  private void launch(Graph graph, List<Act> acts) {
    Stream stream = program.streamOf(device);
    for (Act act : acts) {
      program.writes(stream, act.from);
      program.writes(stream, act.to);
    }
    Event done = graph.launch(stream);
    for (Act act : acts) {
      act.model();
      program.hasWritten(act.from, done);
      program.hasWritten(act.to, done);
    }
  }

  /** On two streams, with the waits that the data needs, within the graph. */
  private Graph captured(List<Act> acts) {
    Stream first = program.streamOf(device);
    Stream second =
        program.any(
            program.streams.stream().filter(s -> s.device() == device && s != first).toList());
    List<SoakMemory> all = new ArrayList<>();
    acts.forEach(act -> all.addAll(List.of(act.from, act.to)));
    Graph graph =
        inPlaceOf(
            all,
            _ ->
                Graph.capture(
                    first,
                    () -> {
                      Event forked = first.record();
                      all.forEach(memory -> program.hasWritten(memory, forked));
                      second.waitFor(forked);
                      for (Act act : acts) {
                        Stream stream = random.nextBoolean() ? first : second;
                        program.reads(stream, act.from);
                        program.writes(stream, act.to);
                        act.enqueue(stream);
                        program.hasRead(stream, act.from);
                        program.hasWritten(stream, act.to);
                      }
                      first.waitFor(second.record());
                    }));
    List<GraphNode> nodes = graph.nodes();
    if (nodes.size() == acts.size()) {
      // In the order of capture.
      for (int i = 0; i < nodes.size(); i++) {
        acts.get(i).node = nodes.get(i);
      }
    }
    return graph;
  }

  /** Within a capture other events count than outside. */
  private Graph inPlaceOf(
      List<SoakMemory> all, java.util.function.Function<Boolean, Graph> capture) {
    List<Event> written = new ArrayList<>();
    List<List<Event>> read = new ArrayList<>();
    for (SoakMemory memory : all) {
      written.add(memory.written);
      read.add(new ArrayList<>(memory.read));
    }
    program.capturing(true);
    try {
      return capture.apply(true);
    } finally {
      program.capturing(false);
      for (int i = 0; i < all.size(); i++) {
        all.get(i).written = written.get(i);
        all.get(i).read = new ArrayList<>(read.get(i));
      }
    }
  }

  private Graph built(List<Act> acts) {
    GraphBuilder builder = Graph.builder(device);
    try (GraphEvent event = GraphEvent.of(device)) {
      GraphNode last = builder.record(event);
      for (Act act : acts) {
        act.node = act.add(builder, last);
        last = random.nextInt(4) == 0 ? builder.join(act.node) : act.node;
      }
      builder.waitFor(event, last);
      return builder.build();
    }
  }

  private Graph nested(List<Act> acts) {
    GraphBuilder builder = Graph.builder(device);
    GraphNode last = null;
    for (Act act : acts) {
      GraphBuilder inner = Graph.builder(device);
      GraphNode _ = act.add(inner);
      try (Graph child = inner.build()) {
        last = last == null ? builder.child(child) : builder.child(child, last);
      }
    }
    return builder.build();
  }
}
