package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.driver.ValueCondition;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.junit.jupiter.api.Test;

/** What the guide says of the host and kernels that work at the same time. */
class GuideMeetingTest {
  // @start region="grid"
  @Kernel
  static void smooth(ThreadBlock block, GlobalFloats here, GlobalFloats there, int rounds) {
    int i = (int) block.grid().threadRank();
    int last = (int) here.length() - 1;
    for (int round = 0; round < rounds; round++) {
      there.set(i, (here.get(Math.max(i - 1, 0)) + here.get(Math.min(i + 1, last))) / 2);
      block.grid().sync(); // all blocks have written
      here.set(i, there.get(i));
      block.grid().sync(); // all blocks have read
    }
  }

  // @end

  @Test
  void blocksMeetBetweenTheRounds() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalFloats here = device.allocateFloats(8 * 128);
        GlobalFloats there = device.allocateFloats(8 * 128)) {
      stream.fill(here, 3);
      // @start region="cooperative"
      Grid grid = Grid.of(8, 128).cooperative();
      stream.launch(grid, GuideMeetingTest::smooth, here, there, 10);
      // @end
      float[] result = new float[8 * 128];
      stream.copy(here, result).await();
      assertThat(result).containsOnly(3);
    }
  }

  // @start region="doorbell"
  static final VarHandle INT = JAVA_INT.varHandle();

  @Kernel
  static void answers(ThreadBlock block, GlobalInts words, int last) {
    for (int number = 1; number <= last; number++) {
      while (Atomics.loadAcquire(words, 0, Scope.SYSTEM) < number) {
        // until the host rings
      }
      words.set(2, words.get(1) * words.get(1));
      Atomics.storeRelease(words, 3, number, Scope.SYSTEM);
    }
  }

  // @end

  @Test
  void aKernelAnswersTheHost() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena()) {
      int sum = 0;
      // @start region="ring"
      MemorySegment words = arena.allocate(JAVA_INT, 4);
      GlobalInts view = device.view(words, GlobalInts::of);
      stream.launch(Grid.of(1, 1), GuideMeetingTest::answers, view, 10);
      for (int number = 1; number <= 10; number++) {
        int ring = number;
        words.setAtIndex(JAVA_INT, 1, number); // the question
        INT.setRelease(words, 0L, number);
        stream.awaitUntil(() -> (int) INT.getAcquire(words, 12L) == ring);
        sum += words.getAtIndex(JAVA_INT, 2); // the answer
      }
      // @end
      assertThat(sum).isEqualTo(385);
      stream.await();
    }
  }

  // @start region="progress"
  @Kernel
  static void tells(ThreadBlock block, GlobalInts progress, int steps) {
    for (int step = 1; step <= steps; step++) {
      Atomics.storeRelease(progress, 0, step, Scope.SYSTEM);
    }
  }

  // @end

  @Test
  void aKernelTellsHowFarItIs() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena()) {
      MemorySegment progress = arena.allocate(JAVA_INT, 1);
      GlobalInts view = device.view(progress, GlobalInts::of);
      stream.launch(Grid.of(1, 1), GuideMeetingTest::tells, view, 100);
      // @start region="halfway"
      stream.awaitUntil(() -> (int) INT.getAcquire(progress, 0L) >= 50); // half of it is done
      // @end
      assertThat((int) INT.getAcquire(progress, 0L)).isGreaterThanOrEqualTo(50);
    }
  }

  @Test
  void aLatchHoldsAStream() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena();
        GlobalInts data = device.allocateInts(16)) {
      // @start region="latch"
      MemorySegment latch = arena.allocate(JAVA_INT, 1);
      GlobalInts view = device.view(latch, GlobalInts::of);
      stream.waitValue(view, 0, 1, ValueCondition.EQUAL);
      stream.fill(data, 7); // not before the host opens the latch
      INT.setRelease(latch, 0L, 1);
      // @end
      int[] result = new int[16];
      stream.copy(data, result).await();
      assertThat(result).containsOnly(7);
    }
  }

  @Test
  void streamsHandOverByNumbers() {
    try (Device device = Device.open("virtual");
        Stream producer = device.stream();
        Stream consumer = device.stream();
        GlobalInts data = device.allocateInts(16)) {
      producer.fill(data, 1).await();
      // @start region="values"
      GlobalInts turns = device.allocateSignals(2);
      producer.writeValue(turns, 0, 0);
      producer.await();
      for (int round = 1; round <= 3; round++) {
        producer.fill(data, round);
        producer.writeValue(turns, 0, round);
        consumer.waitValue(turns, 0, round, ValueCondition.AT_LEAST);
        consumer.copy(data, new int[16]);
        producer.waitFor(consumer.record());
      }
      // @end
      consumer.await();
    }
  }
}
