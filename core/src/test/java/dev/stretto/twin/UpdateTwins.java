package dev.stretto.twin;

import static dev.stretto.twin.Scene.ONE;
import static dev.stretto.twin.Scene.add;
import static dev.stretto.twin.Scene.all;
import static dev.stretto.twin.Scene.fill;
import static dev.stretto.twin.Scene.outcome;
import static dev.stretto.twin.Scene.read;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Extent;
import dev.stretto.Graph;
import dev.stretto.GraphBranch;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.Pitches;
import dev.stretto.Stream;
import dev.stretto.driver.ValueCondition;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Graphs that change as a whole, and what captures have: {@code semantics/updates.cuh}. */
final class UpdateTwins {
  private UpdateTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("update-switches-nodes-off", UpdateTwins::off),
        Twin.of("update-switches-a-callback-off", UpdateTwins::callbackOff),
        Twin.of("update-takes-over-a-graph", UpdateTwins::whole),
        Twin.of("update-takes-over-another-kernel", UpdateTwins::otherKernel),
        Twin.of("update-that-does-not-fit", UpdateTwins::misfit),
        Twin.of("update-of-what-is-off", UpdateTwins::ofOff),
        Twin.of("update-of-a-child", UpdateTwins::child),
        Twin.of("update-of-a-callback", UpdateTwins::callback),
        Twin.of("capture-of-planes", UpdateTwins::planes),
        Twin.of("graph-of-numbers", UpdateTwins::numbers),
        Twin.of("capture-of-memory", UpdateTwins::memory),
        Twin.of("capture-of-a-loop", UpdateTwins::loop));
  }

  private static Graph captured(Scene scene, Stream stream, Runnable body) {
    return scene.own(Graph.capture(stream, body));
  }

  private static String updated(Graph graph, Graph other) {
    return outcome(() -> graph.update(other), GraphException.class);
  }

  private static void off(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cells = scene.ints(3);
    MemorySegment in = scene.pinned(1);
    fill(in, 30);
    GraphBuilder builder = Graph.builder(scene.device());
    GraphNode added = builder.launch(GraphTwins.add(cells.slice(0, 1), 1));
    GraphNode filled = builder.fill(cells.slice(1, 1), 20, added);
    GraphNode copied = builder.copy(in, cells.slice(2, 1), filled);
    Graph graph = scene.own(builder.build());
    for (GraphNode node : List.of(added, filled, copied)) {
      graph.setEnabled(node, false);
    }
    graph.launch(stream).await();
    scene.say("all-off", all(cells));
    graph.setEnabled(added, true);
    graph.launch(stream);
    graph.launch(stream).await();
    scene.say("first", read(cells)[0]);
    scene.say("second", read(cells)[1]);
    graph.setEnabled(filled, true);
    graph.setEnabled(copied, true);
    graph.setEnabled(added, false);
    graph.launch(stream).await();
    int[] values = read(cells);
    scene.say("first-then", values[0]);
    scene.say("second-then", values[1]);
    scene.say("third-then", values[2]);
  }

  private static void callbackOff(Scene scene) {
    GraphBuilder builder = Graph.builder(scene.device());
    GraphNode node = builder.then(() -> {});
    Graph graph = scene.own(builder.build());
    scene.say("callback", outcome(() -> graph.setEnabled(node, false), GraphException.class));
  }

  private static void whole(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cells = scene.ints(4);
    MemorySegment in = scene.pinned(1);
    MemorySegment other = scene.pinned(1);
    fill(in, 5);
    fill(other, 6);
    Graph graph =
        captured(
            scene,
            stream,
            () -> {
              add(cells.slice(0, 1), 1, stream);
              stream.copy(in, cells.slice(2, 1));
            });
    graph.launch(stream);
    Graph again =
        captured(
            scene,
            stream,
            () -> {
              add(cells.slice(1, 1), 10, stream);
              stream.copy(other, cells.slice(2, 1));
            });
    scene.say("update", updated(graph, again));
    again.close();
    graph.launch(stream).await();
    int[] values = read(cells);
    scene.say("first", values[0]);
    scene.say("second", values[1]);
    scene.say("copied", values[2]);
  }

  private static void otherKernel(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    GlobalInts fifty = scene.cell();
    stream.fill(fifty, 50).await();
    Graph graph = captured(scene, stream, () -> add(cell, 3, stream));
    graph.launch(stream);
    Graph again = captured(scene, stream, () -> stream.launch(ONE, TwinKernels::take, cell, fifty));
    scene.say("update", updated(graph, again));
    again.close();
    graph.launch(stream).await();
    scene.say("value", all(cell));
  }

  private static void misfit(Scene scene) {
    Stream stream = scene.stream();
    Stream side = scene.stream();
    GlobalInts cells = scene.ints(2);
    GlobalInts first = cells.slice(0, 1);
    GlobalInts second = cells.slice(1, 1);
    Graph graph =
        captured(
            scene,
            stream,
            () -> {
              add(first, 3, stream);
              add(second, 4, stream);
            });
    Graph more =
        captured(
            scene,
            stream,
            () -> {
              for (int i = 0; i < 3; i++) {
                add(first, 3, stream);
              }
            });
    scene.say("more-nodes", updated(graph, more));
    Graph kind =
        captured(
            scene,
            stream,
            () -> {
              add(first, 30, stream);
              stream.fill(second, 0);
            });
    scene.say("another-kind", updated(graph, kind));
    Graph beside =
        captured(
            scene,
            stream,
            () -> {
              side.waitFor(stream.record());
              add(first, 30, stream);
              add(second, 40, side);
              stream.waitFor(side.record());
            });
    scene.say("another-order", updated(graph, beside));
    graph.launch(stream).await();
    scene.say("first", read(cells)[0]);
    scene.say("second", read(cells)[1]);
  }

  private static void ofOff(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    Graph graph = captured(scene, stream, () -> add(cell, 1, stream));
    graph.setEnabled(graph.nodes().getFirst(), false);
    Graph again = captured(scene, stream, () -> add(cell, 10, stream));
    scene.say("update", updated(graph, again));
    graph.launch(stream).await();
    scene.say("off", all(cell));
    graph.setEnabled(graph.nodes().getFirst(), true);
    graph.launch(stream).await();
    scene.say("on", all(cell));
  }

  private static void child(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    GraphBuilder inner = Graph.builder(scene.device());
    inner.launch(GraphTwins.add(cell, 1));
    GraphBuilder builder = Graph.builder(scene.device());
    GraphNode child = builder.child(scene.own(inner.build()));
    builder.launch(GraphTwins.add(cell, 100), child);
    Graph graph = scene.own(builder.build());
    graph.launch(stream).await();
    scene.say("first", all(cell));
    graph.setArgument(child.nodes().getFirst(), 1, 10);
    graph.launch(stream).await();
    scene.say("second", all(cell));
  }

  private static void callback(Scene scene) {
    Stream stream = scene.stream();
    AtomicInteger one = new AtomicInteger();
    AtomicInteger two = new AtomicInteger();
    GraphBuilder builder = Graph.builder(scene.device());
    GraphNode node = builder.then(one::incrementAndGet);
    Graph graph = scene.own(builder.build());
    graph.launch(stream).await();
    graph.setCallback(node, two::incrementAndGet);
    graph.launch(stream);
    graph.launch(stream).await();
    scene.say("one", one);
    scene.say("two", two);
  }

  private static void planes(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts a = scene.ints(2 * 4 * 8);
    GlobalInts b = scene.ints(2 * 3 * 5);
    MemorySegment in = scene.pinned(30);
    MemorySegment out = scene.pinned(30);
    for (int i = 0; i < 30; i++) {
      in.setAtIndex(JAVA_INT, i, i);
    }
    Pitches wide = new Pitches(32, 128);
    Pitches tight = new Pitches(20, 60);
    Extent extent = new Extent(20, 3, 2);
    Graph graph =
        captured(
            scene,
            stream,
            () -> {
              stream.copy3D(in, tight, a, wide, extent);
              stream.copy3D(a, wide, b, tight, extent);
              stream.copy3D(b, tight, out, tight, extent);
            });
    graph.launch(stream).await();
    int wrong = 0;
    for (int i = 0; i < 30; i++) {
      wrong += out.getAtIndex(JAVA_INT, i) == i ? 0 : 1;
    }
    scene.say("wrong", wrong);
    scene.say("first-gap", read(a)[5]);
  }

  private static void numbers(Scene scene) {
    Stream stream = scene.stream();
    Stream side = scene.stream();
    GlobalInts flags = scene.own(scene.device().allocateSignals(2));
    stream.fill(flags, 0).await();
    GlobalInts cell = scene.cell();
    Graph graph =
        captured(
            scene,
            stream,
            () -> {
              stream.waitValue(flags, 0, 1, ValueCondition.AT_LEAST);
              stream.fill(cell, 7);
              stream.writeValue(flags, 1, 5);
            });
    graph.launch(stream);
    scene.say("held", scene.passes(stream) ? "no" : "yes");
    side.writeValue(flags, 0, 1);
    side.waitValue(flags, 1, 5, ValueCondition.EQUAL);
    side.await();
    scene.say("cell", all(cell));
  }

  private static void memory(Scene scene) {
    Stream stream = scene.stream();
    MemorySegment in = scene.pinned(1000);
    MemorySegment out = scene.pinned(1000);
    Graph graph =
        captured(
            scene,
            stream,
            () -> {
              for (int i = 0; i < 3; i++) {
                try (GlobalInts array = stream.allocateInts(1000)) {
                  stream.copy(i == 0 ? in : out, array);
                  stream.launch(Grid.covering(1000, 256), TwinKernels::addAll, array, i + 1);
                  stream.copy(array, out);
                }
              }
            });
    scene.say("end", "accepted");
    fill(in, 10);
    graph.launch(stream).await();
    scene.say("first", all(out));
    fill(in, 20);
    graph.launch(stream).await();
    scene.say("second", all(out));
  }

  private static void loop(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts left = scene.cell();
    GlobalInts passes = scene.cell();
    Graph graph =
        captured(
            scene,
            stream,
            () -> {
              stream.fill(left, 5);
              GraphBranch.whileNonZero(
                  stream, left, body -> body.launch(ONE, TwinKernels::countDown, left, passes));
              add(passes, 100, stream);
            });
    graph.launch(stream).await();
    scene.say("passes", all(passes));
    graph.launch(stream).await();
    scene.say("passes-then", all(passes));
  }
}
