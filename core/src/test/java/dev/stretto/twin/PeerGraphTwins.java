package dev.stretto.twin;

import static dev.stretto.twin.Scene.add;
import static dev.stretto.twin.Scene.all;
import static dev.stretto.twin.Scene.outcome;
import static dev.stretto.twin.Scene.read;

import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphNode;
import dev.stretto.PeerAccess;
import dev.stretto.Stream;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalInts;
import java.util.List;
import java.util.stream.IntStream;

/** Graphs whose work two devices do: {@code semantics/peergraphs.cuh}. */
final class PeerGraphTwins {
  private static final int ONES = 0x01010101;

  private PeerGraphTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.pair(
            "peer-capture-of-both-devices", s -> withAccess(s, PeerGraphTwins::captureOfBoth)),
        Twin.pair("peer-capture-that-is-not-joined", PeerGraphTwins::unjoined),
        Twin.pair("peer-capture-that-is-updated", s -> withAccess(s, PeerGraphTwins::updated)),
        Twin.pair("peer-capture-updated-on-another-device", PeerGraphTwins::misfit),
        Twin.pair("peer-graph-node-by-node", s -> withAccess(s, PeerGraphTwins::nodeByNode)),
        Twin.pair("peer-capture-of-rows", s -> withAccess(s, PeerGraphTwins::rows)));
  }

  private static void withAccess(Scene scene, Twin.Body body) throws Exception {
    try (PeerAccess _ = scene.device().enablePeerAccess(scene.peer());
        PeerAccess _ = scene.peer().enablePeerAccess(scene.device())) {
      body.run(scene);
    }
  }

  /** What a capture of both devices works with. */
  private record Fork(
      Stream stream, Stream theirs, GlobalInts cell, GlobalInts far, GlobalInts back) {
    static Fork of(Scene scene) {
      return new Fork(
          scene.stream(),
          scene.peer().stream(),
          scene.cell(),
          scene.ints(scene.peer(), 2),
          scene.cell());
    }

    /** Device 0 adds; device 1 fills, takes what device 0 has and adds; device 0 takes that. */
    Graph captured(Scene scene, int added, int filled) {
      return scene.own(
          Graph.capture(
              stream,
              () -> {
                add(cell, 1, stream);
                theirs.waitFor(stream.record());
                theirs.fill(far, filled);
                theirs.copy(cell, far.slice(1, 1));
                add(far.slice(1, 1), added, theirs);
                stream.waitFor(theirs.record());
                stream.copy(far.slice(1, 1), back);
              }));
    }
  }

  private static void captureOfBoth(Scene scene) {
    Fork fork = Fork.of(scene);
    Graph[] graph = new Graph[1];
    scene.say(
        "end", outcome(() -> graph[0] = fork.captured(scene, 10, ONES), GraphException.class));
    scene.say("captured", all(fork.cell));
    graph[0].launch(fork.stream);
    graph[0].launch(fork.stream).await();
    scene.say("cell", all(fork.cell));
    scene.say("filled", read(fork.far)[0]);
    scene.say("added", read(fork.far)[1]);
    scene.say("back", all(fork.back));
  }

  private static void unjoined(Scene scene) {
    Stream stream = scene.stream();
    Stream theirs = scene.peer().stream();
    GlobalInts cell = scene.cell();
    GlobalInts far = scene.ints(scene.peer(), 1);
    scene.say(
        "end",
        outcome(
            () ->
                Graph.capture(
                    stream,
                    () -> {
                      add(cell, 1, stream);
                      theirs.waitFor(stream.record());
                      add(far, 1, theirs);
                    }),
            GraphException.class));
  }

  private static void updated(Scene scene) {
    Fork fork = Fork.of(scene);
    Graph graph = fork.captured(scene, 10, ONES);
    graph.launch(fork.stream);
    Graph again = fork.captured(scene, 20, 2 * ONES);
    scene.say("update", outcome(() -> graph.update(again), GraphException.class));
    again.close();
    graph.launch(fork.stream).await();
    scene.say("filled", read(fork.far)[0]);
    scene.say("back", all(fork.back));
  }

  private static void misfit(Scene scene) {
    Stream stream = scene.stream();
    Stream theirs = scene.peer().stream();
    GlobalInts cell = scene.cell();
    GlobalInts far = scene.ints(scene.peer(), 1);
    Graph there =
        scene.own(
            Graph.capture(
                stream,
                () -> {
                  theirs.waitFor(stream.record());
                  add(far, 1, theirs);
                  stream.waitFor(theirs.record());
                }));
    Graph here = scene.own(Graph.capture(stream, () -> add(cell, 1, stream)));
    scene.say("update", outcome(() -> there.update(here), GraphException.class));
  }

  private static void nodeByNode(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cells = scene.ints(2);
    GlobalInts far = scene.ints(scene.peer(), 2);
    GraphBuilder builder = Graph.builder(scene.device());
    GraphNode filled = builder.fill(far, 5);
    GraphNode added = builder.launch(GraphTwins.add(far.slice(1, 1), 3), filled);
    GraphNode back = builder.copy(far, cells, added);
    builder.launch(GraphTwins.add(cells.slice(0, 1), 1), back);
    scene.own(builder.build()).launch(stream).await();
    scene.say("first", read(cells)[0]);
    scene.say("second", read(cells)[1]);
  }

  private static void rows(Scene scene) {
    int ints = 3;
    int rows = 4;
    int near = 5;
    int wide = 7;
    Stream stream = scene.stream();
    GlobalInts from = scene.ints(near * rows);
    GlobalInts back = scene.ints(near * rows);
    GlobalInts far = scene.ints(scene.peer(), wide * rows);
    stream.copy(IntStream.rangeClosed(1, near * rows).toArray(), from).await();
    Graph graph =
        scene.own(
            Graph.capture(
                stream,
                () -> {
                  stream.copy2D(from, 4 * near, far, 4 * wide, 4 * ints, rows);
                  stream.copy2D(far, 4 * wide, back, 4 * near, 4 * ints, rows);
                }));
    graph.launch(stream).await();
    int[] seen = read(far);
    int[] found = read(back);
    long wrong = 0;
    long touched = 0;
    for (int i = 0; i < wide * rows; i++) {
      if (i % wide < ints) {
        wrong += seen[i] == i / wide * near + i % wide + 1 ? 0 : 1;
      } else {
        touched += seen[i] == 0 ? 0 : 1;
      }
    }
    for (int i = 0; i < near * rows; i++) {
      if (i % near < ints) {
        wrong += found[i] == i + 1 ? 0 : 1;
      } else {
        touched += found[i] == 0 ? 0 : 1;
      }
    }
    scene.say("wrong", wrong);
    scene.say("touched-between-rows", touched);
  }
}
