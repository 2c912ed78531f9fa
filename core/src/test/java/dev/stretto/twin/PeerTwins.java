package dev.stretto.twin;

import static dev.stretto.twin.ErrorTwins.fault;
import static dev.stretto.twin.ErrorTwins.lostQuery;
import static dev.stretto.twin.MemoryTwins.LARGE;
import static dev.stretto.twin.Scene.ONE;
import static dev.stretto.twin.Scene.add;
import static dev.stretto.twin.Scene.all;
import static dev.stretto.twin.Scene.lostOutcome;
import static dev.stretto.twin.Scene.outcome;
import static dev.stretto.twin.Scene.query;
import static dev.stretto.twin.Scene.yesNo;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Extent;
import dev.stretto.PeerAccess;
import dev.stretto.Pitches;
import dev.stretto.Stream;
import dev.stretto.fault.PeerAccessException;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/** Two devices: {@code semantics/peers.cuh}. */
final class PeerTwins {
  private PeerTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.pair("peer-access", PeerTwins::access),
        Twin.pair("peer-access-enabled-twice", PeerTwins::accessTwice),
        Twin.pair("peer-copy-on-the-senders-stream", s -> withAccess(s, PeerTwins::senders)),
        Twin.pair("peer-copy-on-the-receivers-stream", s -> withAccess(s, PeerTwins::receivers)),
        Twin.pair("peer-copy-on-the-senders-stream-without-access", PeerTwins::senders),
        Twin.pair("peer-copy-on-the-receivers-stream-without-access", PeerTwins::receivers),
        Twin.pair("peer-copy-of-rows", s -> withAccess(s, scene -> rows(scene, 1))),
        Twin.pair("peer-copy-of-rows-without-access", s -> rows(s, 1)),
        Twin.pair("peer-copy-of-planes", s -> withAccess(s, scene -> rows(scene, 3))),
        Twin.pair("peer-copy-of-planes-without-access", s -> rows(s, 3)),
        Twin.pair("peer-event-between-devices", PeerTwins::event),
        Twin.pair("peer-kernel-with-access", s -> withAccess(s, PeerTwins::kernel)),
        Twin.pair("peer-kernel-without-access", PeerTwins::kernelWithout),
        Twin.pair("peer-copy-on-legacy", PeerTwins::legacy),
        Twin.pairAlone("peer-fault-on-another-device", PeerTwins::loss),
        Twin.pairAlone(
            "peer-fault-on-another-device-with-access", s -> withAccess(s, PeerTwins::loss)),
        Twin.pairAlone("peer-fault-on-another-device-with-nothing-shared", PeerTwins::lossApart),
        Twin.pairAlone("peer-copy-from-a-lost-device", s -> withAccess(s, PeerTwins::lostSender)),
        Twin.pairAlone("peer-copy-from-a-lost-device-without-access", PeerTwins::lostSender));
  }

  private static void withAccess(Scene scene, Twin.Body body) throws Exception {
    try (PeerAccess _ = scene.device().enablePeerAccess(scene.peer())) {
      body.run(scene);
    }
  }

  private static void access(Scene scene) {
    Device device = scene.device();
    Device peer = scene.peer();
    scene.say("there", yesNo(device.canAccess(peer)));
    scene.say("back", yesNo(peer.canAccess(device)));
    scene.say(
        "to-itself",
        outcome(() -> device.enablePeerAccess(device), IllegalArgumentException.class));
  }

  private static void accessTwice(Scene scene) throws Exception {
    withAccess(
        scene,
        s ->
            s.differs(
                "again",
                outcome(() -> s.own(s.device().enablePeerAccess(s.peer()))),
                "Stretto hands out a handle each time, and access lasts as long as one is open"));
  }

  private static void senders(Scene scene) {
    Stream stream = scene.stream();
    Stream theirs = scene.peer().stream();
    Latch latch = scene.latch();
    GlobalInts from = scene.ints(LARGE);
    GlobalInts to = scene.ints(scene.peer(), LARGE);
    MemorySegment seen = scene.pinned(LARGE);
    latch.hold(stream);
    stream.fill(from, 7);
    scene.sayReturnsFirst(latch, () -> stream.copy(from, to));
    theirs.copy(to, seen);
    scene.say("receiver", scene.passes(theirs) ? "independent" : "waits");
    scene.say("receiver-sees", all(seen));
    latch.open();
    stream.await();
    scene.say("value", all(to));
  }

  private static void receivers(Scene scene) {
    Stream mine = scene.stream();
    Stream stream = scene.peer().stream();
    Latch latch = scene.latch();
    GlobalInts from = scene.ints(LARGE);
    GlobalInts to = scene.ints(scene.peer(), LARGE);
    latch.hold(mine);
    mine.fill(from, 7);
    stream.waitFor(mine.record());
    scene.sayReturnsFirst(latch, () -> stream.copy(from, to));
    scene.say("receiver", query(stream));
    latch.open();
    stream.await();
    scene.say("value", all(to));
  }

  private static void rows(Scene scene, int planes) {
    int ints = 15;
    int inPlane = 50;
    int near = 20;
    int far = 17;
    int nearPlane = near * inPlane;
    int farPlane = far * (inPlane + 2);
    Stream stream = scene.stream();
    GlobalInts from = scene.ints(nearPlane * planes);
    GlobalInts back = scene.ints(nearPlane * planes);
    GlobalInts to = scene.ints(scene.peer(), farPlane * planes);
    stream.copy(IntStream.rangeClosed(1, nearPlane * planes).toArray(), from);
    if (planes == 1) {
      stream.copy2D(from, 4 * near, to, 4 * far, 4 * ints, inPlane);
      stream.copy2D(to, 4 * far, back, 4 * near, 4 * ints, inPlane);
    } else {
      Pitches here = new Pitches(4 * near, 4 * nearPlane);
      Pitches there = new Pitches(4 * far, 4 * farPlane);
      Extent extent = new Extent(4 * ints, inPlane, planes);
      stream.copy3D(from, here, to, there, extent);
      stream.copy3D(to, there, back, here, extent);
    }
    stream.await();
    int[] seen = Scene.read(to);
    int[] found = Scene.read(back);
    long wrong = 0;
    long touched = 0;
    for (int i = 0; i < farPlane * planes; i++) {
      int row = i % farPlane / far;
      int column = i % farPlane % far;
      if (column < ints && row < inPlane) {
        wrong += seen[i] == i / farPlane * nearPlane + row * near + column + 1 ? 0 : 1;
      } else {
        touched += seen[i] == 0 ? 0 : 1;
      }
    }
    for (int i = 0; i < nearPlane * planes; i++) {
      if (i % near < ints) {
        wrong += found[i] == i + 1 ? 0 : 1;
      } else {
        touched += found[i] == 0 ? 0 : 1;
      }
    }
    scene.say("wrong", wrong);
    scene.say("touched-between-rows", touched);
  }

  private static void event(Scene scene) {
    Stream mine = scene.stream();
    Stream theirs = scene.peer().stream();
    Latch latch = scene.latch();
    GlobalInts cell = scene.cell();
    GlobalInts their = scene.ints(scene.peer(), 1);
    MemorySegment between = scene.pinned(1);
    latch.hold(mine);
    mine.fill(cell, 7);
    mine.copy(cell, between);
    theirs.waitFor(mine.record());
    theirs.copy(between, their);
    scene.say("theirs", query(theirs));
    latch.open();
    theirs.await();
    scene.say("value", all(their));
  }

  private static void kernel(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts cell = scene.cell();
    GlobalInts their = scene.ints(scene.peer(), 1);
    try (Stream theirs = scene.peer().stream()) {
      theirs.fill(their, 7).await();
    }
    stream.launch(ONE, TwinKernels::take, cell, their);
    add(their, 1, stream);
    stream.await();
    scene.say("read", all(cell));
    scene.say("written", all(their));
  }

  private static void kernelWithout(Scene scene) {
    GlobalInts their = scene.ints(scene.peer(), 1);
    scene.differs(
        "launch",
        outcome(
            () -> add(their, 1, scene.stream()),
            PeerAccessException.class,
            IllegalArgumentException.class),
        "without access the kernel would fault, so Stretto refuses the launch");
  }

  private static void legacy(Scene scene) {
    GlobalInts from = scene.cell();
    GlobalInts to = scene.ints(scene.peer(), 1);
    scene.differs(
        "copy",
        outcome(() -> scene.device().legacyStream().copy(from, to), RouteException.class),
        "on a default stream such a copy waits for all work of both devices, so Stretto refuses"
            + " it");
  }

  private static void loss(Scene scene) {
    Stream stream = scene.stream();
    Stream theirs = scene.peer().stream();
    GlobalInts cell = scene.cell();
    GlobalInts their = scene.ints(scene.peer(), 1);
    Latch latch = scene.latch();
    latch.hold(stream);
    add(cell, 7, stream);
    fault(their, theirs);
    scene.say("theirs", lostOutcome(theirs::await));
    scene.say("mine", lostQuery(stream));
    latch.open();
    scene.say("await", lostOutcome(stream::await));
    scene.say("await-more", more(cell, stream));
  }

  private static String more(GlobalInts cell, Stream stream) {
    return lostOutcome(
        () -> {
          add(cell, 1, stream);
          stream.await();
        });
  }

  private static void lossApart(Scene scene) {
    Stream stream = scene.stream();
    Stream theirs = scene.peer().stream();
    GlobalInts cell = scene.cell();
    GlobalInts their = scene.ints(scene.peer(), 1);
    add(cell, 7, stream);
    scene.say("before", lostOutcome(stream::await));
    fault(their, theirs);
    scene.say("theirs", lostOutcome(theirs::await));
    scene.say("await", lostOutcome(stream::await));
    scene.say("await-more", more(cell, stream));
  }

  private static void lostSender(Scene scene) {
    Stream mine = scene.stream();
    Stream theirs = scene.peer().stream();
    GlobalInts from = scene.cell();
    GlobalInts to = scene.ints(scene.peer(), 1);
    Latch latch = scene.latch();
    latch.hold(mine);
    fault(from, mine);
    Event ready = mine.record();
    theirs.waitFor(ready);
    var copy = theirs.copy(from, to);
    latch.open();
    scene.say("sender", lostOutcome(mine::await));
    scene.say("copy", lostOutcome(copy::await));
  }
}
