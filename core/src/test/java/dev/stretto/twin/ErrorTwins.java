package dev.stretto.twin;

import static dev.stretto.twin.Scene.ONE;
import static dev.stretto.twin.Scene.add;
import static dev.stretto.twin.Scene.get;
import static dev.stretto.twin.Scene.lostOutcome;
import static dev.stretto.twin.Scene.query;
import static dev.stretto.twin.Scene.yesNo;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** What a kernel that faults leaves behind: {@code semantics/errors.cuh}. */
final class ErrorTwins {
  private ErrorTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.alone("fault-is-told-by-every-call", ErrorTwins::everyCall),
        Twin.alone("fault-between-two-copies", ErrorTwins::betweenCopies),
        Twin.alone("fault-before-a-callback", ErrorTwins::beforeCallback),
        Twin.alone("fault-on-a-stream-that-another-waits-for", ErrorTwins::waitedFor),
        Twin.of("fault-in-another-process", ErrorTwins::elsewhere));
  }

  static void fault(GlobalInts cell, Stream stream) {
    stream.launch(ONE, TwinKernels::fault, cell);
  }

  /** {@return {@code lost} if asking says so, or what it says} */
  static String lostQuery(Stream stream) {
    AtomicReference<String> found = new AtomicReference<>();
    String asked = lostOutcome(() -> found.set(query(stream)));
    return asked.equals("accepted") ? found.get() : asked;
  }

  private static void everyCall(Scene scene) {
    Device device = scene.device();
    Stream stream = scene.stream();
    Stream other = scene.stream();
    GlobalInts cell = scene.cell();
    MemorySegment host = scene.pinned(1);
    fault(cell, stream);
    scene.say("await", lostOutcome(stream::await));
    scene.say("await-again", lostOutcome(stream::await));
    scene.say("await-other-stream", lostOutcome(other::await));
    scene.say("await-device", lostOutcome(device::await));
    scene.say("copy", lostOutcome(() -> other.copy(cell, host)));
    scene.say("fill", lostOutcome(() -> other.fill(cell, 0)));
    scene.say("record", lostOutcome(other::record));
    scene.say("allocate", lostOutcome(() -> device.allocateInts(1)));
    scene.say("stream", lostOutcome(device::stream));
    scene.say("launch", lostOutcome(() -> add(cell, 1, other)));
  }

  private static void betweenCopies(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    MemorySegment before = scene.pinned(1);
    MemorySegment behind = scene.pinned(1);
    Latch latch = scene.latch();
    latch.hold(stream);
    add(cell, 7, stream);
    stream.copy(cell, before);
    fault(cell, stream);
    stream.copy(cell, behind);
    latch.open();
    scene.say("await", lostOutcome(stream::await));
    scene.say("before", get(before));
    scene.say("behind", get(behind));
  }

  private static void beforeCallback(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    AtomicBoolean ran = new AtomicBoolean();
    Latch latch = scene.latch();
    latch.hold(stream);
    fault(cell, stream);
    stream.then(() -> ran.set(true));
    latch.open();
    scene.say("await", lostOutcome(stream::await));
    scene.say("ran", yesNo(ran.get()));
  }

  private static void waitedFor(Scene scene) {
    Stream faulty = scene.stream();
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    GlobalInts put = scene.cell();
    MemorySegment seen = scene.pinned(1);
    Latch latch = scene.latch();
    latch.hold(faulty);
    fault(cell, faulty);
    Event event = faulty.record();
    stream.waitFor(event);
    stream.fill(put, 7);
    stream.copy(put, seen);
    latch.open();
    scene.say("await", lostOutcome(stream::await));
    scene.say("await-event", lostOutcome(event::await));
    scene.say("value", get(seen));
  }

  private static void elsewhere(Scene scene) throws Exception {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    MemorySegment seen = scene.pinned(1);
    latch.hold(stream);
    stream.fill(cell, 7);
    stream.copy(cell, seen);
    scene.say("other", Main.losesElsewhere(scene.machine()) ? "lost" : "well");
    scene.say("mine", query(stream));
    latch.open();
    stream.await();
    scene.say("value", get(seen));
  }
}
