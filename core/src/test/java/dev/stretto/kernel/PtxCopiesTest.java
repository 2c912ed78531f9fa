package dev.stretto.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Asynchronous copies happen when a GPU may let them happen at the latest. */
@Timeout(60)
class PtxCopiesTest {
  private static final int POISON = 0x7FF5_7FF5;

  private final TwinRun run = TwinRun.byRank().grid(1, 1);

  private static GlobalInts counting(GlobalInts array) {
    for (int i = 0; i < array.length(); i++) {
      array.set(i, 100 + i);
    }
    return array;
  }

  private int[] outcome(KernelMethod.Of2<GlobalInts, GlobalInts> kernel, int length) {
    GlobalInts found = run.ints(length);
    run.launch(kernel, counting(run.ints(64)), found);
    return TwinRun.values(found);
  }

  /** Of a kernel that reads too early, with the rule and the lines of the copy and of the read. */
  private void assertTooEarly(String rule, KernelMethod.Of2<GlobalInts, GlobalInts> kernel) {
    assertThatThrownBy(() -> outcome(kernel, 16))
        .hasMessageContaining(rule)
        .hasMessageContainingAll("(PtxCopiesTest.java:", "of thread 0 (PtxCopiesTest.java:");
  }

  @Test
  void aCopyIsThereWhenItsGroupIsWaitedFor() {
    int[] found =
        outcome(
            (block, from, to) -> {
              SharedInts tile = block.sharedInts(4);
              tile.set(0, 7);
              to.set(4, tile.get(0));
              PtxCopies.cpAsyncCg16(tile, 0, from, 32);
              PtxCopies.cpAsyncCommitGroup();
              PtxCopies.cpAsyncWaitGroup(0);
              snapshot(tile, to, 0);
            },
            5);
    assertThat(found).containsExactly(108, 109, 110, 111, 7);
  }

  @Test
  void readingBeforeTheWaitIsTold() {
    assertTooEarly(
        "missing-wait",
        (block, from, to) -> {
          SharedInts tile = block.sharedInts(4);
          PtxCopies.cpAsyncCg16(tile, 0, from, 32);
          PtxCopies.cpAsyncCommitGroup();
          to.set(0, tile.get(3));
          PtxCopies.cpAsyncWaitGroup(0);
        });
  }

  @Test
  void aWaitLeavesTheNewestGroupsPending() {
    int[] found =
        outcome(
            (block, from, to) -> {
              SharedInts tile = block.sharedInts(4);
              for (int i = 0; i < 4; i++) {
                PtxCopies.cpAsyncCa4(tile, 4 * i, from, 4 * i);
                PtxCopies.cpAsyncCommitGroup();
              }
              PtxCopies.cpAsyncWaitGroup(3);
              to.set(0, tile.get(0));
              PtxCopies.cpAsyncWaitGroup(1);
              to.set(1, tile.get(1));
              to.set(2, tile.get(2));
              // A group without copies counts.
              PtxCopies.cpAsyncCommitGroup();
              PtxCopies.cpAsyncWaitGroup(1);
              to.set(3, tile.get(3));
            },
            4);
    assertThat(found).containsExactly(100, 101, 102, 103);
  }

  @Test
  void readingWhatAWaitLeavesPendingIsTold() {
    assertTooEarly(
        "wait-leaves-group",
        (block, from, to) -> {
          SharedInts tile = block.sharedInts(4);
          PtxCopies.cpAsyncCa8(tile, 0, from, 0);
          PtxCopies.cpAsyncCommitGroup();
          PtxCopies.cpAsyncCa8(tile, 8, from, 8);
          PtxCopies.cpAsyncCommitGroup();
          PtxCopies.cpAsyncWaitGroup(1);
          to.set(0, tile.get(0));
          to.set(1, tile.get(2));
        });
  }

  private static void snapshot(SharedInts tile, GlobalInts to, int at) {
    for (int i = 0; i < 4; i++) {
      to.set(at + i, tile.get(i));
    }
  }

  @Test
  void copiesOfNoGroupAreLeftOutByTheWaitForGroupsOnly() {
    int[] found =
        outcome(
            (block, from, to) -> {
              SharedInts tile = block.sharedInts(4);
              PtxCopies.cpAsyncCa8(tile, 0, from, 0);
              PtxCopies.cpAsyncCommitGroup();
              PtxCopies.cpAsyncCa8(tile, 8, from, 8);
              PtxCopies.cpAsyncWaitGroup(0);
              to.set(4, tile.get(1));
              PtxCopies.cpAsyncWaitAll();
              snapshot(tile, to, 0);
            },
            5);
    assertThat(found).containsExactly(100, 101, 102, 103, 101);
    assertTooEarly(
        "missing-wait",
        (block, from, to) -> {
          SharedInts tile = block.sharedInts(4);
          PtxCopies.cpAsyncCa8(tile, 8, from, 8);
          PtxCopies.cpAsyncWaitGroup(0);
          to.set(0, tile.get(2));
        });
  }

  @Test
  void theSourceIsReadAtTheWait() {
    int[] found =
        outcome(
            (block, from, to) -> {
              SharedInts tile = block.sharedInts(1);
              PtxCopies.cpAsyncCa4(tile, 0, from, 0);
              from.set(0, -1);
              PtxCopies.cpAsyncWaitAll();
              to.set(0, tile.get(0));
            },
            1);
    assertThat(found).containsExactly(-1);
  }

  @Test
  void whatIsNotCopiedIsZero() {
    int[] found =
        outcome(
            (block, from, to) -> {
              SharedInts tile = block.sharedInts(12);
              PtxCopies.cpAsyncCg16(tile, 0, from, 0, 16);
              PtxCopies.cpAsyncCg16(tile, 16, from, 16, 6);
              PtxCopies.cpAsyncCg16(tile, 32, from, 32, 0);
              PtxCopies.cpAsyncWaitAll();
              snapshot(tile, to, 0);
              snapshot(tile.slice(4, 4), to, 4);
              snapshot(tile.slice(8, 4), to, 8);
            },
            12);
    assertThat(found).containsExactly(100, 101, 102, 103, 104, 105, 0, 0, 0, 0, 0, 0);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3})
  void aThreadWaitsForItsOwnCopiesOnly(long seed) {
    TwinRun two = TwinRun.seeded(seed).grid(3, 64);
    GlobalInts found = two.ints(3 * 64);
    two.launch(
        (ThreadBlock block, GlobalInts from, GlobalInts to) -> {
          SharedInts tile = block.sharedInts(64);
          int t = block.threadIndexX();
          PtxCopies.cpAsyncCa4(tile, 4 * t, from, 4 * t);
          PtxCopies.cpAsyncCommitGroup();
          PtxCopies.cpAsyncWaitGroup(0);
          block.sync();
          to.set(block.globalIndexX(), tile.get(t ^ 1));
          block.sync();
          // Left behind, and not to land in the next block.
          PtxCopies.cpAsyncCa4(tile, 4 * t, from, 0);
        },
        counting(two.ints(64)),
        found);
    assertThat(TwinRun.values(found))
        .containsExactly(IntStream.range(0, 3 * 64).map(i -> 100 + (i % 64 ^ 1)).toArray());
    assertThatThrownBy(
            () ->
                two.launch(
                    (ThreadBlock block, GlobalInts from, GlobalInts to) -> {
                      SharedInts tile = block.sharedInts(64);
                      int t = block.threadIndexX();
                      PtxCopies.cpAsyncCa4(tile, 4 * t, from, 4 * t);
                      PtxCopies.cpAsyncCommitGroup();
                      PtxCopies.cpAsyncWaitGroup(0);
                      to.set(block.globalIndexX(), tile.get(t ^ 1));
                    },
                    counting(two.ints(64)),
                    found))
        // Whichever of the two came first.
        .hasMessageMatching("(?s).*(missing-wait|missing-barrier|early-refill).*");
  }

  @Test
  void smallElementsAreCopiedBySizeToo() {
    GlobalInts from = counting(run.ints(8));
    GlobalInts found = run.ints(6);
    GlobalBytes bytes = GlobalBytes.of(from.allocation());
    GlobalHalfs halfs = GlobalHalfs.of(from.allocation());
    run.launch(
        (ThreadBlock block, GlobalBytes fromBytes, GlobalHalfs fromHalfs, GlobalInts to) -> {
          SharedBytes tile = block.sharedBytes(32);
          PtxCopies.cpAsyncCa4(tile, 4, fromBytes, 8);
          PtxCopies.cpAsyncCa16(tile.asHalfs(), 16, fromHalfs, 16);
          PtxCopies.cpAsyncWaitAll();
          to.set(0, tile.asInts().get(0));
          to.set(1, tile.asInts().get(1));
          snapshot(tile.slice(16, 16).asInts(), to, 2);
        },
        bytes,
        halfs,
        found);
    assertThat(TwinRun.values(found)).containsExactly(POISON, 102, 104, 105, 106, 107);
  }

  private void assertRefused(
      KernelMethod.Of1<GlobalInts> kernel, Class<? extends Throwable> type, String part) {
    GlobalArray from = run.ints(8);
    assertThatThrownBy(() -> run.launch(kernel, (GlobalInts) from))
        .hasCauseInstanceOf(type)
        .hasMessageContaining(part);
  }

  @Test
  void onlyWhatIsReadHasToLieInTheArray() {
    int[] found =
        outcome(
            (block, from, to) -> {
              SharedInts tile = block.sharedInts(12);
              GlobalInts some = from.slice(0, 6);
              PtxCopies.cpAsyncCg16(tile, 0, some, 16, 8);
              PtxCopies.cpAsyncCg16(tile, 16, some, 32, 0);
              PtxCopies.cpAsyncCg16(tile, 32, some, -16, true);
              PtxCopies.cpAsyncWaitAll();
              for (int i = 0; i < 12; i++) {
                to.set(i, tile.get(i));
              }
            },
            12);
    assertThat(found).containsExactly(104, 105, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void mistakesAreToldWhereTheCopyBegins() {
    assertRefused(
        (block, from) -> PtxCopies.cpAsyncCg16(block.sharedInts(8), 8, from, 0),
        IllegalArgumentException.class,
        "byte 8 of SharedInts[8] at byte 0 does not lie at an address that is a multiple of 16");
    assertRefused(
        (block, from) -> PtxCopies.cpAsyncCa8(block.sharedInts(8), 8, from, 4),
        IllegalArgumentException.class,
        "cpAsyncCa8: byte 4 of GlobalInts[8]");
    assertRefused(
        (block, from) -> PtxCopies.cpAsyncCg16(block.sharedInts(2), 0, from, 0),
        IndexOutOfBoundsException.class,
        "2");
    assertRefused(
        (block, from) -> PtxCopies.cpAsyncCg16(block.sharedInts(4), 0, from, 32, 4),
        IndexOutOfBoundsException.class,
        "32");
    assertRefused(
        (block, from) -> PtxCopies.cpAsyncCg16(block.sharedInts(4), 0, from, 16, 17),
        IllegalArgumentException.class,
        "cpAsyncCg16 of 17 bytes: has to be 0 to 16");
    assertRefused(
        (block, from) -> PtxCopies.cpAsyncCg16(block.sharedInts(4), 0, from, 40, 0),
        IllegalArgumentException.class,
        "cpAsyncCg16: byte 40 of GlobalInts[8]");
    assertRefused(
        (block, from) -> PtxCopies.cpAsyncCg16(block.sharedInts(4), 0, from, 0, 17),
        IllegalArgumentException.class,
        "cpAsyncCg16 of 17 bytes: has to be 0 to 16");
  }
}
