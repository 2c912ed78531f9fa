package dev.stretto.twin;

import static dev.stretto.twin.Scene.add;
import static dev.stretto.twin.Scene.all;
import static dev.stretto.twin.Scene.get;
import static dev.stretto.twin.Scene.inThread;
import static dev.stretto.twin.Scene.outcome;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Stream;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** What is captured, and what makes a capture fail: {@code semantics/captures.cuh}. */
final class CaptureTwins {
  private CaptureTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("capture-runs-nothing", CaptureTwins::nothing),
        Twin.of("capture-of-two-streams", CaptureTwins::fork),
        Twin.of("capture-that-is-not-joined", CaptureTwins::unjoined),
        Twin.of("capture-that-awaits-its-stream", CaptureTwins::awaits),
        Twin.of("capture-that-asks-its-stream", CaptureTwins::asks),
        Twin.of("capture-that-awaits-its-event", CaptureTwins::awaitsEvent),
        Twin.of("capture-whose-event-is-asked-afterwards", CaptureTwins::asksAfterwards),
        Twin.of("capture-that-awaits-the-device", CaptureTwins::awaitsDevice),
        Twin.of("capture-that-waits-for-an-event-from-outside", CaptureTwins::isolation),
        Twin.of("capture-that-allocates", CaptureTwins::allocates),
        Twin.of("capture-of-legacy", CaptureTwins::ofLegacy),
        Twin.of("capture-that-uses-legacy", CaptureTwins::usesLegacy),
        Twin.of("capture-in-a-capture", CaptureTwins::twice),
        Twin.of("capture-with-another-thread", CaptureTwins::otherThread),
        Twin.of("capture-of-ordinary-memory", CaptureTwins::ordinary),
        Twin.of("capture-of-a-callback", CaptureTwins::callback));
  }

  /** What came of a capture. */
  private static final class Captured {
    private final AtomicReference<Graph> graph = new AtomicReference<>();
    private final String end;

    Captured(Scene scene, Stream stream, Runnable body) {
      end = outcome(() -> graph.set(scene.own(Graph.capture(stream, body))), GraphException.class);
    }

    String end() {
      return end;
    }

    Graph graph() {
      return Objects.requireNonNull(graph.get(), end);
    }
  }

  /** What came of something in a capture, which goes on as if nothing were wrong. */
  private static Runnable noting(AtomicReference<String> result, Runnable call) {
    return () -> result.set(outcome(call, GraphException.class));
  }

  /** Captures an addition and then a call, and says what came of the call and of the capture. */
  private static void sayRefusal(Scene scene, String key, Stream stream, Runnable call) {
    GlobalInts cell = scene.cell();
    AtomicReference<String> result = new AtomicReference<>();
    Captured captured =
        new Captured(
            scene,
            stream,
            () -> {
              add(cell, 7, stream);
              noting(result, call).run();
            });
    scene.say(key, result.get());
    scene.say("end", captured.end());
  }

  private static void nothing(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    Captured captured = new Captured(scene, stream, () -> add(cell, 7, stream));
    scene.say("captured", all(cell));
    captured.graph().launch(stream);
    captured.graph().launch(stream);
    stream.await();
    scene.say("launched-twice", all(cell));
  }

  private static void fork(Scene scene) {
    Stream stream = scene.stream();
    Stream other = scene.stream();
    GlobalInts cells = scene.ints(2);
    MemorySegment seen = scene.pinned(2);
    Captured captured =
        new Captured(
            scene,
            stream,
            () -> {
              stream.fill(cells.slice(0, 1), 3);
              other.waitFor(stream.record());
              other.fill(cells.slice(1, 1), 7);
              add(cells.slice(0, 1), 4, stream);
              stream.waitFor(other.record());
              stream.copy(cells, seen);
            });
    scene.say("end", captured.end());
    captured.graph().launch(stream);
    stream.await();
    scene.say("values", all(seen));
  }

  private static void unjoined(Scene scene) {
    Stream stream = scene.stream();
    Stream other = scene.stream();
    GlobalInts cell = scene.cell();
    Captured captured =
        new Captured(
            scene,
            stream,
            () -> {
              other.waitFor(stream.record());
              other.fill(cell, 7);
            });
    scene.say("end", captured.end());
    stream.fill(cell, 8).await();
    other.fill(cell, 9).await();
    scene.say("value", all(cell));
  }

  private static void awaits(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    AtomicReference<String> awaited = new AtomicReference<>();
    Captured captured =
        new Captured(
            scene,
            stream,
            () -> {
              add(cell, 7, stream);
              noting(awaited, stream::await).run();
            });
    scene.say("await", awaited.get());
    scene.say("end", captured.end());
    add(cell, 1, stream);
    stream.await();
    scene.say("value", all(cell));
  }

  private static void asks(Scene scene) {
    Stream stream = scene.stream();
    sayRefusal(scene, "query", stream, stream::isDone);
  }

  private static void awaitsEvent(Scene scene) {
    Stream stream = scene.stream();
    sayRefusal(scene, "await", stream, () -> stream.record().await());
  }

  private static void asksAfterwards(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    AtomicReference<Event> event = new AtomicReference<>();
    Captured captured =
        new Captured(
            scene,
            stream,
            () -> {
              add(cell, 7, stream);
              event.set(stream.record());
            });
    scene.say("end", captured.end());
    scene.say("query", outcome(() -> event.get().isDone(), GraphException.class));
  }

  private static void awaitsDevice(Scene scene) {
    Device device = scene.device();
    sayRefusal(scene, "await", scene.stream(), device::await);
  }

  private static void isolation(Scene scene) {
    Stream stream = scene.stream();
    Event outside = scene.stream().record();
    sayRefusal(scene, "wait", stream, () -> stream.waitFor(outside));
  }

  private static void allocates(Scene scene) {
    sayRefusal(scene, "allocation", scene.stream(), () -> scene.device().allocateInts(250).close());
    scene.say("value-then", all(scene.cell()));
  }

  private static void ofLegacy(Scene scene) {
    scene.say("begin", new Captured(scene, scene.device().legacyStream(), () -> {}).end());
  }

  private static void usesLegacy(Scene scene) {
    Stream stream = scene.stream();
    Stream legacy = scene.device().legacyStream();
    GlobalInts cell = scene.cell();
    AtomicReference<String> used = new AtomicReference<>();
    Captured captured =
        new Captured(
            scene,
            stream,
            () -> {
              add(cell, 7, stream);
              noting(used, () -> legacy.fill(cell, 0)).run();
            });
    scene.say("legacy", used.get());
    scene.say("end", captured.end());
  }

  private static void twice(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    AtomicReference<String> begun = new AtomicReference<>();
    String _ =
        new Captured(
                scene,
                stream,
                () -> {
                  add(cell, 7, stream);
                  begun.set(new Captured(scene, stream, () -> {}).end());
                })
            .end();
    scene.say("begin", begun.get());
  }

  private static void otherThread(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    AtomicReference<String> used = new AtomicReference<>();
    Captured captured =
        new Captured(
            scene,
            stream,
            () -> {
              noting(used, () -> inThreadUnchecked(() -> stream.fill(cell, 0))).run();
              add(cell, 7, stream);
            });
    String why =
        "Stretto promises more: a capture is its thread's, and fails if another one interferes, so"
            + " that no graph lacks the other's work";
    scene.differs("others-work", used.get(), why);
    scene.differs("end", captured.end(), why);
  }

  private static void inThreadUnchecked(Runnable body) {
    try {
      inThread(
          () -> {
            body.run();
            return body;
          });
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void ordinary(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts array = scene.ints(MemoryTwins.SMALL);
    MemorySegment host = scene.ordinary(MemoryTwins.SMALL);
    AtomicReference<String> copied = new AtomicReference<>();
    Captured captured = new Captured(scene, stream, noting(copied, () -> stream.copy(host, array)));
    String why = "Stretto would have to stage ordinary memory, and that no graph can do";
    scene.differs("copy", copied.get(), why);
    scene.differs("end", captured.end(), why);
  }

  private static void callback(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    MemorySegment host = scene.pinned(1);
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger seen = new AtomicInteger();
    Captured captured =
        new Captured(
            scene,
            stream,
            () -> {
              add(cell, 7, stream);
              stream.copy(cell, host);
              stream.then(
                  () -> {
                    calls.incrementAndGet();
                    seen.set(get(host));
                  });
              stream.fill(cell, 100);
            });
    scene.say("captured", calls.get());
    captured.graph().launch(stream);
    stream.await();
    scene.say("calls", calls);
    scene.say("seen", seen);
    scene.say("value", all(cell));
  }
}
