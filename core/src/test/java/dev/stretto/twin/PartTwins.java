package dev.stretto.twin;

import dev.stretto.Grid;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalInts;
import java.util.List;

/** Parts of a block that copy, wait and exchange by themselves: {@code semantics/groups.cuh}. */
final class PartTwins {
  private PartTwins() {}

  static List<Twin> twins() {
    Grid four = Grid.of(1, 128);
    return List.of(
        Twin.of(
            "lanes-of-a-tile-exchange-values",
            s -> sayEach(s, Grid.of(1, 64), PartKernels::exchanges, 2, 4, 8, 16, 32)),
        Twin.of(
            "tiles-of-a-warp-at-different-places", s -> Stored.say(s, four, PartKernels::apart)),
        Twin.of("copies-of-tiles-one-ahead", s -> Stored.say(s, four, PartKernels::copies)),
        Twin.of("pipelines-of-warps", s -> Stored.say(s, four, PartKernels::pipelinesOfWarps)),
        Twin.of("pipelines-of-tiles", s -> sayEach(s, four, PartKernels::pipelines, 4, 8, 16)),
        Twin.of(
            "pipeline-whose-producers-are-a-later-warp",
            s -> Stored.say(s, four, PartKernels::laterProducer)),
        Twin.of(
            "halves-of-a-block-that-meet-apart", s -> Stored.say(s, four, PartKernels::halves)));
  }

  private static void sayEach(
      Scene scene,
      Grid grid,
      KernelMethod.Of3<GlobalInts, GlobalInts, Integer> kernel,
      int... sizes) {
    for (int lanes : sizes) {
      Stored.say(scene, "of-" + lanes, grid, kernel, lanes);
    }
  }
}
