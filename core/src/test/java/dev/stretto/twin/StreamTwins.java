package dev.stretto.twin;

import static dev.stretto.twin.Scene.add;
import static dev.stretto.twin.Scene.get;
import static dev.stretto.twin.Scene.inThread;
import static dev.stretto.twin.Scene.query;

import dev.stretto.Copy;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Which streams wait for each other without being asked to: {@code semantics/streams.cuh}.
 *
 * <p>Blocking streams are another library's: Stretto makes none.
 */
final class StreamTwins {
  private StreamTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of(
            "legacy-and-per-thread",
            s ->
                bothOrders(
                    s,
                    "legacy",
                    s.device().legacyStream(),
                    "per-thread",
                    s.device().perThreadStream())),
        Twin.of(
            "legacy-and-blocking",
            s -> bothOrders(s, "legacy", s.device().legacyStream(), "blocking", s.blocking())),
        Twin.of(
            "legacy-and-non-blocking",
            s -> bothOrders(s, "legacy", s.device().legacyStream(), "non-blocking", s.stream())),
        Twin.of(
            "per-thread-and-blocking",
            s ->
                bothOrders(
                    s, "per-thread", s.device().perThreadStream(), "blocking", s.blocking())),
        Twin.of(
            "per-thread-and-non-blocking",
            s ->
                bothOrders(
                    s, "per-thread", s.device().perThreadStream(), "non-blocking", s.stream())),
        Twin.of(
            "blocking-and-non-blocking",
            s -> bothOrders(s, "blocking", s.blocking(), "non-blocking", s.stream())),
        Twin.of(
            "legacy-and-adopted",
            s -> bothOrders(s, "legacy", s.device().legacyStream(), "adopted", s.adopted())),
        Twin.of(
            "adopted-and-non-blocking",
            s -> bothOrders(s, "adopted", s.adopted(), "non-blocking", s.stream())),
        Twin.of(
            "adopted-and-blocking",
            s -> bothOrders(s, "adopted", s.adopted(), "blocking", s.blocking())),
        Twin.of("two-blocking", s -> order(s, "two-behind-one", s.blocking(), s.blocking())),
        Twin.of("two-non-blocking", s -> order(s, "two-behind-one", s.stream(), s.stream())),
        Twin.of("two-per-thread", StreamTwins::twoPerThread),
        Twin.of("blocking-legacy-blocking", StreamTwins::blockingLegacyBlocking));
  }

  private static void order(Scene scene, String key, Stream first, Stream second) {
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    latch.hold(first);
    first.fill(cell, 7);
    Copy taken = second.copy(cell, seen);
    boolean passed = scene.passes(taken);
    latch.open();
    first.await();
    second.await();
    scene.say(key, passed ? "independent" : "waits");
    scene.say(key + "-value", get(seen));
  }

  private static void bothOrders(Scene scene, String a, Stream first, String b, Stream second) {
    order(scene, b + "-behind-" + a, first, second);
    order(scene, a + "-behind-" + b, second, first);
  }

  private static void twoPerThread(Scene scene) throws Exception {
    Latch latch = scene.latch();
    MemorySegment seen = scene.pinned(1);
    GlobalInts cell = scene.cell();
    Stream mine = scene.device().perThreadStream();
    latch.hold(mine);
    inThread(
        () -> {
          Stream theirs = scene.device().perThreadStream();
          theirs.fill(cell, 5);
          theirs.copy(cell, seen);
          theirs.await();
          scene.say("other-thread", latch.isOpen() ? "waits" : "independent");
          return theirs;
        });
    scene.say("value", get(seen));
    scene.say("mine", query(mine));
    latch.open();
    mine.await();
  }

  private static void blockingLegacyBlocking(Scene scene) {
    Stream one = scene.blocking();
    Stream two = scene.blocking();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    latch.hold(one);
    one.fill(cell, 7);
    add(cell, 1, scene.device().legacyStream());
    two.copy(cell, seen);
    scene.say("two", query(two));
    latch.open();
    two.await();
    scene.say("value", get(seen));
  }
}
