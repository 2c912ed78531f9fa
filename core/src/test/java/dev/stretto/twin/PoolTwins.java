package dev.stretto.twin;

import static dev.stretto.twin.Scene.add;
import static dev.stretto.twin.Scene.all;
import static dev.stretto.twin.Scene.get;
import static dev.stretto.twin.Scene.outcome;
import static dev.stretto.twin.Scene.query;
import static dev.stretto.twin.Scene.yesNo;

import dev.stretto.LimitedPool;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Memory that is allocated and freed in the order of streams: {@code semantics/pools.cuh}. */
final class PoolTwins {
  private static final int INTS = (1 << 20) / 4;
  private static final long TOO_MANY = 1L << 48;

  private PoolTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("pool-memory-again-on-its-stream", PoolTwins::reuse),
        Twin.of("pool-memory-not-for-another-stream", PoolTwins::otherStream),
        Twin.of("pool-memory-used-on-another-stream", PoolTwins::shared),
        Twin.of("pool-memory-freed-on-another-stream", PoolTwins::freedElsewhere),
        Twin.of("pool-memory-freed-in-flight", PoolTwins::freedInFlight),
        Twin.of("pool-memory-too-much", PoolTwins::tooMuch),
        Twin.of("pool-with-a-largest-size", PoolTwins::limited),
        Twin.of("allocation-of-too-much", PoolTwins::allocateTooMuch),
        Twin.of("allocation-of-nothing", PoolTwins::allocateNothing),
        Twin.of("pool-memory-freed-twice", PoolTwins::twice),
        Twin.of("pool-memory-after-its-stream-was-awaited", PoolTwins::afterwards));
  }

  private static MemorySegment slot(MemorySegment ints, int index) {
    return ints.asSlice(4L * index, 4);
  }

  private static void putAndTake(GlobalInts array, int value, MemorySegment seen, Stream stream) {
    stream.fill(array.slice(0, 1), value);
    stream.copy(array.slice(0, 1), seen);
  }

  private static void reuse(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    MemorySegment seen = scene.pinned(2);
    stream.allocateInts(INTS).close();
    stream.await();
    latch.hold(stream);
    GlobalInts first = stream.allocateInts(INTS);
    putAndTake(first, 7, slot(seen, 0), stream);
    first.close();
    GlobalInts second = stream.allocateInts(INTS);
    putAndTake(second, 8, slot(seen, 1), stream);
    second.close();
    scene.say("returns-first", yesNo(!latch.isOpen()));
    latch.open();
    stream.await();
    scene.say("first", get(slot(seen, 0)));
    scene.say("second", get(slot(seen, 1)));
  }

  private static void otherStream(Scene scene) {
    Stream held = scene.stream();
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    MemorySegment seen = scene.pinned(2);
    GlobalInts first = held.allocateInts(INTS);
    long address = first.address();
    held.await();
    latch.hold(held);
    putAndTake(first, 7, slot(seen, 0), held);
    first.close();
    GlobalInts second = stream.allocateInts(INTS);
    scene.say("same-address", yesNo(second.address() == address));
    stream.fill(second.slice(0, 1), 8);
    scene.say("stream", scene.passes(stream) ? "independent" : "waits");
    stream.copy(second.slice(0, 1), slot(seen, 1));
    latch.open();
    held.await();
    second.close();
    stream.await();
    scene.say("first", get(slot(seen, 0)));
    scene.say("second", get(slot(seen, 1)));
  }

  private static void shared(Scene scene) {
    Stream one = scene.stream();
    Stream two = scene.stream();
    Latch latch = scene.latch();
    MemorySegment seen = scene.pinned(1);
    latch.hold(one);
    GlobalInts memory = one.allocateInts(INTS);
    GlobalInts cell = memory.slice(0, 1);
    one.fill(cell, 7);
    two.waitFor(one.record());
    add(cell, 1, two);
    two.copy(cell, seen);
    one.waitFor(two.record());
    memory.close();
    scene.say("two", query(two));
    latch.open();
    one.await();
    scene.say("value", get(seen));
  }

  private static void freedElsewhere(Scene scene) {
    Stream one = scene.stream();
    Stream two = scene.stream();
    MemorySegment seen = scene.pinned(1);
    GlobalInts memory = one.allocateInts(INTS);
    putAndTake(memory, 7, seen, one);
    two.waitFor(one.record());
    two.free(memory);
    two.await();
    scene.say("value", get(seen));
    scene.say("one", query(one));
  }

  private static void freedInFlight(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts copied = scene.ints(INTS);
    GlobalInts memory = stream.allocateInts(INTS);
    stream.fill(memory, 0).await();
    latch.hold(stream);
    stream.fill(memory, 7);
    stream.copy(memory, copied);
    scene.sayReturnsFirst(latch, memory::close);
    latch.open();
    stream.await();
    scene.say("value", all(copied));
  }

  private static void tooMuch(Scene scene) {
    Stream stream = scene.stream();
    MemorySegment seen = scene.pinned(1);
    scene.say(
        "allocation",
        outcome(() -> stream.allocateInts(TOO_MANY), OutOfDeviceMemoryException.class));
    GlobalInts small = stream.allocateInts(1);
    putAndTake(small, 7, seen, stream);
    small.close();
    stream.await();
    scene.say("value-then", get(seen));
  }

  private static void limited(Scene scene) {
    int piece = 64 << 20;
    Stream stream = scene.stream();
    MemorySegment seen = scene.pinned(1);
    List<GlobalInts> arrays = new ArrayList<>();
    LimitedPool pool = scene.device().memoryPool(2L * piece);
    Runnable allocate = () -> arrays.add(stream.allocateInts(pool, piece / 4));
    scene.say("first", outcome(allocate, OutOfDeviceMemoryException.class));
    scene.say("second", outcome(allocate, OutOfDeviceMemoryException.class));
    scene.say("third", outcome(allocate, OutOfDeviceMemoryException.class));
    arrays.getFirst().close();
    scene.say("third-again", outcome(allocate, OutOfDeviceMemoryException.class));
    GlobalInts third = arrays.getLast();
    stream.fill(third.slice(0, 1), 7);
    pool.close();
    stream.copy(third.slice(0, 1), seen);
    third.close();
    arrays.get(1).close();
    stream.await();
    scene.say("value", get(seen));
  }

  private static void allocateTooMuch(Scene scene) {
    scene.say(
        "allocation",
        outcome(() -> scene.device().allocateInts(TOO_MANY), OutOfDeviceMemoryException.class));
    scene.say("value-then", all(scene.ints(1)));
  }

  private static void allocateNothing(Scene scene) {
    scene.differs(
        "allocation",
        outcome(() -> scene.device().allocateInts(0), IllegalArgumentException.class),
        "CUDA is content to allocate nothing; Stretto takes it for a mistake");
  }

  private static void twice(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts memory = stream.allocateInts(INTS);
    stream.free(memory);
    scene.say("again", outcome(() -> stream.free(memory), ClosedException.class));
    stream.await();
    scene.say("stream", query(stream));
  }

  private static void afterwards(Scene scene) {
    Stream one = scene.stream();
    Stream two = scene.stream();
    MemorySegment seen = scene.pinned(1);
    GlobalInts first = one.allocateInts(INTS);
    one.fill(first, 7);
    first.close();
    one.await();
    GlobalInts second = two.allocateInts(INTS);
    putAndTake(second, 8, seen, two);
    second.close();
    two.await();
    scene.say("value", get(seen));
  }
}
