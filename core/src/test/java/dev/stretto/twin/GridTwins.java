package dev.stretto.twin;

import static dev.stretto.twin.Scene.outcome;

import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.LaunchException;
import dev.stretto.memory.GlobalInts;
import java.util.Arrays;
import java.util.List;

/** Launches whose blocks all run at the same time: {@code semantics/grids.cuh}. */
final class GridTwins {
  private GridTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("grid-whose-blocks-meet", GridTwins::meet),
        Twin.of(
            "grid-that-arrives-first-and-waits-later",
            s -> Stored.say(s, Grid.of(16, 64).cooperative(), GridKernels::later)),
        Twin.of(
            "ranks-of-a-grid",
            s -> Stored.say(s, new Grid(2, 3, 4, 5, 3, 2, 0), GridKernels::ranks)),
        Twin.of("launch-of-a-grid-that-cannot-meet", GridTwins::refused),
        Twin.of("grid-that-meets-in-a-graph", GridTwins::graph));
  }

  private static void meet(Scene scene) {
    Stored.say(scene, "of-1", Grid.of(1, 64).cooperative(), GridKernels::ring);
    Stored.say(scene, "of-16", Grid.of(16, 64).cooperative(), GridKernels::ring);
    Stored.say(scene, "of-64", Grid.of(64, 32).cooperative(), GridKernels::ring);
  }

  private static void refused(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts in = scene.ints(Stored.IN);
    GlobalInts out = scene.ints(Stored.OUT);
    scene.say(
        "of-100000",
        outcome(
            () -> stream.launch(Grid.of(100_000, 64).cooperative(), GridKernels::ring, in, out),
            LaunchException.class));
    stream.await();
    scene.say("then", Arrays.hashCode(Scene.read(out)));
  }

  private static void graph(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts in = Stored.numbers(scene, stream);
    GlobalInts out = scene.ints(Stored.OUT);
    try (Graph graph =
        Graph.capture(
            stream,
            () -> stream.launch(Grid.of(16, 64).cooperative(), GridKernels::ring, in, out))) {
      for (int i = 0; i < 3; i++) {
        stream.launch(graph);
      }
      stream.await();
    }
    scene.say("stored", Arrays.hashCode(Scene.read(out)));
  }
}
