package dev.stretto.twin;

import static dev.stretto.twin.Scene.get;
import static dev.stretto.twin.Scene.outcome;
import static dev.stretto.twin.Scene.query;
import static dev.stretto.twin.Scene.yesNo;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** When a callback runs: {@code semantics/callbacks.cuh}. */
final class CallbackTwins {
  private CallbackTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("callback-sees-what-was-copied", CallbackTwins::sees),
        Twin.of("callback-before-later-work", CallbackTwins::before),
        Twin.of("callback-writes-what-is-copied", CallbackTwins::writes),
        Twin.of("callbacks-in-their-order", CallbackTwins::order),
        Twin.of("callback-behind-what-is-held-up", CallbackTwins::held),
        Twin.of("callback-before-an-event", CallbackTwins::event),
        Twin.of("callback-on-legacy", CallbackTwins::legacy),
        Twin.of("callback-that-enqueues", CallbackTwins::enqueues));
  }

  private static void sees(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cells = scene.ints(1000);
    MemorySegment host = scene.pinned(1000);
    AtomicInteger seen = new AtomicInteger();
    stream.launch(Grid.covering(1000, 128), TwinKernels::addAll, cells, 7);
    stream.copy(cells, host);
    stream.then(() -> seen.set(Scene.all(host)));
    stream.await();
    scene.say("seen", seen);
  }

  private static void before(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    MemorySegment host = scene.pinned(1);
    AtomicInteger seen = new AtomicInteger(-1);
    stream.then(() -> seen.set(get(host)));
    stream.fill(cell, 7);
    stream.copy(cell, host);
    stream.await();
    scene.say("seen", seen);
    scene.say("value", get(host));
  }

  private static void writes(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cells = scene.ints(100);
    MemorySegment host = scene.pinned(100);
    stream.then(() -> Scene.fill(host, 7));
    stream.copy(host, cells);
    stream.await();
    scene.say("value", Scene.all(cells));
  }

  private static void order(Scene scene) {
    Stream stream = scene.stream();
    Queue<String> order = new ConcurrentLinkedQueue<>();
    for (String letter : List.of("a", "b", "c")) {
      stream.then(() -> order.add(letter));
    }
    stream.await();
    scene.say("order", String.join("", order));
  }

  private static void held(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    AtomicBoolean ran = new AtomicBoolean();
    latch.hold(stream);
    stream.then(() -> ran.set(true));
    scene.say("ran-before", yesNo(ran.get()));
    latch.open();
    stream.await();
    scene.say("ran", yesNo(ran.get()));
  }

  private static void event(Scene scene) {
    Stream one = scene.stream();
    Stream two = scene.stream();
    Latch latch = scene.latch();
    MemorySegment host = scene.pinned(1);
    GlobalInts cell = scene.cell();
    latch.hold(one);
    one.then(() -> Scene.fill(host, 7));
    two.waitFor(one.record());
    two.copy(host, cell);
    scene.say("two", query(two));
    latch.open();
    two.await();
    scene.say("value", Scene.all(cell));
  }

  private static void legacy(Scene scene) {
    Stream legacy = scene.device().legacyStream();
    scene.differs(
        "callback",
        outcome(() -> legacy.then(() -> {}), RouteException.class),
        "Stretto runs callbacks on its own threads and could not hold a default stream back"
            + " meanwhile");
  }

  private static void enqueues(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    stream.then(
        () -> {
          try (Stream another = scene.stream()) {
            another.fill(cell, 7).await();
          }
        });
    stream.await();
    scene.differs(
        "value",
        Scene.all(cell),
        "CUDA forbids calls of its API in a callback; Stretto's callbacks run on threads of their"
            + " own and may use all of it");
  }
}
