package dev.stretto.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.memory.Double2;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.Int2;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where threads stand, how they wait for each other, and what they share. */
@Timeout(60)
class ThreadBlockTest {
  private static void places(ThreadBlock block, GlobalInts out) {
    long thread =
        (block.globalIndexZ() * block.gridSizeY() * block.blockSizeY() + block.globalIndexY())
                * block.gridSizeX()
                * block.blockSizeX()
            + block.globalIndexX();
    out.set(thread, block.threadRank() * 1000 + block.size());
  }

  @Test
  void everyThreadOfEveryBlockRunsOnceAtItsPlace() {
    TwinRun run = TwinRun.byRank().grid(new int[] {3, 2, 2}, new int[] {5, 3, 2});
    GlobalInts out = run.ints(3 * 5 * 2 * 3 * 2 * 2);
    run.launch(ThreadBlockTest::places, out);
    for (int z = 0; z < 4; z++) {
      for (int y = 0; y < 6; y++) {
        for (int x = 0; x < 15; x++) {
          int rank = (z % 2 * 3 + y % 3) * 5 + x % 5;
          assertThat(out.get((z * 6 + y) * 15 + x)).isEqualTo(rank * 1000 + 30);
        }
      }
    }
  }

  private static void placesTogether(ThreadBlock block, GlobalInts out) {
    block.sync();
    places(block, out);
  }

  @Test
  void threadsThatWaitForEachOtherStandWhereOthersDo() {
    TwinRun run = TwinRun.seeded(5).grid(new int[] {3, 2, 2}, new int[] {5, 3, 2});
    GlobalInts together = run.ints(360);
    GlobalInts alone = run.ints(360);
    run.launch(ThreadBlockTest::placesTogether, together);
    run.launch(ThreadBlockTest::places, alone);
    assertThat(TwinRun.values(together)).isEqualTo(TwinRun.values(alone));
  }

  private static void sum(ThreadBlock block, @Const int width, GlobalInts in, GlobalInts out) {
    SharedInts partial = block.sharedInts(width);
    int rank = block.threadRank();
    partial.set(rank, in.get(block.globalIndexX()));
    block.sync();
    for (int half = width / 2; half > 0; half /= 2) {
      if (rank < half) {
        partial.set(rank, partial.get(rank) + partial.get(rank + half));
      }
      block.sync();
    }
    if (rank == 0) {
      out.set(block.blockIndexX(), partial.get(0));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3, 4})
  void whatWasWrittenBeforeABarrierIsReadBehindIt(long seed) {
    TwinRun run = TwinRun.seeded(seed).grid(7, 128);
    GlobalInts in = run.ints(7 * 128);
    GlobalInts out = run.ints(7);
    for (int i = 0; i < in.length(); i++) {
      in.set(i, i * i);
    }
    run.launch(ThreadBlockTest::sum, 128, in, out);
    for (int block = 0; block < 7; block++) {
      assertThat(out.get(block))
          .isEqualTo(IntStream.range(128 * block, 128 * block + 128).map(i -> i * i).sum());
    }
  }

  private static void reverseWithoutBarrier(ThreadBlock block, GlobalInts out) {
    SharedInts places = block.sharedInts(64);
    int rank = block.threadRank();
    places.set(rank, rank);
    block.warp().sync();
    out.set(rank, places.get(63 - rank));
  }

  @Test
  void aMissingBarrierShows() {
    for (long seed = 1; seed <= 5; seed++) {
      TwinRun run = TwinRun.seeded(seed).grid(1, 64);
      GlobalInts out = run.ints(64);
      assertThatThrownBy(() -> run.launch(ThreadBlockTest::reverseWithoutBarrier, out))
          .as("seed %d", seed)
          .hasMessageContaining("missing-barrier: ");
    }
  }

  private static void votes(ThreadBlock block, int yes, GlobalInts out) {
    boolean vote = block.threadRank() < yes;
    int count = block.syncCount(vote);
    boolean all = block.syncAnd(vote);
    boolean any = block.syncOr(vote);
    out.set(block.threadRank(), count * 100 + (all ? 10 : 0) + (any ? 1 : 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 47, 48})
  void aBarrierCountsVotes(int yes) {
    TwinRun run = TwinRun.seeded(yes).grid(1, 48);
    GlobalInts out = run.ints(48);
    run.launch(ThreadBlockTest::votes, yes, out);
    int expected = yes * 100 + (yes == 48 ? 10 : 0) + (yes > 0 ? 1 : 0);
    assertThat(TwinRun.values(out)).containsOnly(expected);
  }

  private static void someReturn(ThreadBlock block, GlobalInts out) {
    int rank = block.threadRank();
    if (rank % 3 == 0) {
      return;
    }
    SharedInts seen = block.sharedInts(96);
    seen.set(rank, 1);
    int count = block.syncCount(true);
    block.sync();
    int sum = 0;
    for (int i = 0; i < 96; i++) {
      sum += i % 3 == 0 ? 0 : seen.get(i);
    }
    out.set(rank, count * 1000 + sum);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3})
  void threadsThatHaveReturnedAreNotWaitedFor(long seed) {
    TwinRun run = TwinRun.seeded(seed).grid(2, 96);
    GlobalInts out = run.ints(96);
    run.launch(ThreadBlockTest::someReturn, out);
    for (int i = 0; i < 96; i++) {
      assertThat(out.get(i)).isEqualTo(i % 3 == 0 ? 0 : 64 * 1000 + 64);
    }
  }

  private static void readFirst(ThreadBlock block, GlobalFloats fixed, GlobalFloats dynamic) {
    SharedFloats memory = block.sharedFloats(32);
    SharedFloats launched = block.dynamicShared().asFloats();
    int rank = block.threadRank();
    fixed.set(block.globalIndexX(), memory.get(rank));
    dynamic.set(block.globalIndexX(), launched.get(rank));
    block.sync();
    memory.set(rank, 1);
    launched.set(rank, 1);
  }

  @Test
  void sharedMemoryIsPoisonedInEveryBlockAnew() {
    TwinRun run = TwinRun.byRank().grid(3, 32).withSharedBytes(128);
    GlobalFloats fixed = run.floats(96);
    GlobalFloats dynamic = run.floats(96);
    run.launch(ThreadBlockTest::readFirst, fixed, dynamic);
    for (int i = 0; i < 96; i++) {
      assertThat(fixed.get(i)).isNaN();
      assertThat(dynamic.get(i)).isNaN();
    }
  }

  private static SharedInts place(ThreadBlock block) {
    return block.sharedInts(32);
  }

  private static void manyArrays(ThreadBlock block, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts first = place(block);
    SharedInts second = place(block);
    first.set(rank, 1);
    second.set(rank, 2);
    for (int i = 0; i < 3; i++) {
      SharedInts same = block.sharedInts(32);
      if (i == 0) {
        same.set(rank, 0);
      }
      same.set(rank, same.get(rank) + 10);
      block.sync();
      if (i == 2) {
        out.set(rank, first.get(31 - rank) + second.get(31 - rank) + same.get(31 - rank));
      }
    }
  }

  @Test
  void eachCallHasItsOwnArrayAndALoopHasOne() {
    TwinRun run = TwinRun.seeded(3).grid(1, 32);
    GlobalInts out = run.ints(32);
    run.launch(ThreadBlockTest::manyArrays, out);
    assertThat(TwinRun.values(out)).containsOnly(33);
  }

  private static void differentLengths(ThreadBlock block) {
    block.sharedInts(32 + block.threadRank());
  }

  @Test
  void anArrayWhoseLengthDiffersAmongThreadsIsRefused() {
    assertThatThrownBy(() -> TwinRun.byRank().grid(1, 2).launch(ThreadBlockTest::differentLengths))
        .hasMessageContaining("shared memory of 132 bytes")
        .hasMessageContaining("asked for 128")
        .hasMessageContaining("has to be a constant");
  }

  private static void views(ThreadBlock block, GlobalInts out) {
    SharedBytes bytes = block.dynamicShared();
    SharedInts ints = bytes.slice(0, 64).asInts();
    SharedLongs longs = bytes.slice(64, 64).asLongs();
    SharedHalfs halfs = bytes.slice(128, 4).asHalfs();
    SharedBfloats bfloats = bytes.slice(132, 4).asBfloats();
    ints.set(15, 0x01020304);
    longs.set(7, -2);
    halfs.set(1, 1.00049f);
    bfloats.set(0, 1.001f);
    out.set(0, bytes.length());
    out.set(1, bytes.get(60));
    out.set(2, bytes.asInts().get(31));
    out.set(3, halfs.get(1) == 1.0009766f ? 1 : 0);
    out.set(4, bfloats.get(0) == 1 ? 1 : 0);
    out.set(5, ints.slice(8, 8).get(7));
    out.set(6, bytes.asShorts().get(30));
  }

  @Test
  void dynamicSharedMemoryIsReadAsAnyType() {
    TwinRun run = TwinRun.byRank().grid(1, 1).withSharedBytes(136);
    GlobalInts out = run.ints(7);
    run.launch(ThreadBlockTest::views, out);
    assertThat(TwinRun.values(out)).containsExactly(136, 4, -1, 1, 1, 0x01020304, 0x0304);
  }

  private static void crooked(ThreadBlock block) {
    block.dynamicShared().slice(2, 8).asInts();
  }

  @Test
  void aViewThatBeginsInsideAnElementIsRefused() {
    assertThatThrownBy(() -> TwinRun.byRank().withSharedBytes(64).launch(ThreadBlockTest::crooked))
        .hasMessageContaining(
            "SharedBytes[8] at byte 2 does not begin and end at whole elements of 4 bytes");
  }

  private static void vectors(
      ThreadBlock block, GlobalFloats in, GlobalInts ints, GlobalDoubles doubles) {
    SharedFloats tile = block.sharedFloats(8);
    SharedInts pair = block.sharedInts(2);
    SharedDoubles precise = block.sharedDoubles(2);
    Float4 four = in.get4(4);
    tile.set4(4, new Float4(four.w(), four.z(), four.y(), four.x()));
    in.set4(0, tile.get4(4));
    Int2 two = ints.get2(2);
    pair.set2(0, new Int2(two.y(), two.x()));
    ints.set2(0, pair.get2(0));
    Double2 both = doubles.get2(2);
    precise.set2(0, new Double2(both.y(), both.x()));
    doubles.set2(0, precise.get2(0));
  }

  @Test
  void severalElementsAreMovedAtOnce() {
    TwinRun run = TwinRun.byRank().grid(1, 1);
    GlobalFloats floats = run.floats(8);
    GlobalInts ints = run.ints(4);
    GlobalDoubles doubles = run.doubles(4);
    for (int i = 0; i < 4; i++) {
      floats.set(4 + i, i + 1);
      ints.set(i, i);
      doubles.set(i, i);
    }
    run.launch(ThreadBlockTest::vectors, floats, ints, doubles);
    assertThat(new float[] {floats.get(0), floats.get(1), floats.get(2), floats.get(3)})
        .containsExactly(4, 3, 2, 1);
    assertThat(TwinRun.values(ints)).containsExactly(3, 2, 2, 3);
    assertThat(new double[] {doubles.get(0), doubles.get(1)}).containsExactly(3, 2);
  }

  private static void vectorAt(ThreadBlock block, GlobalFloats in, int index) {
    in.get4(index);
  }

  @Test
  void severalElementsAreMovedFromAMultipleOfTheirSizeOnly() {
    TwinRun run = TwinRun.byRank().grid(1, 1);
    GlobalFloats floats = run.floats(16);
    KernelMethod.Of2<GlobalFloats, Integer> kernel = ThreadBlockTest::vectorAt;
    assertThatThrownBy(() -> run.launch(kernel, floats, 6))
        .hasMessageContaining("element 6 of GlobalFloats[16]")
        .hasMessageContaining("only from a multiple of 4");
    assertThatThrownBy(() -> run.launch(kernel, floats.slice(2, 8), 4))
        .hasMessageContaining("from an address that is a multiple of 16");
    assertThatThrownBy(() -> run.launch(kernel, floats.slice(4, 6), 4))
        .hasMessageContaining("out of bounds");
    run.launch(kernel, floats.slice(4, 8), 4);
  }

  private static void draw(ThreadBlock block, GlobalInts next, GlobalInts order) {
    for (int i = 0; i < 4; i++) {
      order.set(Atomics.add(next, 0, 1), block.threadRank());
      block.sync();
    }
  }

  private static int[] drawn(long seed) {
    TwinRun run = TwinRun.seeded(seed).grid(1, 40);
    GlobalInts next = run.ints(1);
    GlobalInts order = run.ints(160);
    run.launch(ThreadBlockTest::draw, next, order);
    return TwinRun.values(order);
  }

  @Test
  void aSeedPicksTheOrderOfThreadsAndPicksItAgain() {
    assertThat(drawn(1)).isEqualTo(drawn(1)).isNotEqualTo(drawn(2)).isNotEqualTo(drawn(0));
    assertThat(drawn(0)).startsWith(IntStream.range(0, 40).toArray());
  }
}
