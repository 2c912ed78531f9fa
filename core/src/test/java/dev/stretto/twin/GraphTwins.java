package dev.stretto.twin;

import static dev.stretto.twin.Scene.ONE;
import static dev.stretto.twin.Scene.all;
import static dev.stretto.twin.Scene.fill;
import static dev.stretto.twin.Scene.get;
import static dev.stretto.twin.Scene.query;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphEvent;
import dev.stretto.GraphNode;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What graphs do, and in which order: {@code semantics/graphs.cuh}. */
final class GraphTwins {
  private GraphTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("graph-of-copies", GraphTwins::copies),
        Twin.of("graph-of-a-fill", GraphTwins::fillNode),
        Twin.of("graph-of-kernels", GraphTwins::kernels),
        Twin.of("graph-of-a-callback", GraphTwins::callback),
        Twin.of("graph-of-a-child", GraphTwins::child),
        Twin.of("graph-of-an-empty-node", GraphTwins::join),
        Twin.of("graph-of-a-record-and-a-wait", GraphTwins::events),
        Twin.of("graph-of-an-if", GraphTwins::ifNode),
        Twin.of("graph-of-an-if-and-an-else", GraphTwins::elseNode),
        Twin.of("graph-of-a-while", GraphTwins::whileNode),
        Twin.of("graph-of-a-switch", GraphTwins::switchNode),
        Twin.of("graph-of-an-if-in-an-if", GraphTwins::nested),
        Twin.of("graph-in-the-order-of-its-stream", GraphTwins::order),
        Twin.of("graph-launched-on-two-streams", GraphTwins::twoStreams),
        Twin.of("graph-beside-another-graph", GraphTwins::another),
        Twin.of("graph-on-legacy", GraphTwins::onLegacy),
        Twin.of("graph-uploaded", GraphTwins::uploaded),
        Twin.of("graph-uploaded-behind-a-launch", GraphTwins::uploadedBehind),
        Twin.of("graph-changed-behind-a-launch", GraphTwins::changed),
        Twin.of("graph-whose-copy-and-fill-are-changed", GraphTwins::changedCopy),
        Twin.of("graph-destroyed-in-flight", GraphTwins::destroyed));
  }

  static Launch add(GlobalInts cell, int value) {
    return Device.of(cell).prepare(ONE, TwinKernels::add, cell, value);
  }

  private static void copies(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts a = scene.ints(1000);
    GlobalInts b = scene.ints(1000);
    MemorySegment in = scene.pinned(1000);
    MemorySegment out = scene.pinned(1000);
    GraphBuilder builder = Graph.builder(scene.device());
    GraphNode up = builder.copy(in, a);
    GraphNode across = builder.copy(a, b, up);
    builder.copy(b, out, across);
    fill(in, 6);
    Graph graph = scene.own(builder.build().instantiate());
    fill(in, 7);
    graph.launch(stream).await();
    scene.say("first", all(out));
    fill(in, 8);
    graph.launch(stream).await();
    scene.say("second", all(out));
  }

  private static void fillNode(Scene scene) {
    GlobalInts array = scene.ints(1000);
    GraphBuilder builder = Graph.builder(scene.device());
    builder.fill(array, 7);
    scene.own(builder.build()).launch(scene.stream()).await();
    scene.say("value", all(array));
  }

  private static void kernels(Scene scene) {
    GlobalInts cell = scene.cell();
    GraphBuilder builder = Graph.builder(scene.device());
    GraphNode first = builder.fill(cell, 3);
    builder.launch(add(cell, 4), first);
    Graph graph = scene.own(builder.build().instantiate());
    scene.say("before", all(cell));
    graph.launch(scene.stream()).await();
    scene.say("value", all(cell));
  }

  private static void callback(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    MemorySegment host = scene.pinned(1);
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger seen = new AtomicInteger();
    GraphBuilder builder = Graph.builder(scene.device());
    GraphNode added = builder.launch(add(cell, 7));
    GraphNode down = builder.copy(cell, host, added);
    GraphNode called =
        builder.then(
            () -> {
              calls.incrementAndGet();
              seen.set(get(host));
              fill(host, get(host) * 2);
            },
            down);
    builder.copy(host, cell, called);
    Graph graph = scene.own(builder.build());
    graph.launch(stream);
    graph.launch(stream);
    stream.await();
    scene.say("calls", calls);
    scene.say("seen", seen);
    scene.say("value", all(cell));
  }

  private static void child(Scene scene) {
    GlobalInts cell = scene.cell();
    GraphBuilder builder = Graph.builder(scene.device());
    GraphNode before = builder.fill(cell, 3);
    GraphBuilder inner = Graph.builder(scene.device());
    inner.launch(add(cell, 4));
    GraphNode child;
    try (Graph graph = inner.build()) {
      child = builder.child(graph, before);
    }
    builder.launch(add(cell, 10), child);
    scene.own(builder.build()).launch(scene.stream()).await();
    scene.say("value", all(cell));
  }

  private static void join(Scene scene) {
    GlobalInts cells = scene.ints(2);
    MemorySegment seen = scene.pinned(2);
    GraphBuilder builder = Graph.builder(scene.device());
    GraphNode a = builder.fill(cells.slice(0, 1), 7);
    GraphNode b = builder.fill(cells.slice(1, 1), 7);
    GraphNode both = builder.join(a, b);
    builder.copy(cells, seen, both);
    scene.own(builder.build()).launch(scene.stream()).await();
    scene.say("values", all(seen));
  }

  private static void events(Scene scene) {
    Stream one = scene.stream();
    Stream two = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    GraphEvent event = scene.own(GraphEvent.of(scene.device()));
    GraphBuilder recording = Graph.builder(scene.device());
    GraphNode held = latch.addTo(recording);
    GraphNode put = recording.fill(cell, 7, held);
    recording.record(event, put);
    GraphBuilder waiting = Graph.builder(scene.device());
    GraphNode waited = waiting.waitFor(event);
    waiting.copy(cell, seen, waited);
    Graph first = scene.own(recording.build().instantiate());
    Graph second = scene.own(waiting.build().instantiate());
    second.launch(two).await();
    scene.say("never-recorded", get(seen));
    first.launch(one);
    scene.say("two", scene.passes(second.launch(two)) ? "independent" : "waits");
    latch.open();
    two.await();
    scene.say("value", get(seen));
  }

  private static void ifNode(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts flag = scene.cell();
    GlobalInts cell = scene.cell();
    GraphBuilder builder = Graph.builder(scene.device());
    GraphNode branch = builder.ifNonZero(flag, body -> body.launch(add(cell, 10)));
    builder.launch(add(cell, 1), branch);
    Graph graph = scene.own(builder.build());
    graph.launch(stream).await();
    scene.say("if-0", all(cell));
    stream.fill(flag, 1);
    graph.launch(stream).await();
    scene.say("if-1", all(cell));
    stream.fill(flag, -1);
    graph.launch(stream).await();
    scene.say("if-minus-1", all(cell));
  }

  private static void elseNode(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts flag = scene.cell();
    GlobalInts cell = scene.cell();
    GraphBuilder builder = Graph.builder(scene.device());
    builder.ifNonZero(
        flag, body -> body.launch(add(cell, 10)), otherwise -> otherwise.launch(add(cell, 1)));
    Graph graph = scene.own(builder.build());
    graph.launch(stream).await();
    scene.say("if-0", all(cell));
    stream.fill(flag, 1);
    graph.launch(stream).await();
    scene.say("if-1", all(cell));
  }

  private static void whileNode(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts left = scene.cell();
    GlobalInts count = scene.cell();
    GraphBuilder builder = Graph.builder(scene.device());
    builder.whileNonZero(
        left,
        body -> body.launch(scene.device().prepare(ONE, TwinKernels::countDown, left, count)));
    Graph graph = scene.own(builder.build());
    graph.launch(stream).await();
    scene.say("none", all(count));
    stream.fill(left, 5);
    graph.launch(stream).await();
    scene.say("five", all(count));
  }

  private static void switchNode(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts flag = scene.cell();
    GlobalInts cell = scene.cell();
    GraphBuilder builder = Graph.builder(scene.device());
    builder.switchOn(
        flag, List.of(body -> body.launch(add(cell, 1)), body -> body.launch(add(cell, 10))));
    Graph graph = scene.own(builder.build());
    for (int choice : new int[] {0, 1, 2}) {
      stream.fill(flag, choice);
      graph.launch(stream).await();
      scene.say("after-" + choice, all(cell));
    }
  }

  private static void nested(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts flag = scene.cell();
    GlobalInts cell = scene.cell();
    GraphBuilder builder = Graph.builder(scene.device());
    builder.ifNonZero(
        flag,
        body -> {
          GraphNode added = body.launch(add(cell, 1));
          body.ifNonZero(flag, inner -> inner.launch(add(cell, 10)), added);
        });
    Graph graph = scene.own(builder.build());
    graph.launch(stream);
    stream.fill(flag, 1);
    graph.launch(stream).await();
    scene.say("value", all(cell));
  }

  private static void order(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    GraphBuilder builder = Graph.builder(scene.device());
    GraphNode first = builder.launch(add(cell, 1));
    builder.launch(add(cell, 2), first);
    Graph graph = scene.own(builder.build().instantiate());
    latch.hold(stream);
    stream.fill(cell, 4);
    scene.sayReturnsFirst(latch, () -> graph.launch(stream));
    stream.copy(cell, seen);
    stream.fill(cell, 100);
    scene.say("stream", query(stream));
    latch.open();
    stream.await();
    scene.say("value", get(seen));
  }

  private static void twoStreams(Scene scene) {
    Stream one = scene.stream();
    Stream two = scene.stream();
    Stream reader = scene.stream();
    Latch latch = scene.latch();
    GlobalInts count = scene.cell();
    MemorySegment seen = scene.pinned(1);
    GraphBuilder builder = Graph.builder(scene.device());
    GraphNode counted = builder.launch(add(count, 1));
    latch.addTo(builder, counted);
    Graph graph = scene.own(builder.build().instantiate());
    graph.launch(one);
    scene.say("two", scene.passes(graph.launch(two)) ? "independent" : "waits");
    reader.copy(count, seen).await();
    scene.say("begun", get(seen));
    latch.open();
    one.await();
    two.await();
    scene.say("value", all(count));
  }

  private static void another(Scene scene) {
    Stream one = scene.stream();
    Stream two = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    GraphBuilder held = Graph.builder(scene.device());
    latch.addTo(held);
    GraphBuilder free = Graph.builder(scene.device());
    GraphNode put = free.fill(cell, 7);
    free.copy(cell, seen, put);
    Graph first = scene.own(held.build().instantiate());
    Graph second = scene.own(free.build().instantiate());
    first.launch(one);
    scene.say("two", scene.passes(second.launch(two)) ? "independent" : "waits");
    scene.say("value", get(seen));
  }

  private static void onLegacy(Scene scene) {
    Stream perThread = scene.device().perThreadStream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    GraphBuilder builder = Graph.builder(scene.device());
    GraphNode held = latch.addTo(builder);
    builder.fill(cell, 7, held);
    Graph graph = scene.own(builder.build().instantiate());
    graph.launch(scene.device().legacyStream());
    scene.say("per-thread", scene.passes(perThread.copy(cell, seen)) ? "independent" : "waits");
    latch.open();
    perThread.await();
    scene.say("value", get(seen));
  }

  private static Graph adding7(Scene scene, GlobalInts cell) {
    GraphBuilder builder = Graph.builder(scene.device());
    builder.launch(add(cell, 7));
    return builder.build().instantiate();
  }

  private static void uploaded(Scene scene) {
    Stream one = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    Graph graph = scene.own(adding7(scene, cell));
    latch.hold(one);
    scene.sayReturnsFirst(latch, () -> graph.upload(one));
    latch.open();
    one.await();
    graph.launch(scene.stream()).await();
    scene.say("value", all(cell));
  }

  private static void uploadedBehind(Scene scene) {
    Stream one = scene.stream();
    Stream two = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    Graph graph = scene.own(adding7(scene, cell));
    latch.hold(one);
    one.then(() -> {});
    graph.launch(one);
    graph.upload(two);
    graph.launch(two);
    latch.open();
    one.await();
    two.await();
    scene.say("value", all(cell));
  }

  private static void changed(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    GraphBuilder builder = Graph.builder(scene.device());
    GraphNode node = builder.launch(add(cell, 1));
    Graph graph = scene.own(builder.build().instantiate());
    latch.hold(stream);
    graph.launch(stream);
    stream.copy(cell, seen);
    graph.setArgument(node, 1, 10);
    graph.launch(stream);
    latch.open();
    stream.await();
    scene.say("first", get(seen));
    scene.say("both", all(cell));
  }

  private static void changedCopy(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts a = scene.ints(100);
    GlobalInts b = scene.ints(100);
    MemorySegment in = scene.pinned(100);
    MemorySegment other = scene.pinned(100);
    fill(in, 7);
    fill(other, 8);
    GraphBuilder builder = Graph.builder(scene.device());
    GraphNode copied = builder.copy(in, a);
    GraphNode filled = builder.fill(b, 1);
    Graph graph = scene.own(builder.build().instantiate());
    graph.launch(stream).await();
    scene.say("copied", all(a));
    scene.say("filled", all(b));
    graph.setCopy(copied, other, a);
    graph.setFill(filled, b, 2);
    graph.launch(stream).await();
    scene.say("copied-then", all(a));
    scene.say("filled-then", all(b));
  }

  private static void destroyed(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    Graph graph = adding7(scene, cell);
    latch.hold(stream);
    graph.launch(stream);
    scene.sayReturnsFirst(latch, graph::close);
    latch.open();
    stream.await();
    scene.say("value", all(cell));
  }
}
