package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Sample;
import dev.stretto.Stream;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A block of an ordinary launch that waits for one that has not begun is named, whether or not the
 * device has room for both; one that waits for a block that has begun is not.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WaitingBlocksTest {
  private static final int SEEDS = Sample.of(30, 200);
  private static final int BLOCKS = 6;
  private static final int THREADS = 32;

  interface Program {
    void launch(Stream stream, Grid grid, GlobalInts flags, GlobalInts out);
  }

  enum Waits {
    FOR_THE_NEXT(
        (stream, grid, flags, out) ->
            stream.launch(grid, WaitingBlocks::waitForTheNext, flags, out)),
    FOR_THE_ONE_BEFORE(
        (stream, grid, flags, out) ->
            stream.launch(grid, WaitingBlocks::waitForTheOneBefore, flags, out)),
    AT_A_BARRIER_BY_HAND(
        (stream, grid, flags, out) ->
            stream.launch(grid, WaitingBlocks::barrierByHand, flags, out)),
    AT_A_BARRIER_BY_ALL_THREADS(
        (stream, grid, flags, out) ->
            stream.launch(grid, WaitingBlocks::barrierByAllThreads, flags, out));

    @SuppressWarnings("ImmutableEnumChecker") // programs have no state
    private final Program program;

    Waits(Program program) {
      this.program = program;
    }
  }

  enum Right {
    LOOK_BACK(
        (stream, grid, flags, out) -> stream.launch(grid, WaitingBlocks::lookBack, flags, out)),
    LAST_BLOCK_DONE(
        (stream, grid, flags, out) ->
            stream.launch(grid, WaitingBlocks::lastBlockDone, flags, out)),
    LOCK((stream, grid, flags, out) -> stream.launch(grid, WaitingBlocks::lock, flags, out)),
    LOCK_WITH_TICKETS(
        (stream, grid, flags, out) ->
            stream.launch(grid, WaitingBlocks::lockWithTickets, flags, out)),
    FIRST_PREPARES(
        (stream, grid, flags, out) ->
            stream.launch(grid, WaitingBlocks::firstPrepares, flags, out)),
    SEARCH((stream, grid, flags, out) -> stream.launch(grid, WaitingBlocks::search, flags, out));

    @SuppressWarnings("ImmutableEnumChecker") // programs have no state
    private final Program program;

    Right(Program program) {
      this.program = program;
    }
  }

  private static int run(String name, Grid grid, Program program) {
    try (Device device = Device.open(name);
        Stream stream = device.stream();
        GlobalInts flags = device.allocateInts(1024);
        GlobalInts out = device.allocateInts(1)) {
      stream.fill(flags, 0);
      stream.fill(out, 0);
      program.launch(stream, grid, flags, out);
      int[] sum = new int[1];
      stream.copy(out, MemorySegment.ofArray(sum)).await();
      return sum[0];
    }
  }

  private static @Nullable String failure(String name, Grid grid, Program program) {
    Throwable thrown = catchThrowable(() -> run(name, grid, program));
    if (thrown == null) {
      return null;
    }
    assertThat(thrown).isInstanceOf(DeviceLostException.class);
    return thrown.getMessage();
  }

  private static void requireNamed(@Nullable String failure) {
    assertThat(failure)
        .containsPattern(
            "block \\(\\d+, 0, 0\\) waits for a block that had not begun: thread \\d+ looks again"
                + " and again \\(WaitingBlocks.java:\\d+\\) for what block \\(\\d+, 0, 0\\)"
                + " writes")
        .contains("Grid.cooperative()");
  }

  @ParameterizedTest
  @EnumSource(Waits.class)
  void seedsNameABlockThatWaitsForOneThatHasNotBegun(Waits waits) {
    List<String> named = new ArrayList<>();
    for (int seed = 1; seed <= SEEDS; seed++) {
      String failure =
          failure("virtual:h200,seed=" + seed, Grid.of(BLOCKS, THREADS), waits.program);
      if (failure != null) {
        requireNamed(failure);
        named.add(failure);
      }
    }
    assertThat(named).hasSizeGreaterThan(SEEDS / 3);
  }

  @ParameterizedTest
  @EnumSource(names = "FOR_THE_ONE_BEFORE", mode = EnumSource.Mode.EXCLUDE)
  void aDeviceWithoutASeedNamesABlockThatWaitsForALaterOne(Waits waits) {
    // More than begin at once on this computer's cores.
    int blocks = Math.max(BLOCKS, 3 * Runtime.getRuntime().availableProcessors());
    requireNamed(failure("virtual:h200", Grid.of(blocks, THREADS), waits.program));
  }

  @ParameterizedTest
  @EnumSource
  void blocksOfACooperativeLaunchMayWaitForEachOther(Waits waits) {
    Grid grid = Grid.of(BLOCKS, THREADS).cooperative();
    for (int seed = 1; seed <= SEEDS; seed++) {
      assertThat(run("virtual:h200,seed=" + seed, grid, waits.program)).isEqualTo(BLOCKS * THREADS);
    }
    assertThat(run("virtual:h200", grid, waits.program)).isEqualTo(BLOCKS * THREADS);
  }

  @ParameterizedTest
  @EnumSource
  void blocksMayWaitForThoseThatHaveBegun(Right right) {
    Grid grid = Grid.of(BLOCKS, THREADS);
    for (int seed = 1; seed <= SEEDS; seed++) {
      assertThat(run("virtual:h200,seed=" + seed, grid, right.program))
          .as("seed %d", seed)
          .isEqualTo(BLOCKS * THREADS);
    }
    for (int i = 0; i < 20; i++) {
      assertThat(run("virtual:h200", grid, right.program)).isEqualTo(BLOCKS * THREADS);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 6})
  void blocksOfAClusterMayWaitForEachOther(int blocks) {
    Grid grid = Grid.of(blocks, THREADS).withCluster(blocks, 1, 1);
    for (int seed = 1; seed <= SEEDS; seed++) {
      assertThat(run("virtual:h200,seed=" + seed, grid, Waits.FOR_THE_NEXT.program))
          .isEqualTo(blocks * THREADS);
    }
  }
}
