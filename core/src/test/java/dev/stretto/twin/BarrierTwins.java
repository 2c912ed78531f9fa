package dev.stretto.twin;

import dev.stretto.Grid;
import java.util.List;

/** Barriers of a block, and copies that complete on them: {@code semantics/barriers.cuh}. */
final class BarrierTwins {
  private BarrierTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("barrier-rounds", s -> Stored.say(s, Grid.of(1, 128), BarrierKernels::rounds)),
        Twin.of(
            "barrier-arrive-first-and-wait-later",
            s -> Stored.say(s, Grid.of(1, 128), BarrierKernels::later)),
        Twin.of(
            "barrier-several-arrivals-of-one",
            s -> Stored.say(s, Grid.of(1, 128), BarrierKernels::several)),
        Twin.of(
            "barrier-of-one-arrival", s -> Stored.say(s, Grid.of(1, 96), BarrierKernels::ofOne)),
        Twin.of(
            "barrier-left-by-some-each-round",
            s -> Stored.say(s, Grid.of(1, 64), BarrierKernels::drop)),
        Twin.of(
            "barrier-waited-for-by-parity",
            s -> Stored.say(s, Grid.of(1, 64), BarrierKernels::parity)),
        Twin.of(
            "barrier-asked-before-it-is-over",
            s -> Stored.say(s, Grid.of(1, 32), BarrierKernels::asked)),
        Twin.of(
            "barrier-invalidated-and-made-again",
            s -> Stored.say(s, Grid.of(1, 64), BarrierKernels::again)),
        Twin.of("barriers-by-index", s -> Stored.say(s, Grid.of(1, 64), BarrierKernels::indexed)),
        Twin.of(
            "copy-onto-a-barrier",
            s -> Stored.say(s, "stored", Grid.of(1, 128), BarrierKernels::copy, 512)),
        Twin.of("copy-with-a-tail-onto-a-barrier", BarrierTwins::tails),
        Twin.of(
            "copy-of-bytes-onto-a-barrier",
            s -> Stored.sayOfBytes(s, Grid.of(1, 128), BarrierKernels::copyBytes)),
        Twin.of("copies-onto-one-phase", s -> Stored.say(s, Grid.of(1, 128), BarrierKernels::two)),
        Twin.of(
            "copy-of-one-thread-onto-a-barrier",
            s -> Stored.say(s, Grid.of(1, 96), BarrierKernels::byOne)),
        Twin.of(
            "copy-onto-two-barriers", s -> Stored.say(s, Grid.of(1, 128), BarrierKernels::onBoth)),
        Twin.of(
            "copy-onto-a-barrier-and-waited-for-by-its-thread",
            s -> Stored.say(s, Grid.of(1, 128), BarrierKernels::onBarrierAndGroup)),
        Twin.of("bulk-copy-in", BarrierTwins::bulk).onHopper(),
        Twin.of(
                "bulk-copies-of-several-threads-onto-one-phase",
                s -> Stored.say(s, Grid.of(1, 64), BarrierKernels::bulkSeveral))
            .onHopper(),
        Twin.of(
                "bytes-of-a-barrier-by-hand",
                s -> Stored.say(s, Grid.of(1, 32), BarrierKernels::bytesByHand))
            .onHopper(),
        Twin.of(
            "barrier-waited-for-for-a-time",
            s -> Stored.say(s, Grid.of(1, 64), BarrierKernels::inVain)),
        Twin.of(
                "arrivals-that-make-nothing-known",
                s -> Stored.say(s, Grid.of(1, 64), BarrierKernels::relaxedArrivals))
            .onHopper(),
        Twin.of(
                "waits-that-learn-nothing",
                s -> Stored.say(s, Grid.of(1, 64), BarrierKernels::relaxedWaits))
            .onHopper(),
        Twin.of(
                "bulk-copy-out-and-its-memory-used-again",
                s -> Stored.say(s, Grid.of(1, 128), BarrierKernels::bulkOut))
            .onHopper());
  }

  private static void tails(Scene scene) {
    for (int count : new int[] {131, 3, 1}) {
      Stored.say(scene, "" + count, Grid.of(1, 128), BarrierKernels::copy, count);
    }
  }

  private static void bulk(Scene scene) {
    Stored.say(scene, "16-bytes", Grid.of(1, 32), BarrierKernels::bulkIn, 4);
    Stored.say(scene, "4096-bytes", Grid.of(1, 128), BarrierKernels::bulkIn, 1024);
    Stored.say(scene, "16-KiB", Grid.of(1, 256), BarrierKernels::bulkIn, 4096);
  }
}
