package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Sample;
import dev.stretto.Stream;
import dev.stretto.fault.DeadlockException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * In which order a kernel's threads run on seeded devices, and what is said of those that cannot.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeededKernelsTest {
  private static final int SEEDS = Sample.of(60, 200);

  /** What a program does on a device, with what it leaves. */
  private interface Program {
    int[] run(Device device, Stream stream);
  }

  private static List<Integer> run(int seed, Program program) {
    try (Device device = Device.open("virtual:h200,seed=" + seed);
        Stream stream = device.stream()) {
      return Arrays.stream(program.run(device, stream)).boxed().toList();
    }
  }

  private static int[] ints(Stream stream, GlobalInts array) {
    int[] ints = new int[Math.toIntExact(array.length())];
    stream.copy(array, MemorySegment.ofArray(ints)).await();
    return ints;
  }

  private static Set<List<Integer>> traces(Program program) {
    Set<List<Integer>> traces = new HashSet<>();
    for (int seed = 1; seed <= SEEDS; seed++) {
      traces.add(run(seed, program));
    }
    return traces;
  }

  private static int[] trace(Device device, Stream stream, Grid grid, boolean around) {
    int threads = Math.toIntExact(grid.threadsPerBlock() * grid.blocksX());
    try (GlobalInts count = device.allocateInts(1);
        GlobalInts trace = device.allocateInts(2L * threads)) {
      stream.fill(count, 0);
      if (around) {
        stream.launch(grid, WaitingKernels::leavesATraceAroundABarrier, count, trace);
      } else {
        stream.launch(grid, WaitingKernels::leavesATrace, count, trace);
      }
      return ints(stream, trace);
    }
  }

  @Test
  void theThreadsOfABlockTakeTurnsAsTheSeedPicks() {
    Grid grid = Grid.of(1, 32);
    Set<List<Integer>> traces = traces((device, stream) -> trace(device, stream, grid, false));
    assertThat(traces).hasSizeGreaterThan(SEEDS * 9 / 10);
    assertThat(traces)
        .allSatisfy(
            trace ->
                assertThat(trace)
                    .containsOnly(IntStream.range(0, 32).boxed().toArray(Integer[]::new)));
  }

  @Test
  void theThreadsOfSeveralBlocksTakeTurnsAsTheSeedPicks() {
    Grid grid = Grid.of(8, 4);
    Set<List<Integer>> traces = traces((device, stream) -> trace(device, stream, grid, true));
    assertThat(traces).hasSizeGreaterThan(SEEDS * 9 / 10);
    // Any block may be the first, and any the last.
    assertThat(traces.stream().map(trace -> trace.getFirst() / 4).distinct()).hasSize(8);
    assertThat(traces.stream().map(trace -> trace.getLast() / 4).distinct()).hasSize(8);
    // Blocks also run at the same time.
    assertThat(traces).anySatisfy(trace -> assertThat(changes(trace)).isGreaterThan(16));
  }

  /** How often the trace goes on with another block. */
  private static int changes(List<Integer> trace) {
    return (int)
        IntStream.range(1, trace.size())
            .filter(i -> trace.get(i) / 4 != trace.get(i - 1) / 4)
            .count();
  }

  @Test
  void oneSeedHasOneTrace() {
    for (int seed = 1; seed <= 20; seed++) {
      for (boolean around : new boolean[] {false, true}) {
        Grid grid = Grid.of(5, 64);
        Program program = (device, stream) -> trace(device, stream, grid, around);
        assertThat(run(seed, program)).isEqualTo(run(seed, program));
      }
    }
  }

  @Test
  void whichThreadIsTheLastTheSeedPicks() {
    Set<List<Integer>> last =
        traces(
            (device, stream) -> {
              try (GlobalInts out = device.allocateInts(1)) {
                stream.launch(Grid.of(4, 16), WaitingKernels::overwrites, out);
                return ints(stream, out);
              }
            });
    assertThat(last).hasSizeGreaterThan(30);
  }

  @ParameterizedTest
  @CsvSource({"70, 71", "3, 600", "255, 256", "500, 300", "639, 639"})
  void theFirstThreadThatFailsIsNamedThoughOthersHaveOverwrittenWhatTheyRead(int one, int other) {
    int first = Math.min(one, other);
    for (int seed = 1; seed <= SEEDS; seed++) {
      try (Device device = Device.open("virtual:h200,seed=" + seed);
          Stream stream = device.stream()) {
        int[] numbers = new int[640];
        Arrays.fill(numbers, 7);
        numbers[one] = 0;
        numbers[other] = 0;
        GlobalInts x = device.allocateInts(numbers.length);
        stream.copy(numbers, x);
        stream.launch(Grid.of(40, 16), WaitingKernels::dividesInPlace, x);
        assertThatThrownBy(stream::await)
            .as("seed %d", seed)
            .isInstanceOf(DeviceLostException.class)
            .hasMessageContaining("division by zero, in kernel dividesInPlace")
            .hasMessageContaining(
                "block (%d, 0, 0), thread (%d, 0, 0)".formatted(first / 16, first % 16));
      }
    }
  }

  @Test
  @WithOrder("off") // a fill is no atomic store, as far as order goes
  void whoWaitsForWhatNobodyDoesIsNamedWithItsPlace() {
    try (Device device = Device.open("virtual:h200,seed=5");
        Stream stream = device.stream();
        GlobalInts flag = device.allocateInts(1);
        GlobalInts out = device.allocateInts(1)) {
      stream.fill(flag, 0);
      stream.launch(Grid.of(3, 4), WaitingKernels::waitsFor, flag, 1, out);
      DeadlockException e = catchThrowableOfType(DeadlockException.class, stream::await);
      assertThat(e)
          .hasMessageContaining("launch of waitsFor, 3 blocks")
          .hasMessageContaining("cannot go on before something else does what it polls for")
          .hasMessageContaining("block (0, 0, 0)")
          .hasMessageContaining("block (2, 0, 0)")
          .hasMessageContaining("threads 0 to 3 look again and again with loadAcquire")
          .hasMessageContaining("WaitingKernels.java:");
      // It is not the device's end: somebody may still do it.
      assertThat(stream.await(Duration.ofMillis(1))).isFalse();
      try (Stream other = device.stream()) {
        other.fill(flag, 1);
        stream.await();
      }
    }
  }

  @Test
  @WithOrder("off") // a fill is no atomic store, as far as order goes
  void lanesThatWaitTogetherForWhatNobodyDoesAreNamed() {
    try (Device device = Device.open("virtual:h200,seed=6");
        Stream stream = device.stream();
        GlobalInts flag = device.allocateInts(1);
        GlobalInts out = device.allocateInts(1)) {
      stream.fill(flag, 0);
      stream.launch(Grid.of(3, 32), WaitingKernels::lanesAskTheFirst, flag, out);
      DeadlockException e = catchThrowableOfType(DeadlockException.class, stream::await);
      assertThat(e)
          .hasMessageContaining("launch of lanesAskTheFirst, 3 blocks")
          .hasMessageContaining("cannot go on before something else does what it polls for");
      try (Stream other = device.stream()) {
        other.fill(flag, 1);
        stream.await();
      }
    }
  }

  @Test
  void blocksThatADeviceHasNoRoomForAreNamed() {
    try (Device device = Device.open("virtual:h200,seed=5");
        Stream stream = device.stream();
        GlobalInts state = device.allocateInts(1);
        GlobalInts numbers = device.allocateInts(2 * 140);
        GlobalInts wrong = device.allocateInts(1)) {
      stream.fill(state, 0);
      // With so much shared memory, each of 132 multiprocessors holds one block.
      stream.launch(
          Grid.of(140, 4).withSharedBytes(120_000),
          WaitingKernels::oneThreadOfEachBlockWaits,
          state,
          numbers,
          wrong,
          1);
      DeadlockException e = catchThrowableOfType(DeadlockException.class, stream::await);
      assertThat(e)
          .hasMessageContaining("8 have not begun, as the device has room for no more")
          .hasMessageContaining("wait in sync of barrier 0");
    }
  }

  @Test
  @WithOrder("off") // a fill is no atomic store, as far as order goes
  void aThreadThatHasUsedTheDeviceMayStillDoWhatAKernelWaitsFor() throws Exception {
    try (Device device = Device.open("virtual:h200,seed=5");
        Stream stream = device.stream();
        Stream other = device.stream();
        GlobalInts flag = device.allocateInts(1);
        GlobalInts out = device.allocateInts(1)) {
      stream.fill(flag, 0);
      stream.fill(out, 0);
      stream.await();
      stream.launch(Grid.of(3, 4), WaitingKernels::waitsFor, flag, 1, out);
      Thread helper =
          Thread.ofPlatform()
              .start(
                  () -> {
                    other.fill(out, 100);
                    other.await();
                    long end = System.nanoTime() + 1_500_000_000L;
                    while (System.nanoTime() < end) {
                      Thread.onSpinWait(); // is at something else
                    }
                    other.fill(flag, 1);
                  });
      stream.await();
      helper.join();
      assertThat(ints(stream, out)).containsExactly(112);
    }
  }
}
