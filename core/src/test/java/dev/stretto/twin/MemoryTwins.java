package dev.stretto.twin;

import static dev.stretto.twin.Scene.all;
import static dev.stretto.twin.Scene.fill;
import static dev.stretto.twin.Scene.outcome;
import static dev.stretto.twin.Scene.returns;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.PinnedArena;
import dev.stretto.Registration;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.fault.PinnedBudgetException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * When a copy's source is read and its destination written, and when the call returns: {@code
 * semantics/memory.cuh}.
 */
final class MemoryTwins {
  static final int SMALL = (16 << 10) / 4;
  static final int LARGE = (1 << 20) / 4;

  private MemoryTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("pinned-to-device", s -> inStreamOrder(s, s.pinned(LARGE))),
        Twin.of("device-to-pinned", MemoryTwins::toPinned),
        Twin.of("pageable-small-to-device", MemoryTwins::pageableSmall),
        Twin.of("pageable-large-to-device", MemoryTwins::pageableLarge),
        Twin.of("pageable-to-device-about-64-KiB", MemoryTwins::pageableBorder),
        Twin.of("device-to-pageable-small", s -> toPageable(s, SMALL)),
        Twin.of("device-to-pageable-large", s -> toPageable(s, LARGE)),
        Twin.of("pageable-to-device-of-each-size", MemoryTwins::pageableSizes),
        Twin.of("ordinary-to-device-unasked", MemoryTwins::staged),
        Twin.of("device-to-ordinary-unasked", MemoryTwins::stagedToHost),
        Twin.of("registered-part-to-device", MemoryTwins::registeredPart),
        Twin.of("device-to-registered-part", MemoryTwins::toRegistered),
        Twin.of("registered-twice", MemoryTwins::registeredTwice),
        Twin.of("registered-anew", MemoryTwins::registeredAnew),
        Twin.of("unregistered-in-flight", MemoryTwins::unregistered),
        Twin.of("pinned-allocated-in-flight", MemoryTwins::pinnedAllocated),
        Twin.of("pinned-freed-in-flight", MemoryTwins::pinnedFreed),
        Twin.of("array-freed-in-flight", MemoryTwins::arrayFreed),
        Twin.of("host-to-host", MemoryTwins::hostToHost),
        Twin.of("what-lies-at-an-address", MemoryTwins::pointers));
  }

  private static void inStreamOrder(Scene scene, MemorySegment host) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts array = scene.ints(LARGE);
    fill(host, 7);
    latch.hold(stream);
    scene.sayReturnsFirst(latch, () -> stream.copy(host, array));
    fill(host, 8);
    latch.open();
    stream.await();
    scene.say("device-sees", all(array));
  }

  private static void toPinned(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts array = scene.ints(LARGE);
    MemorySegment host = scene.pinned(LARGE);
    stream.fill(array, 7);
    latch.hold(stream);
    scene.sayReturnsFirst(latch, () -> stream.copy(array, host));
    scene.say("host-before", all(host));
    latch.open();
    stream.await();
    scene.say("host", all(host));
  }

  private static void pageableSmall(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts array = scene.ints(SMALL);
    MemorySegment host = scene.ordinary(SMALL);
    fill(host, 7);
    latch.hold(stream);
    scene.say(
        "returns", returns(latch, () -> stream.copy(host, array, Route.Kind.AWAITED_PAGEABLE)));
    fill(host, 8);
    latch.open();
    stream.await();
    scene.say("device-sees", all(array));
  }

  private static void pageableLarge(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts array = scene.ints(LARGE);
    MemorySegment host = scene.ordinary(LARGE);
    fill(host, 7);
    latch.hold(stream);
    scene.sayReturnsWaiting(latch, () -> stream.copy(host, array, Route.Kind.AWAITED_PAGEABLE));
    fill(host, 8);
    stream.await();
    scene.say("device-sees", all(array));
  }

  private static void pageableBorder(Scene scene) {
    fromPageable(scene, "64-KiB", (64 << 10) / 4, false);
    fromPageable(scene, "64-KiB-and-4-bytes", (64 << 10) / 4 + 1, true);
  }

  private static void fromPageable(Scene scene, String key, int count, boolean waits) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts array = scene.ints(count);
    MemorySegment host = scene.ordinary(count);
    fill(host, 7);
    latch.hold(stream);
    if (waits) {
      scene.openLater(latch);
    }
    scene.say(key, returns(latch, () -> stream.copy(host, array, Route.Kind.AWAITED_PAGEABLE)));
    fill(host, 8);
    latch.open();
    stream.await();
    scene.say(key + "-value", all(array));
  }

  private static void pageableSizes(Scene scene) {
    fromPageableOfSize(scene, "64-KiB", 64 << 10);
    fromPageableOfSize(scene, "64-KiB-and-1-byte", (64 << 10) + 1);
    fromPageableOfSize(scene, "1-MiB", 1 << 20);
    fromPageableOfSize(scene, "4-MiB", 4 << 20);
    fromPageableOfSize(scene, "64-MiB", 64 << 20);
    fromPageableOfSize(scene, "256-MiB", 256 << 20);
  }

  private static void fromPageableOfSize(Scene scene, String key, int size) {
    // A virtual device knows one border, 64 KiB, and would spend its time on copying.
    int bytes = scene.machine().isCuda() ? size : Math.min(size, 4 << 20);
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    MemorySegment host = scene.ordinary((bytes + 3) / 4).asSlice(0, bytes);
    try (GlobalBytes array = scene.bytes(bytes)) {
      host.fill((byte) 7);
      latch.hold(stream);
      if (scene.machine().isCuda()) {
        // The larger the copy, the longer the latch stays shut: reading takes its time too.
        scene.openLater(latch, Duration.ofMillis(100 + (bytes >> 19)));
      } else if (bytes > 64 << 10) {
        scene.openLater(latch);
      }
      scene.say(key, returns(latch, () -> stream.copy(host, array, Route.Kind.AWAITED_PAGEABLE)));
      host.fill((byte) 8);
      latch.open();
      stream.copy(array, host).await();
      scene.say(key + "-value", allBytes(host));
    }
  }

  /** {@return what all bytes are, or -1 if they differ} */
  private static int allBytes(MemorySegment bytes) {
    long behind = bytes.byteSize() - 1;
    return bytes.asSlice(0, behind).mismatch(bytes.asSlice(1, behind)) == -1
        ? bytes.get(ValueLayout.JAVA_BYTE, 0)
        : -1;
  }

  private static void toPageable(Scene scene, int count) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts array = scene.ints(count);
    MemorySegment host = scene.ordinary(count);
    stream.fill(array, 7);
    latch.hold(stream);
    scene.sayReturnsWaiting(latch, () -> stream.copy(array, host, Route.Kind.AWAITED_PAGEABLE));
    scene.say("host-on-return", all(host));
  }

  private static void staged(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts array = scene.ints(LARGE);
    MemorySegment host = scene.ordinary(LARGE);
    fill(host, 7);
    latch.hold(stream);
    scene.say("returns", returns(latch, () -> stream.copy(host, array)));
    latch.open();
    stream.await();
    scene.say("device-sees", all(array));
  }

  private static void stagedToHost(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts array = scene.ints(LARGE);
    MemorySegment host = scene.ordinary(LARGE);
    stream.fill(array, 7);
    latch.hold(stream);
    scene.differs(
        "returns",
        returns(latch, () -> stream.copy(array, host)),
        "Stretto stages ordinary memory by threads of its own, and no call waits");
    latch.open();
    stream.await();
    scene.say("host", all(host));
  }

  private static void registeredPart(Scene scene) {
    MemorySegment host = scene.ordinary(3 * LARGE);
    fill(host, 7);
    MemorySegment part = host.asSlice(4L * LARGE, 4L * LARGE);
    Registration registration = scene.device().register(part, scene.ordinaryArena());
    inStreamOrder(scene, part);
    registration.close();
  }

  private static void toRegistered(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts array = scene.ints(LARGE);
    MemorySegment host = scene.ordinary(3 * LARGE);
    MemorySegment part = host.asSlice(4L * LARGE, 4L * LARGE);
    Registration registration = scene.device().register(part, scene.ordinaryArena());
    stream.fill(array, 7);
    latch.hold(stream);
    scene.sayReturnsFirst(latch, () -> stream.copy(array, part));
    scene.say("host-before", part.getAtIndex(JAVA_INT, LARGE - 1));
    latch.open();
    stream.await();
    scene.say("host", part.getAtIndex(JAVA_INT, LARGE - 1));
    scene.say(
        "beside", host.getAtIndex(JAVA_INT, LARGE - 1) + host.getAtIndex(JAVA_INT, 2L * LARGE));
    registration.close();
  }

  private static void registeredTwice(Scene scene) {
    Arena arena = scene.ordinaryArena();
    MemorySegment host = scene.ordinary(2 * LARGE);
    MemorySegment part = host.asSlice(0, 4L * LARGE);
    MemorySegment overlapping = host.asSlice(2L * LARGE, 4L * LARGE);
    fill(host, 7);
    GlobalInts array = scene.ints(LARGE);
    Stream stream = scene.stream();
    Registration registration = scene.device().register(part, arena);
    scene.say("again", refusal(scene, part, arena));
    scene.say("a-part", refusal(scene, overlapping, arena));
    stream.copy(part, array).await();
    scene.say("value", all(array));
    registration.close();
  }

  private static String refusal(Scene scene, MemorySegment part, Arena arena) {
    return outcome(
        () -> scene.device().register(part, arena),
        PinnedBudgetException.class,
        IllegalArgumentException.class,
        IllegalStateException.class);
  }

  private static void registeredAnew(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts array = scene.ints(LARGE);
    MemorySegment host = scene.ordinary(LARGE);
    String again = "accepted";
    for (int i = 0; i < 5 && again.equals("accepted"); i++) {
      fill(host, i);
      again =
          outcome(
              () -> {
                Registration registration = scene.device().register(host, scene.ordinaryArena());
                stream.copy(host, array).await();
                registration.close();
              });
    }
    scene.say("every-time", again);
    scene.say("value", all(array));
  }

  private static void unregistered(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts array = scene.ints(LARGE);
    MemorySegment host = scene.ordinary(LARGE);
    fill(host, 7);
    Registration registration = scene.device().register(host, scene.ordinaryArena());
    latch.hold(stream);
    stream.copy(host, array);
    String why =
        "CUDA says nothing of work in flight; Stretto unpins after the last copy, and does not"
            + " wait";
    scene.differs("returns", returns(latch, registration::close), why);
    latch.open();
    stream.await();
    scene.differs("value", all(array), why);
  }

  private static void pinnedAllocated(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    PinnedArena arena = scene.own(scene.device().pinnedArena());
    latch.hold(stream);
    scene.say("returns", returns(latch, () -> arena.allocate(JAVA_INT, 4L * LARGE)));
    latch.open();
    stream.await();
  }

  private static void pinnedFreed(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts array = scene.ints(LARGE);
    PinnedArena arena = scene.device().pinnedArena();
    MemorySegment host = arena.allocate(JAVA_INT, LARGE);
    fill(host, 7);
    latch.hold(stream);
    stream.copy(host, array);
    scene.differs(
        "returns",
        returns(latch, arena::close),
        "cudaFreeHost waits for the device; an arena is closed at once, and its memory goes after"
            + " the last copy");
    latch.open();
    stream.await();
    scene.say("value", all(array));
  }

  private static void arrayFreed(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts copied = scene.ints(LARGE);
    GlobalInts array = scene.ints(LARGE);
    latch.hold(stream);
    stream.fill(array, 7);
    stream.copy(array, copied);
    scene.differs(
        "returns",
        returns(latch, array::close),
        "cudaFree waits for the device; an array is closed at once, and freed after its last use");
    latch.open();
    stream.await();
    scene.say("value", all(copied));
  }

  private static void hostToHost(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    MemorySegment from = scene.pinned(LARGE);
    MemorySegment to = scene.pinned(LARGE);
    fill(from, 7);
    latch.hold(stream);
    scene.differs(
        "returns",
        returns(latch, () -> stream.copy(from, to)),
        "CUDA copies while the caller waits; Stretto does it in the order of the stream");
    latch.open();
    stream.await();
    scene.say("value", all(to));
  }

  private static void pointers(Scene scene) {
    GlobalInts array = scene.ints(100);
    MemorySegment pinned = scene.pinned(100);
    MemorySegment ordinary = scene.ordinary(3 * 1024);
    scene.say("array", kindOf(scene, array.address()));
    scene.say("inside-an-array", kindOf(scene, array.address() + 200));
    scene.say("pinned", kindOf(scene, pinned.address()));
    scene.say("ordinary", kindOf(scene, ordinary.address()));
    Registration registration =
        scene.device().register(ordinary.asSlice(4096, 4096), scene.ordinaryArena());
    scene.say("registered", kindOf(scene, ordinary.address() + 4096));
    scene.say("before-what-is-registered", kindOf(scene, ordinary.address()));
    scene.say("behind-what-is-registered", kindOf(scene, ordinary.address() + 8192));
    registration.close();
  }

  private static String kindOf(Scene scene, long address) {
    return scene.device().pointer(address).kind().name().toLowerCase(Locale.ROOT);
  }
}
