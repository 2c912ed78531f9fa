package dev.stretto.twin;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.util.Arrays;
import java.util.List;

/** Pipelines of a block, and groups of a thread's copies: {@code semantics/pipelines.cuh}. */
final class PipelineTwins {
  private PipelineTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("pipeline-of-all-threads", PipelineTwins::together),
        Twin.of("pipelines-of-many-blocks", s -> sayTogether(s, "stored", Grid.of(7, 64), 2, 96)),
        Twin.of("pipeline-of-tiles-with-tails", PipelineTwins::tails),
        Twin.of(
            "pipeline-of-stages-without-copies",
            s -> Stored.say(s, Grid.of(1, 64), PipelineKernels::emptyStages)),
        Twin.of(
            "pipeline-waited-for-but-the-newest",
            s -> Stored.say(s, Grid.of(1, 64), PipelineKernels::waitPrior)),
        Twin.of("pipeline-of-producers-and-consumers", PipelineTwins::apart),
        Twin.of(
            "pipeline-whose-only-producer-copies-whole-tiles",
            s -> Stored.say(s, Grid.of(1, 65), PipelineKernels::oneCopies)),
        Twin.of(
            "pipeline-left-behind-the-last-stage",
            s -> Stored.say(s, Grid.of(1, 64), PipelineKernels::leftAtTheEnd)),
        Twin.of(
            "pipeline-left-without-any-part-in-it",
            s -> Stored.say(s, Grid.of(1, 96), PipelineKernels::leftAtOnce)),
        Twin.of(
            "pipeline-left-by-some-in-words-and-by-some-by-returning",
            s -> Stored.say(s, Grid.of(1, 64), PipelineKernels::leftOneByOne)),
        Twin.of(
            "pipeline-made-again-in-its-place",
            s -> Stored.say(s, Grid.of(1, 64), PipelineKernels::madeAgain)),
        Twin.of("pipeline-left-early", PipelineTwins::leftEarly),
        Twin.of(
            "copies-of-the-block-waited-for",
            s -> Stored.say(s, Grid.of(1, 96), GroupKernels::ofTheBlock)),
        Twin.of(
            "copies-of-the-block-one-ahead",
            s -> Stored.say(s, Grid.of(1, 64), GroupKernels::ahead)),
        Twin.of("copies-of-a-warp", s -> Stored.say(s, Grid.of(1, 128), GroupKernels::ofWarps)),
        Twin.of(
            "copies-of-a-thread-of-each-size",
            s -> Stored.say(s, Grid.of(1, 64), GroupKernels::ofEachSize)),
        Twin.of(
            "groups-of-a-thread-in-turn", s -> Stored.say(s, Grid.of(1, 64), GroupKernels::inTurn)),
        Twin.of(
            "groups-with-nothing-in-them", s -> Stored.say(s, Grid.of(1, 64), GroupKernels::empty)),
        Twin.of(
            "copies-of-a-part-and-zeros", s -> Stored.say(s, Grid.of(1, 32), GroupKernels::zeros)),
        Twin.of(
            "copies-beyond-the-end-of-an-array",
            s -> Stored.say(s, Grid.of(1, 64), GroupKernels::beyondTheEnd)),
        Twin.of(
            "copy-of-the-block-to-global-memory",
            s -> Stored.say(s, Grid.of(1, 64), GroupKernels::toGlobal)),
        Twin.of(
            "tiles-stored-two-ahead",
            s -> Stored.say(s, Grid.of(1, 64), GroupKernels::storedTiles)),
        Twin.of(
            "stages-stored-and-read-again",
            s -> Stored.say(s, Grid.of(1, 64), GroupKernels::storedStages)),
        Twin.of(
            "bytes-and-shorts-there-and-back",
            s -> Stored.sayOfAllBytes(s, Grid.of(1, 64), GroupKernels::storedBytes)));
  }

  private static void sayTogether(Scene scene, String key, Grid grid, int stages, int count) {
    Stream stream = scene.stream();
    GlobalInts in = Stored.numbers(scene, stream);
    GlobalInts out = scene.ints(Stored.OUT);
    stream.launch(grid, PipelineKernels::together, in, out, stages, count);
    stream.await();
    scene.say(key, Arrays.hashCode(Scene.read(out)));
  }

  private static void together(Scene scene) {
    Grid grid = Grid.of(1, 64);
    sayTogether(scene, "one-stage", grid, 1, 96);
    sayTogether(scene, "two-stages", grid, 2, 96);
    sayTogether(scene, "three-stages", grid, 3, 96);
    sayTogether(scene, "eight-stages", grid, 8, 96);
  }

  private static void tails(Scene scene) {
    sayTogether(scene, "101", Grid.of(1, 64), 2, 101);
    sayTogether(scene, "3", Grid.of(1, 64), 4, 3);
    sayTogether(scene, "1", Grid.of(2, 32), 2, 1);
  }

  private static void sayApart(Scene scene, String key, int threads, int stages, int producers) {
    Stream stream = scene.stream();
    GlobalInts in = Stored.numbers(scene, stream);
    GlobalInts out = scene.ints(Stored.OUT);
    stream.launch(Grid.of(1, threads), PipelineKernels::apart, in, out, stages, producers);
    stream.await();
    scene.say(key, Arrays.hashCode(Scene.read(out)));
  }

  private static void apart(Scene scene) {
    sayApart(scene, "one-warp-of-four-produces", 128, 2, 32);
    sayApart(scene, "three-warps-of-four-produce", 128, 2, 96);
    sayApart(scene, "one-thread-produces", 96, 4, 1);
    sayApart(scene, "all-threads-but-one-produce", 64, 3, 63);
    sayApart(scene, "one-stage", 64, 1, 32);
  }

  private static void leftEarly(Scene scene) {
    sayLeftEarly(scene, "by-a-consumer", 1);
    sayLeftEarly(scene, "by-a-producer", 2);
    sayLeftEarly(scene, "by-one-of-all-threads", 3);
  }

  /**
   * Nobody can tell from the outside who has left; that it ends, and the tiles are right, says it.
   */
  private static void sayLeftEarly(Scene scene, String key, int leaving) {
    Stream stream = scene.stream();
    GlobalInts in = Stored.numbers(scene, stream);
    GlobalInts out = scene.ints(Stored.OUT);
    if (leaving == 3) {
      stream.launch(Grid.of(20, 96), PipelineKernels::leftEarlyByOneOfAll, in, out);
    } else {
      stream.launch(Grid.of(20, 96), PipelineKernels::leftEarly, in, out, leaving);
    }
    stream.await();
    scene.differs(
        key,
        Arrays.hashCode(Scene.read(out)),
        "libcu++ takes nobody out of a pipeline's barriers, so that the others would wait for ever;"
            + " Stretto does");
  }
}
