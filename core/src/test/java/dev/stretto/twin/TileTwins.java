package dev.stretto.twin;

import static dev.stretto.twin.Scene.lostOutcome;
import static dev.stretto.twin.Scene.outcome;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.LaunchException;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;
import java.util.Arrays;
import java.util.List;

/**
 * Boxes of tensors at the edges of their tensor, clusters, what a launch may ask for, and what a
 * kernel's fault leaves: {@code semantics/tiles.cuh}.
 */
final class TileTwins {
  private static final int WIDTH = 36;
  private static final int HEIGHT = 20;
  private static final int PITCH = 40;

  private TileTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("tensor-box-read-at-each-edge", TileTwins::read).onHopper(),
        Twin.of("tensor-box-written-at-each-edge", TileTwins::written).onHopper(),
        Twin.of("tensor-box-added-at-each-edge", TileTwins::added).onHopper(),
        Twin.of("cluster-whose-blocks-meet", TileTwins::meet).onHopper(),
        Twin.of(
                "cluster-that-arrives-at-one-block",
                s -> Stored.say(s, Grid.of(8, 32).withCluster(4, 1, 1), TileKernels::arrivals))
            .onHopper(),
        Twin.of(
                "cluster-that-gets-one-copy",
                s -> Stored.say(s, Grid.of(8, 32).withCluster(4, 1, 1), TileKernels::multicast))
            .onHopper(),
        Twin.of("launch-of-clusters-that-cannot-be", TileTwins::refusedClusters).onHopper(),
        Twin.of("launch-of-more-threads-than-the-kernel-takes", TileTwins::bounded),
        Twin.alone("fault-by-an-assertion", s -> sayFault(s, TileKernels::asserting)),
        Twin.alone("fault-by-a-misaligned-store", s -> sayFault(s, TileKernels::misaligned)),
        Twin.alone(
            "fault-by-a-load-outside-of-shared-memory",
            s -> sayFault(s, TileKernels::outsideShared)),
        Twin.alone("fault-by-a-bulk-copy-from-nowhere", s -> sayFault(s, TileKernels::bulkOutside))
            .onHopper());
  }

  // --- tensors
  // ---------------------------------------------------------------------------------------------------------

  private static TensorMap mapOf(GlobalInts matrix) {
    return TensorMap.of(matrix).shape(WIDTH, HEIGHT).strides(4 * PITCH).box(8, 6).build();
  }

  private static void read(Scene scene) {
    sayRead(scene, "within", 8, 5);
    sayRead(scene, "over-the-right", 32, 5);
    sayRead(scene, "over-the-bottom", 8, 17);
    sayRead(scene, "over-both", 32, 17);
    sayRead(scene, "before-the-first-column", -4, 5);
    sayRead(scene, "before-the-first-row", 8, -2);
    sayRead(scene, "outside", 100, 5);
    sayRead(scene, "outside-in-front", -100, -100);
  }

  private static void sayRead(Scene scene, String key, int x, int y) {
    Stream stream = scene.stream();
    GlobalInts matrix = Stored.numbers(scene, stream).slice(0, PITCH * HEIGHT);
    GlobalInts out = scene.ints(48);
    stream.launch(Scene.ONE, TileKernels::readBox, mapOf(matrix), out, x, y);
    stream.await();
    scene.say(key, Arrays.hashCode(Scene.read(out)));
  }

  private static void written(Scene scene) {
    sayWritten(scene, TileKernels::writeBox, "within", 8, 5);
    sayWritten(scene, TileKernels::writeBox, "over-the-right", 32, 5);
    sayWritten(scene, TileKernels::writeBox, "over-the-bottom", 8, 17);
    sayWritten(scene, TileKernels::writeBox, "outside", 100, 5);
  }

  private static void added(Scene scene) {
    sayWritten(scene, TileKernels::addBox, "within", 8, 5);
    sayWritten(scene, TileKernels::addBox, "over-the-right", 32, 5);
    sayWritten(scene, TileKernels::addBox, "over-the-bottom", 8, 17);
  }

  private static void sayWritten(
      Scene scene, KernelMethod.Of3<TensorMap, Integer, Integer> kernel, String key, int x, int y) {
    Stream stream = scene.stream();
    GlobalInts matrix = Stored.numbers(scene, stream).slice(0, PITCH * HEIGHT);
    stream.launch(Scene.ONE, kernel, mapOf(matrix), x, y);
    stream.await();
    scene.say(key, Arrays.hashCode(Scene.read(matrix)));
  }

  // --- clusters, and what a launch may ask for
  // ------------------------------------------------------------------------

  private static void meet(Scene scene) {
    Grid eight = Grid.of(8, 64);
    Stored.say(scene, "of-2", eight.withCluster(2, 1, 1), TileKernels::ranks);
    Stored.say(scene, "of-4", Grid.of(8, 32).withCluster(4, 1, 1), TileKernels::ranks);
    Stored.say(scene, "of-8", Grid.of(16, 32).withCluster(8, 1, 1), TileKernels::ranks);
  }

  private static void refusedClusters(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts in = scene.ints(Stored.IN);
    GlobalInts out = scene.ints(Stored.OUT);
    scene.say("of-16", launch(stream, 16, 16, in, out));
    scene.say("not-whole", launch(stream, 6, 4, in, out));
    stream.await();
    scene.say("then", Arrays.hashCode(Scene.read(out)));
  }

  private static String launch(
      Stream stream, int blocks, int cluster, GlobalInts in, GlobalInts out) {
    return outcome(
        () ->
            stream.launch(
                Grid.of(blocks, 32).withCluster(cluster, 1, 1), TileKernels::ranks, in, out),
        LaunchException.class,
        IllegalArgumentException.class);
  }

  private static void bounded(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts in = scene.ints(Stored.IN);
    stream.fill(in, 0x01010101).await();
    GlobalInts out = scene.ints(Stored.OUT);
    for (int threads : new int[] {96, 64}) {
      scene.say(
          "" + threads,
          outcome(
              () -> stream.launch(Grid.of(1, threads), TileKernels::bounded, in, out),
              LaunchException.class,
              IllegalArgumentException.class));
      stream.await();
      scene.say(threads + "-then", Arrays.hashCode(Scene.read(out)));
    }
  }

  // --- faults
  // ----------------------------------------------------------------------------------------------------------

  /** Says what waiting for the kernel says, and what a launch behind it. */
  private static void sayFault(Scene scene, KernelMethod.Of2<GlobalInts, GlobalInts> kernel) {
    Stream stream = scene.stream();
    GlobalInts in = scene.ints(Stored.IN);
    GlobalInts out = scene.ints(Stored.OUT);
    stream.launch(Grid.of(2, 32), kernel, in, out);
    scene.say("await", code(stream));
    String again = lostOutcome(() -> stream.launch(Grid.of(2, 32), kernel, in, out));
    scene.say("launch", again.equals("lost") ? "refused" : again);
  }

  /** {@return the driver's code of what waiting throws, 0 for nothing} */
  private static int code(Stream stream) {
    try {
      stream.await();
      return 0;
    } catch (DeviceLostException e) {
      Throwable cause = e;
      while (cause != null) {
        if (cause instanceof DriverException driver) {
          return driver.code();
        }
        cause = cause.getCause();
      }
      return -1;
    }
  }
}
