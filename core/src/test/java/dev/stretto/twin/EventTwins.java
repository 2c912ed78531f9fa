package dev.stretto.twin;

import static dev.stretto.twin.Scene.add;
import static dev.stretto.twin.Scene.get;
import static dev.stretto.twin.Scene.outcome;
import static dev.stretto.twin.Scene.query;

import dev.stretto.Awaitable;
import dev.stretto.Copy;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.driver.DriverDevice;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What an event stands for, and from when on: {@code semantics/events.cuh}. An event of Stretto's
 * is recorded once; where a program records one anew, it is another library's, which is adopted.
 */
final class EventTwins {
  private EventTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("event-never-recorded", EventTwins::never),
        Twin.of("event-waited-for-before-recorded", EventTwins::before),
        Twin.of("event-waited-for-after-recorded", EventTwins::after),
        Twin.of("event-recorded-anew-after-the-wait", EventTwins::anewAfter),
        Twin.of("event-recorded-anew-before-the-wait", EventTwins::anewBefore),
        Twin.of("event-stands-for-earlier-work-alone", EventTwins::earlier),
        Twin.of("event-chain-of-three-streams", EventTwins::chain),
        Twin.of("event-destroyed-while-waited-for", EventTwins::destroyed),
        Twin.of("event-times", EventTwins::times),
        Twin.of("event-of-legacy-beside-blocking", EventTwins::legacyBlocking),
        Twin.of("event-of-legacy-beside-non-blocking", EventTwins::legacyNonBlocking),
        Twin.of("event-that-legacy-waits-for", EventTwins::legacyWaits),
        Twin.of("event-of-the-same-stream", EventTwins::own),
        Twin.of("event-that-two-wait-for", EventTwins::twoWaiters));
  }

  private static String order(Scene scene, Awaitable work) {
    return scene.passes(work) ? "independent" : "waits";
  }

  /** An event of a library's, destroyed at the end. */
  private static long event(Scene scene, DriverDevice library) {
    long event = library.createEvent(false);
    scene.own(() -> library.destroyEvent(event));
    return event;
  }

  private static void never(Scene scene) {
    long theirs = event(scene, scene.library().calls());
    Event event = scene.device().adoptEvent(theirs);
    Stream stream = scene.stream();
    event.await();
    scene.say("event", query(event));
    stream.waitFor(event);
    stream.await();
    scene.say("stream", query(stream));
  }

  private static void before(Scene scene) {
    DriverDevice library = scene.library().calls();
    long event = event(scene, library);
    Stream held = scene.stream();
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    stream.waitFor(scene.device().adoptEvent(event));
    latch.hold(held);
    library.recordEvent(event, held.handle());
    stream.fill(cell, 7);
    stream.copy(cell, seen);
    scene.say("stream", order(scene, stream));
    scene.say("value", get(seen));
  }

  private static void after(Scene scene) {
    Stream held = scene.stream();
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    latch.hold(held);
    held.fill(cell, 7);
    stream.waitFor(held.record());
    Copy taken = stream.copy(cell, seen);
    scene.say("stream", order(scene, taken));
    latch.open();
    stream.await();
    scene.say("value", get(seen));
  }

  private static void anewAfter(Scene scene) {
    DriverDevice library = scene.library().calls();
    long event = event(scene, library);
    Stream held = scene.stream();
    Stream stream = scene.stream();
    Stream free = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    latch.hold(held);
    held.fill(cell, 7);
    library.recordEvent(event, held.handle());
    stream.waitFor(scene.device().adoptEvent(event));
    library.recordEvent(event, free.handle());
    Copy taken = stream.copy(cell, seen);
    Event anew = scene.device().adoptEvent(event);
    anew.await();
    scene.say("event", query(anew));
    scene.say("stream", order(scene, taken));
    latch.open();
    stream.await();
    scene.say("value", get(seen));
  }

  private static void anewBefore(Scene scene) {
    DriverDevice library = scene.library().calls();
    long event = event(scene, library);
    Stream held = scene.stream();
    Stream stream = scene.stream();
    Stream free = scene.stream();
    Latch latch = scene.latch();
    latch.hold(held);
    library.recordEvent(event, held.handle());
    library.recordEvent(event, free.handle());
    Event anew = scene.device().adoptEvent(event);
    stream.waitFor(anew);
    scene.sayReturnsFirst(latch, anew::await);
    scene.say("stream", order(scene, stream));
  }

  private static void earlier(Scene scene) {
    Stream held = scene.stream();
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    held.fill(cell, 7);
    Event event = held.record();
    latch.hold(held);
    held.fill(cell, 8);
    stream.waitFor(event);
    stream.copy(cell, seen);
    scene.say("stream", order(scene, stream));
    scene.say("value", get(seen));
  }

  private static void chain(Scene scene) {
    Stream a = scene.stream();
    Stream b = scene.stream();
    Stream c = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    latch.hold(a);
    add(cell, 3, a);
    b.waitFor(a.record());
    add(cell, 4, b);
    c.waitFor(b.record());
    c.copy(cell, seen);
    scene.say("last", query(c));
    latch.open();
    c.await();
    scene.say("value", get(seen));
  }

  private static void destroyed(Scene scene) {
    Stream held = scene.stream();
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    latch.hold(held);
    held.fill(cell, 7);
    TimedEvent event = held.recordTimed();
    stream.waitFor(event);
    scene.sayReturnsFirst(latch, event::close);
    stream.copy(cell, seen);
    scene.say("stream", order(scene, stream));
    latch.open();
    stream.await();
    scene.say("value", get(seen));
  }

  private static void times(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    TimedEvent begin = stream.recordTimed();
    latch.hold(stream);
    TimedEvent end = stream.recordTimed();
    scene.say("before-the-end", outcome(() -> begin.elapsedTo(end), IllegalStateException.class));
    latch.open();
    end.await();
    scene.say("forwards", begin.nanosTo(end) > 0 ? "positive" : "not positive");
    scene.say("backwards", end.nanosTo(begin) < 0 ? "negative" : "not negative");
    begin.close();
    end.close();
  }

  private static void legacyBlocking(Scene scene) {
    Stream blocking = scene.blocking();
    Latch latch = scene.latch();
    latch.hold(blocking);
    Event event = scene.device().legacyStream().record();
    scene.say("event", order(scene, event));
    latch.open();
    event.await();
  }

  private static void legacyNonBlocking(Scene scene) {
    Latch latch = scene.latch();
    latch.hold(scene.stream());
    scene.say("event", order(scene, scene.device().legacyStream().record()));
  }

  private static void legacyWaits(Scene scene) {
    Stream held = scene.stream();
    Stream legacy = scene.device().legacyStream();
    Stream perThread = scene.device().perThreadStream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    latch.hold(held);
    held.fill(cell, 7);
    legacy.waitFor(held.record());
    Copy taken = perThread.copy(cell, seen);
    scene.say("per-thread", order(scene, taken));
    latch.open();
    perThread.await();
    scene.say("value", get(seen));
  }

  private static void own(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    stream.fill(cell, 7);
    stream.copy(cell, seen);
    stream.waitFor(stream.record());
    stream.await();
    scene.say("value", get(seen));
  }

  private static void twoWaiters(Scene scene) {
    Stream held = scene.stream();
    Stream one = scene.stream();
    Stream two = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(2);
    latch.hold(held);
    held.fill(cell, 7);
    Event event = held.record();
    one.waitFor(event);
    two.waitFor(event);
    one.copy(cell, seen.asSlice(0, 4));
    two.copy(cell, seen.asSlice(4, 4));
    latch.open();
    one.await();
    two.await();
    scene.say("values", Scene.all(seen));
  }
}
