package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Kernels whose blocks wait for each other, as all of them may that a device holds at the same
 * time, and kernels that wait for other kernels and for copies. On a GPU, loading a kernel waits
 * for kernels that run; so a kernel that another one waits for is prepared before.
 */
class WaitingKernelsTest extends ContractTest {
  private static final Duration SHORT = Duration.ofMillis(200);

  private int[] ints(Stream stream, GlobalInts array) {
    return MemorySegment.ofArray(read(stream, array)).toArray(ValueLayout.JAVA_INT_UNALIGNED);
  }

  private GlobalInts zeros(Stream stream, int count) {
    GlobalInts array = device.allocateInts(count);
    stream.fill(array, 0);
    return array;
  }

  @Test
  void blocksOfWhichOneThreadWaitsMeetAtABarrierOfTheirOwn() {
    try (Stream stream = device.stream();
        GlobalInts state = zeros(stream, 1);
        GlobalInts numbers = zeros(stream, 80);
        GlobalInts wrong = zeros(stream, 1)) {
      stream.launch(
          Grid.of(40, 64).cooperative(),
          WaitingKernels::oneThreadOfEachBlockWaits,
          state,
          numbers,
          wrong,
          5);
      assertThat(ints(stream, wrong)).containsOnly(0);
      assertThat(ints(stream, state)).containsOnly(200);
    }
  }

  @Test
  void blocksOfWhichOneThreadSleepsMeetAtABarrierOfTheirOwn() {
    try (Stream stream = device.stream();
        GlobalInts state = zeros(stream, 1);
        GlobalInts numbers = zeros(stream, 80);
        GlobalInts wrong = zeros(stream, 1)) {
      stream.launch(
          Grid.of(40, 33).cooperative(),
          WaitingKernels::oneThreadOfEachBlockSleeps,
          state,
          numbers,
          wrong,
          5);
      assertThat(ints(stream, wrong)).containsOnly(0);
    }
  }

  @Test
  void blocksOfWhichEachThreadWaitsMeetAtABarrierOfTheirOwn() {
    try (Stream stream = device.stream();
        GlobalInts state = zeros(stream, 1);
        GlobalInts numbers = zeros(stream, 16);
        GlobalInts wrong = zeros(stream, 1)) {
      stream.launch(
          Grid.of(8, 32).cooperative(), WaitingKernels::eachThreadWaits, state, numbers, wrong, 3);
      assertThat(ints(stream, wrong)).containsOnly(0);
    }
  }

  @Test
  void blocksThatMeetBeforeEachLookWaitForTheNext() {
    try (Stream stream = device.stream();
        GlobalInts flags = zeros(stream, 12)) {
      stream.launch(Grid.of(12, 64).cooperative(), WaitingKernels::blocksWaitForTheNext, flags);
      assertThat(ints(stream, flags)).containsOnly(1);
    }
  }

  @Test
  void blocksTakeALockInTurns() {
    try (Stream stream = device.stream();
        GlobalInts lock = zeros(stream, 1);
        GlobalInts counted = zeros(stream, 1)) {
      stream.launch(Grid.of(20, 4), WaitingKernels::takesALock, lock, counted, 10);
      assertThat(ints(stream, counted)).containsOnly(200);
    }
  }

  @Test
  void aKernelWaitsForAnotherOneThatIsLaunchedLater() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        GlobalInts flag = zeros(stream, 1);
        GlobalInts out = zeros(stream, 1)) {
      Launch sets = device.prepare(Grid.of(2, 8), WaitingKernels::sets, flag, 3);
      stream.await();
      stream.launch(Grid.of(4, 8), WaitingKernels::waitsFor, flag, 3, out);
      other.launch(sets);
      assertThat(ints(stream, out)).containsOnly(32);
    }
  }

  @Test
  void blocksWaitForOneThatGetsPastManyBarriers() {
    try (Stream stream = device.stream();
        GlobalInts flag = zeros(stream, 1);
        GlobalInts out = zeros(stream, 2)) {
      int barriers = 32 * 100 + 5;
      stream.launch(
          Grid.of(4, 32).cooperative(), WaitingKernels::oneBlockComputesLong, flag, out, barriers);
      assertThat(ints(stream, out)).containsExactly(5, 3 * 32 * 5);
    }
  }

  @Test
  @WithOrder("off") // neither a copy nor a fill is an atomic store, as far as order goes
  void lanesWaitForWhatOneOfThemLooksFor() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        GlobalInts flag = zeros(stream, 1);
        GlobalInts out = zeros(stream, 1)) {
      stream.await();
      stream.launch(Grid.of(3, 32), WaitingKernels::lanesAskTheFirst, flag, out);
      other.fill(flag, 2);
      assertThat(ints(stream, out)).containsExactly(3 * 32 * 2);
      other.await();
    }
  }

  @Test
  void twoKernelsGiveEachOtherTheTurn() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        GlobalInts turn = zeros(stream, 1)) {
      stream.await();
      stream.launch(Grid.of(1, 1), WaitingKernels::takesTurns, turn, 0, 50);
      other.launch(Grid.of(1, 1), WaitingKernels::takesTurns, turn, 1, 50);
      stream.await();
      assertThat(ints(other, turn)).containsOnly(100);
    }
  }

  @Test
  @WithOrder("off") // neither a copy nor a fill is an atomic store, as far as order goes
  void aKernelWaitsForACopyAndForAFillOfAnotherStream() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts flag = zeros(stream, 1);
        GlobalInts second = zeros(stream, 1);
        GlobalInts out = zeros(stream, 1)) {
      MemorySegment seven = pinned.allocateFrom(ValueLayout.JAVA_INT, 7);
      stream.await();
      stream.launch(Grid.of(3, 4), WaitingKernels::waitsFor, flag, 7, out);
      stream.launch(Grid.of(3, 4), WaitingKernels::waitsFor, second, 9, out);
      other.copy(seven, flag);
      other.fill(second, 9);
      assertThat(ints(stream, out)).containsOnly(24);
      other.await();
    }
  }

  @Test
  void anAwaitHoldsItsDeadlineWhileAKernelWaits() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        GlobalInts flag = zeros(stream, 1);
        GlobalInts out = zeros(stream, 1)) {
      Launch sets = device.prepare(Grid.of(1, 1), WaitingKernels::sets, flag, 3);
      stream.await();
      stream.launch(Grid.of(4, 8), WaitingKernels::waitsFor, flag, 3, out);
      Event end = stream.record();
      assertThat(end.await(SHORT)).isFalse();
      assertThat(stream.await(SHORT)).isFalse();
      assertThat(end.isDone()).isFalse();
      other.launch(sets);
      end.await();
      assertThat(ints(stream, out)).containsOnly(32);
    }
  }

  /** A device that is closed meanwhile may be left with such a kernel for ever. */
  @Test
  @WithOrder("off") // it looks at what the kernel writes meanwhile
  void aKernelThatHasLookedInVainForSecondsLooksSeldom() throws InterruptedException {
    if (!machine.isVirtual() || machine.isSeeded()) {
      return; // a GPU has nothing better to do, and a seeded device is stepped
    }
    try (Stream stream = device.stream();
        Stream other = device.stream();
        GlobalInts flag = zeros(stream, 1);
        GlobalInts looks = zeros(stream, 1)) {
      stream.await();
      stream.launch(Grid.of(1, 1), WaitingKernels::counts, flag, looks);
      Thread.sleep(1_500);
      int before = ints(other, looks)[0];
      Thread.sleep(500);
      assertThat(ints(other, looks)[0] - before).isLessThan(500_000);
      other.fill(flag, 1);
      stream.await();
    }
  }
}
