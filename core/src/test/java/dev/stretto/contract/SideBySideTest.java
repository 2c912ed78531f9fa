package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalLongs;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Kernels, fills and copies beside each other in modelled time. */
@Timeout(60)
class SideBySideTest {
  private static final int MULTIPROCESSORS = 132;

  /** So much shared memory that a multiprocessor holds one block. */
  private static final int ALONE_BYTES = 200 << 10;

  /** An empty kernel on the profile. */
  private static final long LEAD = 1_500;

  /** How much later a kernel begins that shares the device's front end with another stream. */
  private static final long COMES_BACK = 1_600;

  /** From a launch to one of another stream. */
  private static final long SWITCH = 1_000;

  private final Device device = Device.open("virtual:h200");
  private final List<Stream> streams = new ArrayList<>();

  @AfterEach
  void close() {
    device.close();
  }

  @Kernel
  static void spin(ThreadBlock block, long nanos) {
    long start = block.globalTimer();
    while (block.globalTimer() - start < nanos) {}
  }

  @Kernel
  static void spinCycles(ThreadBlock block, long cycles) {
    long start = block.clock();
    while (block.clock() - start < cycles) {}
  }

  @Kernel
  static void sleep(ThreadBlock block, int times, int nanos) {
    for (int i = 0; i < times; i++) {
      Ptx.nanosleep(nanos);
    }
  }

  /** Thread 0 waits, then all meet, then thread 1 waits. */
  @Kernel
  static void spinInTurns(ThreadBlock block, long nanos) {
    for (int turn = 0; turn < 4; turn++) {
      if (block.threadRank() == turn) {
        long start = block.globalTimer();
        while (block.globalTimer() - start < nanos) {}
      }
      block.sync();
    }
  }

  @Kernel
  static void stamp(ThreadBlock block, long nanos, GlobalLongs stamps, int at) {
    long start = block.globalTimer();
    stamps.set(at, start);
    while (block.globalTimer() - start < nanos) {}
    stamps.set(at + 1, block.globalTimer());
  }

  /** The first block spins for long. */
  @Kernel
  static void spinUnevenly(ThreadBlock block, long nanos) {
    long wait = block.blockIndexX() == 0 ? 10 * nanos : nanos;
    long start = block.globalTimer();
    while (block.globalTimer() - start < wait) {}
  }

  private Stream stream() {
    return stream(0);
  }

  private Stream stream(int priority) {
    Stream made = device.stream(priority);
    streams.add(made);
    return made;
  }

  /** What is enqueued by a program, which gets a stream whose work has not begun. */
  private interface Program {
    void enqueue(Stream first);
  }

  /** Nanoseconds from the start to the end of all streams; the host is ahead of the device. */
  private long nanos(Program program) {
    return nanos(stream(), program);
  }

  private long nanos(Stream first, Program program) {
    first.launch(Grid.of(1, 1), SideBySideTest::spin, 2_000_000L);
    TimedEvent start = first.recordTimed();
    program.enqueue(first);
    for (Stream other : streams) {
      if (!other.equals(first)) {
        first.waitFor(other.record());
      }
    }
    TimedEvent end = first.recordTimed();
    end.await();
    return Math.round(start.nanosTo(end));
  }

  /** A stream that begins when another one comes to this point. */
  private Stream after(Event start, int priority) {
    Stream made = stream(priority);
    made.waitFor(start);
    return made;
  }

  private static Grid alone(int blocks) {
    return Grid.of(blocks, 32).withSharedBytes(ALONE_BYTES);
  }

  private static void spins(Stream stream, Grid grid, long micros) {
    stream.launch(grid, SideBySideTest::spin, micros * 1_000);
  }

  private long chains(int count, long nanos) {
    return nanos(
        first -> {
          Event start = first.record();
          for (int i = 0; i < count; i++) {
            Stream each = after(start, 0);
            for (int link = 0; link < 20; link++) {
              each.launch(Grid.of(4, 64), SideBySideTest::spin, nanos);
            }
          }
        });
  }

  @Test
  void chainsOnEightStreamsTakeLittleLongerThanOne() {
    long one = chains(1, 10_000);
    assertThat(one).isCloseTo(20 * (LEAD + 10_000), withPercentage(2));
    assertThat(chains(8, 10_000)).isCloseTo(one + 20 * COMES_BACK + 8 * SWITCH, withPercentage(2));
  }

  @Test
  void launchesOfManyStreamsBeginOneAfterTheOther() {
    assertThat(chains(8, 0)).isCloseTo(20 * 8 * SWITCH, withPercentage(5));
    assertThat(chains(16, 0)).isCloseTo(20 * (8 * SWITCH + 8 * 200), withPercentage(5));
  }

  @Test
  void theSameProgramTakesTheSameTimeOnEveryRun() {
    long first = chains(8, 1_000);
    assertThat(chains(8, 1_000)).isEqualTo(first);
    assertThat(chains(8, 1_000)).isEqualTo(first);
  }

  @Test
  void kernelsThatFillTheDeviceTakeTurns() {
    long both =
        nanos(
            first -> {
              Stream other = after(first.record(), 0);
              for (int i = 0; i < 3; i++) {
                spins(first, alone(MULTIPROCESSORS), 20);
                spins(other, alone(MULTIPROCESSORS), 20);
              }
            });
    assertThat(both).isCloseTo(6 * 20_000, withPercentage(3));
  }

  @Test
  void twoKernelsThatFillHalfTheDeviceEachRunAtTheSameTime() {
    long both =
        nanos(
            first -> {
              spins(after(first.record(), 0), alone(MULTIPROCESSORS / 2), 20);
              spins(first, alone(MULTIPROCESSORS / 2), 20);
            });
    assertThat(both).isCloseTo(LEAD + COMES_BACK + SWITCH + 20_000, within(300L));
  }

  @Test
  void aGridTakesAsManyWavesAsItNeeds() {
    int[][] waves = {{132, 1}, {133, 2}, {198, 2}, {264, 2}, {330, 3}};
    for (int[] each : waves) {
      assertThat(nanos(first -> spins(first, alone(each[0]), 20)))
          .as("%d blocks", each[0])
          .isCloseTo(LEAD + each[1] * 20_000, within(300L));
    }
  }

  @Test
  void sharedMemoryDecidesWhatFits() {
    ToLongFunction<Integer> two =
        bytes ->
            nanos(
                first -> {
                  Grid grid = Grid.of(MULTIPROCESSORS, 32).withSharedBytes(bytes);
                  spins(after(first.record(), 0), grid, 20);
                  spins(first, grid, 20);
                });
    long lead = LEAD + COMES_BACK;
    assertThat(two.applyAsLong(112 << 10)).isCloseTo(lead + SWITCH + 20_000, within(300L));
    assertThat(two.applyAsLong(116 << 10)).isCloseTo(lead + 40_000, within(300L));
  }

  @Test
  void threadsDecideWhatFits() {
    ToLongFunction<Integer> three =
        threads ->
            nanos(
                first -> {
                  Grid grid = Grid.of(MULTIPROCESSORS, threads);
                  spins(after(first.record(), 0), grid, 20);
                  spins(after(first.record(), 0), grid, 20);
                  spins(first, grid, 20);
                });
    long lead = LEAD + COMES_BACK;
    assertThat(three.applyAsLong(672)).isCloseTo(lead + 2 * SWITCH + 20_000, within(300L));
    assertThat(three.applyAsLong(704)).isCloseTo(lead + 40_000, within(300L));
  }

  /** Nanoseconds until a short kernel is done that comes 30 µs after one of ten waves. */
  private long untilDone(int priority) {
    Stream few = stream(priority);
    List<TimedEvent> ends = new ArrayList<>();
    long all =
        nanos(
            first -> {
              ends.add(first.recordTimed());
              few.waitFor(ends.getFirst());
              spins(first, alone(10 * MULTIPROCESSORS), 20);
              spins(few, Grid.of(1, 32), 30);
              spins(few, alone(1), 20);
              ends.add(few.recordTimed());
            });
    assertThat(all).isBetween(200_000L, 240_000L);
    return Math.round(ends.get(0).nanosTo(ends.get(1)));
  }

  @Test
  void aPriorityTakesEffectBetweenBlocks() {
    // The two waves that run when it comes end at 40 µs; what is urgent goes before the third.
    assertThat(untilDone(-5)).isCloseTo(LEAD + COMES_BACK + 60_000, within(2_000L));
    // Otherwise it and what makes it late begin beside the last wave.
    assertThat(untilDone(0)).isCloseTo(2 * LEAD + COMES_BACK + 180_000 + 50_000, within(2_000L));
  }

  @Test
  void aBlockThatTakesLongDoesNotHoldUpTheOthers() {
    Grid grid = alone(2 * MULTIPROCESSORS);
    assertThat(nanos(first -> first.launch(grid, SideBySideTest::spinUnevenly, 10_000L)))
        .isCloseTo(LEAD + 100_000, within(300L));
  }

  @Test
  void aFillRunsBesideAKernel() {
    GlobalBytes bytes = device.allocateBytes(1 << 20);
    long both =
        nanos(
            first -> {
              Stream other = after(first.record(), 0);
              spins(first, alone(MULTIPROCESSORS), 50);
              for (int i = 0; i < 10; i++) {
                other.fill(bytes, (byte) i);
              }
            });
    assertThat(both).isCloseTo(LEAD + 50_000, within(300L));
  }

  @Test
  void aKernelThatWaitsByTheTimerTakesThatLong() {
    for (long micros : new long[] {5, 20, 300}) {
      assertThat(nanos(first -> spins(first, Grid.of(1, 1), micros)))
          .isCloseTo(LEAD + micros * 1_000, within(100L));
    }
    long cycles = 20L * device.properties().clockKilohertz() / 1_000;
    assertThat(nanos(first -> first.launch(Grid.of(1, 1), SideBySideTest::spinCycles, cycles)))
        .isCloseTo(LEAD + 20_000, within(100L));
  }

  @Test
  void sleepsTakeAsLongAsTheySay() {
    assertThat(nanos(first -> first.launch(Grid.of(3, 64), SideBySideTest::sleep, 20, 1_000)))
        .isEqualTo(LEAD + 20_000);
  }

  @Test
  void threadsThatMeetGoOnAtTheTimeOfTheLatest() {
    assertThat(nanos(first -> first.launch(Grid.of(2, 64), SideBySideTest::spinInTurns, 5_000L)))
        .isCloseTo(LEAD + 4 * 5_000, within(300L));
  }

  @Test
  void theTimerGoesOnFromKernelToKernel() {
    GlobalLongs stamps = device.allocateLongs(4);
    long nanos =
        nanos(
            first -> {
              first.launch(Grid.of(1, 1), SideBySideTest::stamp, 7_000L, stamps, 0);
              first.launch(Grid.of(1, 1), SideBySideTest::stamp, 7_000L, stamps, 2);
            });
    long[] read = new long[4];
    Stream stream = stream();
    stream.copy(stamps, read).await();
    assertThat(read[1] - read[0]).isCloseTo(7_000, within(100L));
    assertThat(read[2] - read[1]).isBetween(0L, 2 * LEAD);
    assertThat(read[3] - read[0]).isCloseTo(nanos - LEAD, within(200L));
  }
}
