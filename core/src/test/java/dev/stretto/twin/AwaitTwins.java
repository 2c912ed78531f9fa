package dev.stretto.twin;

import static dev.stretto.twin.Scene.get;
import static dev.stretto.twin.Scene.inThread;
import static dev.stretto.twin.Scene.query;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;

/**
 * What the host waits for, and what it is told when it asks: {@code semantics/awaits.cuh}. Work of
 * others is what went through another object for the same stream.
 */
final class AwaitTwins {
  private AwaitTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("await-legacy-with-work-of-others", s -> othersWork(s, s.device()::legacyStream)),
        Twin.of(
            "await-blocking-with-work-of-others",
            s -> othersWork(s, adoptions(s, s.library().blockingStream()))),
        Twin.of(
            "await-non-blocking-with-work-of-others",
            s -> othersWork(s, adoptions(s, s.library().nonBlockingStream()))),
        Twin.of("await-with-work-of-a-library", AwaitTwins::workOfALibrary),
        Twin.of("await-legacy-beside-blocking", AwaitTwins::legacyBesideBlocking),
        Twin.of("await-blocking-beside-legacy", AwaitTwins::blockingBesideLegacy),
        Twin.of("await-legacy-beside-non-blocking", AwaitTwins::legacyBesideNonBlocking),
        Twin.of("await-event-before-later-work", AwaitTwins::earlierWork),
        Twin.of("await-event", AwaitTwins::event),
        Twin.of(
            "await-device",
            s -> {
              awaitDevice(s, "legacy", s.device().legacyStream());
              awaitDevice(s, "per-thread", s.device().perThreadStream());
              awaitDevice(s, "non-blocking", s.stream());
            }),
        Twin.of("await-device-with-blocking", s -> awaitDevice(s, "blocking", s.blocking())),
        Twin.of("await-device-with-work-of-others", AwaitTwins::deviceWithWorkOfOthers),
        Twin.of("await-one-stream-beside-another", AwaitTwins::oneOfTwo),
        Twin.of("query-what-was-never-used", AwaitTwins::neverUsed),
        Twin.of("destroy-a-stream-in-use", AwaitTwins::destroyed));
  }

  private static Supplier<Stream> adoptions(Scene scene, long handle) {
    DriverDevice library = scene.library().calls();
    scene.own(() -> library.destroyStream(handle));
    return () -> scene.device().adoptStream(handle);
  }

  private static void put7(GlobalInts cell, MemorySegment seen, Stream stream) {
    stream.fill(cell, 7);
    stream.copy(cell, seen);
  }

  private static void othersWork(Scene scene, Supplier<Stream> stream) throws Exception {
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    inThread(
        () -> {
          Stream theirs = stream.get();
          latch.hold(theirs);
          put7(cell, seen, theirs);
          return theirs;
        });
    scene.say("query", query(stream.get()));
    scene.openLater(latch);
    stream.get().await();
    scene.say("value-on-return", get(seen));
  }

  private static void workOfALibrary(Scene scene) {
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    DriverDevice library = scene.library().calls();
    Stream stream = scene.stream();
    long from = cell.address();
    latch.hold(stream);
    stream.fill(cell, 7);
    stream.call(
        handle -> library.copy(seen.address(), from, 4, CopyKind.DEVICE_TO_HOST, handle), cell);
    scene.openLater(latch);
    stream.await();
    scene.say("value-on-return", get(seen));
  }

  private static void legacyBesideBlocking(Scene scene) throws Exception {
    Stream legacy = scene.device().legacyStream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    Stream blocking = scene.blocking();
    inThread(
        () -> {
          latch.hold(blocking);
          put7(cell, seen, blocking);
          return blocking;
        });
    scene.say("query", query(blocking));
    scene.openLater(latch);
    scene.say("query-legacy", query(legacy));
    legacy.await();
    scene.say("value-on-return", get(seen));
  }

  private static void blockingBesideLegacy(Scene scene) {
    Stream blocking = scene.blocking();
    Latch latch = scene.latch();
    latch.hold(scene.device().legacyStream());
    scene.say("query-blocking", query(blocking));
    scene.openLater(latch);
    scene.differs(
        "returns",
        Scene.returns(latch, blocking::await),
        "Stretto marks the end of the stream, and the mark comes after what the legacy stream"
            + " holds");
  }

  private static void legacyBesideNonBlocking(Scene scene) {
    Stream legacy = scene.device().legacyStream();
    Latch latch = scene.latch();
    latch.hold(scene.stream());
    scene.say("query-legacy", query(legacy));
    scene.sayReturnsFirst(latch, legacy::await);
  }

  private static void earlierWork(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    Event event = stream.record();
    latch.hold(stream);
    scene.sayReturnsFirst(latch, event::await);
    scene.say("event", query(event));
    scene.say("stream", query(stream));
  }

  private static void event(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    latch.hold(stream);
    put7(cell, seen, stream);
    Event event = stream.record();
    scene.say("event", query(event));
    scene.openLater(latch);
    event.await();
    scene.say("value-on-return", get(seen));
    scene.say("event-then", query(event));
  }

  private static void awaitDevice(Scene scene, String key, Stream stream) {
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    latch.hold(stream);
    put7(cell, seen, stream);
    scene.openLater(latch);
    scene.device().await();
    scene.say(key, get(seen));
  }

  private static void deviceWithWorkOfOthers(Scene scene) throws Exception {
    Device device = scene.device();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    DriverDevice library = scene.library().calls();
    long handle = library.createStream(0);
    scene.own(() -> library.destroyStream(handle));
    inThread(
        () -> {
          Stream theirs = device.adoptStream(handle);
          latch.hold(theirs);
          theirs.fill(cell, 7);
          library.copy(seen.address(), cell.address(), 4, CopyKind.DEVICE_TO_HOST, handle);
          return theirs;
        });
    scene.say("query", query(device.adoptStream(handle)));
    scene.openLater(latch);
    device.await();
    scene.say("value-on-return", get(seen));
  }

  private static void oneOfTwo(Scene scene) {
    Stream held = scene.stream();
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    latch.hold(held);
    put7(cell, seen, stream);
    scene.sayReturnsFirst(latch, stream::await);
    scene.say("value-on-return", get(seen));
    scene.say("held", query(held));
  }

  private static void neverUsed(Scene scene) {
    scene.say("non-blocking", query(scene.stream()));
    scene.say("legacy", query(scene.device().legacyStream()));
    scene.say("per-thread", query(scene.device().perThreadStream()));
  }

  private static void destroyed(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    latch.hold(stream);
    put7(cell, seen, stream);
    scene.sayReturnsFirst(latch, stream::close);
    scene.say("value-before", get(seen));
    latch.open();
    scene.device().await();
    scene.say("value", get(seen));
  }
}
