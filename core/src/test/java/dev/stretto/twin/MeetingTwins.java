package dev.stretto.twin;

import static dev.stretto.twin.Scene.outcome;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.driver.ValueCondition;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;

/**
 * Pinned memory that kernels address, and numbers that streams write and wait for: {@code
 * semantics/meeting.cuh}.
 */
final class MeetingTwins {
  private static final VarHandle INT = JAVA_INT.varHandle();

  private MeetingTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("pinned-memory-that-a-kernel-reads-and-writes", MeetingTwins::mapped),
        Twin.of("pinned-memory-between-a-kernel-and-copies", MeetingTwins::mappedAndCopied),
        Twin.of("doorbell-of-a-running-kernel", MeetingTwins::doorbell),
        Twin.of("numbers-that-streams-wait-for", MeetingTwins::conditions),
        Twin.of("number-of-eight-bytes-that-a-stream-waits-for", MeetingTwins::wide),
        Twin.of("number-behind-the-work-of-its-stream", MeetingTwins::ordered),
        Twin.of("number-that-the-host-writes-for-a-stream", MeetingTwins::latch),
        Twin.of("number-in-memory-of-a-pool", MeetingTwins::pooled));
  }

  private static void mapped(Scene scene) {
    Stream stream = scene.stream();
    MemorySegment in = scene.pinned(1024);
    MemorySegment out = scene.pinned(1024);
    GlobalInts from = scene.device().view(in, GlobalInts::of);
    GlobalInts to = scene.device().view(out, GlobalInts::of);
    for (int i = 0; i < 1024; i++) {
      in.setAtIndex(JAVA_INT, i, 3 * i);
    }
    for (int round = 0; round < 3; round++) {
      stream.launch(Grid.of(4, 256), MeetingTwinKernels::twice, from, to);
      stream.await();
      in.copyFrom(out);
    }
    scene.say("stored", Arrays.hashCode(out.toArray(JAVA_INT)));
  }

  private static void mappedAndCopied(Scene scene) {
    Stream stream = scene.stream();
    MemorySegment in = scene.pinned(1024);
    MemorySegment out = scene.pinned(1024);
    GlobalInts from = scene.device().view(in, GlobalInts::of);
    GlobalInts to = scene.device().view(out, GlobalInts::of);
    GlobalInts source = scene.ints(1024);
    GlobalInts sink = scene.ints(1024);
    stream.fill(source, 0x01010101);
    stream.copy(source, in);
    stream.launch(Grid.of(4, 256), MeetingTwinKernels::twice, from, to);
    stream.copy(out, sink);
    stream.await();
    scene.say("copied", Scene.all(sink));
  }

  private static void doorbell(Scene scene) {
    Stream stream = scene.stream();
    MemorySegment words = scene.pinned(128);
    GlobalInts view = scene.device().view(words, GlobalInts::of);
    stream.launch(Grid.of(1, 1), MeetingTwinKernels::answers, view, 20);
    long sum = 0;
    for (int number = 1; number <= 20; number++) {
      int ring = number;
      words.setAtIndex(JAVA_INT, 1, 3 * number);
      INT.setRelease(words, 0L, number);
      stream.awaitUntil(() -> (int) INT.getAcquire(words, 4L * 64) >= ring);
      sum += words.getAtIndex(JAVA_INT, 2);
    }
    stream.await();
    scene.say("sum", sum);
  }

  private static void conditions(Scene scene) {
    sayWait(scene, "at-least", ValueCondition.AT_LEAST, 3, 2, 4);
    sayWait(
        scene,
        "around-the-circle",
        ValueCondition.AT_LEAST,
        Integer.MAX_VALUE,
        5,
        Integer.MIN_VALUE);
    sayWait(scene, "equal", ValueCondition.EQUAL, 9, 10, 9);
    sayWait(scene, "common-bit", ValueCondition.COMMON_BIT, 2, 9, 6);
    sayWait(scene, "common-zero", ValueCondition.COMMON_ZERO, 1, ~1, ~3);
    sayWait(scene, "there-before", ValueCondition.EQUAL, 9, 9, 9);
  }

  private static void sayWait(
      Scene scene, String key, ValueCondition condition, int other, int first, int then) {
    Stream waiter = scene.stream();
    Stream writer = scene.stream();
    GlobalInts number = scene.device().allocateSignals(1);
    writer.writeValue(number, 0, first);
    writer.await();
    waiter.waitValue(number, 0, other, condition);
    scene.say(key + "-at-first", scene.passes(waiter) ? "yes" : "no");
    writer.writeValue(number, 0, then);
    waiter.await();
    scene.say(key + "-then", Scene.read(number)[0]);
  }

  private static void wide(Scene scene) {
    Stream waiter = scene.stream();
    Stream writer = scene.stream();
    GlobalLongs number = scene.device().allocateLongSignals(2);
    writer.writeValue(number, 1, (1L << 40) - 1);
    writer.await();
    waiter.waitValue(number, 1, 1L << 40, ValueCondition.AT_LEAST);
    scene.say("at-first", scene.passes(waiter) ? "yes" : "no");
    writer.writeValue(number, 1, 1L << 40);
    waiter.await();
    long[] values = new long[2];
    waiter.copy(number, values).await();
    scene.say("then", values[1]);
  }

  private static void ordered(Scene scene) {
    Stream waiter = scene.stream();
    Stream writer = scene.stream();
    Latch latch = scene.latch();
    GlobalInts number = scene.device().allocateSignals(1);
    writer.writeValue(number, 0, 0);
    writer.await();
    GlobalInts data = scene.ints(1024);
    GlobalInts copied = scene.ints(1024);
    waiter.waitValue(number, 0, 1, ValueCondition.EQUAL);
    waiter.copy(data, copied);
    latch.hold(writer);
    writer.fill(data, 0x01010101);
    writer.writeValue(number, 0, 1);
    scene.say("before", scene.passes(waiter) ? "yes" : "no");
    latch.open();
    waiter.await();
    scene.say("copied", Scene.all(copied));
  }

  private static void latch(Scene scene) {
    Stream stream = scene.stream();
    MemorySegment words = scene.pinned(2);
    GlobalInts view = scene.device().view(words, GlobalInts::of);
    GlobalInts data = scene.ints(1);
    stream.waitValue(view, 0, 1, ValueCondition.EQUAL);
    stream.launch(Scene.ONE, TwinKernels::add, data, 7);
    stream.writeValue(view, 1, 5);
    scene.say("before", words.getAtIndex(JAVA_INT, 1));
    INT.setRelease(words, 0L, 1);
    stream.await();
    scene.say("behind", words.getAtIndex(JAVA_INT, 1));
    scene.say("data", Scene.all(data));
  }

  private static void pooled(Scene scene) {
    Stream stream = scene.stream();
    GlobalInts number = scene.ints(1);
    scene.say(
        "write", outcome(() -> stream.writeValue(number, 0, 1), IllegalArgumentException.class));
    scene.say(
        "wait",
        outcome(
            () -> stream.waitValue(number, 0, 1, ValueCondition.EQUAL),
            IllegalArgumentException.class));
  }
}
