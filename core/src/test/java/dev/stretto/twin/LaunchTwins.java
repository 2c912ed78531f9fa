package dev.stretto.twin;

import static dev.stretto.twin.Scene.ONE;
import static dev.stretto.twin.Scene.add;
import static dev.stretto.twin.Scene.all;
import static dev.stretto.twin.Scene.outcome;
import static dev.stretto.twin.Scene.returns;

import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.fault.LaunchException;
import dev.stretto.memory.GlobalInts;
import java.util.List;
import java.util.function.Supplier;

/** What a launch may ask for: {@code semantics/launches.cuh}. */
final class LaunchTwins {
  private LaunchTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("launch-of-too-many-threads", LaunchTwins::threads),
        Twin.of("launch-of-too-deep-a-block", LaunchTwins::deep),
        Twin.of("launch-of-too-many-blocks", LaunchTwins::blocks),
        Twin.of("launch-of-too-much-shared-memory", LaunchTwins::shared),
        Twin.of("launch-of-more-shared-memory-than-by-default", LaunchTwins::optIn),
        Twin.of("launch-takes-its-arguments-at-the-call", LaunchTwins::arguments),
        Twin.of("launch-takes-a-struct-at-the-call", LaunchTwins::struct),
        Twin.of("launch-of-more-than-the-queue-takes", LaunchTwins::many));
  }

  private static String launch(Stream stream, Supplier<Grid> shape, GlobalInts cells) {
    return outcome(
        () -> stream.launch(shape.get(), TwinKernels::addAll, cells, 1),
        LaunchException.class,
        IllegalArgumentException.class);
  }

  private static void sayShape(Scene scene, String key, Supplier<Grid> shape) {
    Stream stream = scene.stream();
    GlobalInts cells = scene.ints(1024);
    scene.say(key, launch(stream, shape, cells));
    sayThen(scene, key, stream, cells);
  }

  private static void sayThen(Scene scene, String key, Stream stream, GlobalInts cells) {
    stream.launch(Grid.of(4, 256), TwinKernels::addAll, cells, 7);
    stream.await();
    scene.say(key + "-then", all(cells));
  }

  private static void threads(Scene scene) {
    sayShape(scene, "1024", () -> Grid.of(1, 1024));
    sayShape(scene, "1025", () -> Grid.of(1, 1025));
    sayShape(scene, "64-by-32", () -> new Grid(1, 1, 1, 64, 32, 1, 0));
  }

  private static void deep(Scene scene) {
    sayShape(scene, "64-deep", () -> new Grid(1, 1, 1, 1, 1, 64, 0));
    sayShape(scene, "65-deep", () -> new Grid(1, 1, 1, 1, 1, 65, 0));
  }

  private static void blocks(Scene scene) {
    sayShape(scene, "65536-rows", () -> new Grid(1, 65536, 1, 32, 1, 1, 0));
    sayShape(scene, "65536-planes", () -> new Grid(1, 1, 65536, 32, 1, 1, 0));
    sayShape(scene, "none", () -> Grid.of(0, 32));
  }

  private static void shared(Scene scene) {
    sayShape(scene, "48-KiB", () -> Grid.of(4, 256).withSharedBytes(48 << 10));
    sayShape(scene, "228-KiB", () -> Grid.of(4, 256).withSharedBytes(228 << 10));
  }

  private static void optIn(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cells = scene.ints(1024);
    String why = "beyond 48 KiB CUDA wants the kernel's attribute set first; Stretto sets it";
    scene.differs(
        "100-KiB", launch(stream, () -> Grid.of(4, 256).withSharedBytes(100 << 10), cells), why);
    stream.launch(Grid.of(4, 256), TwinKernels::addAll, cells, 7);
    stream.await();
    scene.differs("100-KiB-then", all(cells), why);
  }

  private static void arguments(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    Launch launch = scene.device().prepare(ONE, TwinKernels::add, cell, 7);
    latch.hold(stream);
    scene.sayReturnsFirst(latch, () -> stream.launch(launch));
    Launch _ = launch.set(1, 100);
    latch.open();
    stream.await();
    scene.say("value", all(cell));
  }

  private static void struct(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    TwinKernels.Outer outer =
        new TwinKernels.Outer((short) -3, new TwinKernels.Inner((byte) -7, 1.25), true, 0.5f);
    TwinKernels.Outer other =
        new TwinKernels.Outer((short) -3, new TwinKernels.Inner((byte) -7, 100), true, 0.5f);
    Launch launch = scene.device().prepare(ONE, TwinKernels::struct, outer, (short) 6, cell, 3);
    latch.hold(stream);
    stream.launch(launch);
    Launch _ = launch.set(0, other);
    latch.open();
    stream.await();
    scene.say("value", all(cell));
  }

  private static void many(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    latch.hold(stream);
    scene.differs(
        "returns",
        returns(
            latch,
            () -> {
              for (int i = 0; i < 3000; i++) {
                add(cell, 1, stream);
              }
            }),
        "where CUDA's call waits for room in the stream's queue, Stretto holds operations back");
    latch.open();
    stream.await();
    scene.say("value", all(cell));
  }
}
