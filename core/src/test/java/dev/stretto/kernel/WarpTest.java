package dev.stretto.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the lanes of a warp tell each other. */
@Timeout(60)
class WarpTest {
  private static final int THREADS = 96;

  private static int value(int rank) {
    return rank * 0x9E3779B9;
  }

  private static void shuffles(ThreadBlock block, int by, GlobalInts out) {
    Warp warp = block.warp();
    int rank = block.threadRank();
    int value = value(rank);
    out.set(4 * rank, warp.shuffle(value, by));
    out.set(4 * rank + 1, warp.shuffleUp(value, by));
    out.set(4 * rank + 2, warp.shuffleDown(value, by));
    out.set(4 * rank + 3, warp.shuffleXor(value, by));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 31, 32, 37, -1})
  void aShuffleReadsAnotherLane(int by) {
    TwinRun run = TwinRun.seeded(by).grid(1, THREADS);
    GlobalInts out = run.ints(4 * THREADS);
    run.launch(WarpTest::shuffles, by, out);
    int way = by & 31;
    for (int rank = 0; rank < THREADS; rank++) {
      int lane = rank % 32;
      int base = rank - lane;
      assertThat(out.get(4 * rank)).isEqualTo(value(base + way));
      assertThat(out.get(4 * rank + 1)).isEqualTo(value(lane < way ? rank : rank - way));
      assertThat(out.get(4 * rank + 2)).isEqualTo(value(lane + way > 31 ? rank : rank + way));
      assertThat(out.get(4 * rank + 3)).isEqualTo(value(base + (lane ^ way)));
    }
  }

  private static void everyType(
      ThreadBlock block, GlobalFloats floats, GlobalLongs longs, GlobalDoubles doubles) {
    Warp warp = block.warp();
    int lane = warp.lane();
    floats.set(lane, warp.shuffleXor(floats.get(lane), 1));
    longs.set(lane, warp.shuffleXor(longs.get(lane), 1));
    doubles.set(lane, warp.shuffleXor(doubles.get(lane), 1));
  }

  @Test
  void valuesOfEveryTypeAreShuffledBitByBit() {
    TwinRun run = TwinRun.seeded(1).grid(1, 32);
    GlobalFloats floats = run.floats(32);
    GlobalLongs longs = run.longs(32);
    GlobalDoubles doubles = run.doubles(32);
    for (int i = 0; i < 32; i++) {
      floats.set(i, i + 0.5f);
      longs.set(i, i * 0x123456789ABCDEFL);
      doubles.set(i, i == 3 ? Double.NaN : 1.0 / i);
    }
    run.launch(WarpTest::everyType, floats, longs, doubles);
    for (int i = 0; i < 32; i++) {
      int from = i ^ 1;
      assertThat(floats.get(i)).isEqualTo(from + 0.5f);
      assertThat(longs.get(i)).isEqualTo(from * 0x123456789ABCDEFL);
      assertThat(Double.doubleToRawLongBits(doubles.get(i)))
          .isEqualTo(Double.doubleToRawLongBits(from == 3 ? Double.NaN : 1.0 / from));
    }
  }

  private static void votes(ThreadBlock block, GlobalInts out) {
    Warp warp = block.warp();
    int rank = block.threadRank();
    out.set(5 * rank, warp.ballot(rank % 3 == 0));
    out.set(5 * rank + 1, (warp.any(rank == 40) ? 1 : 0) + (warp.all(rank < 64) ? 2 : 0));
    out.set(5 * rank + 2, warp.matchAny(rank % 5));
    out.set(5 * rank + 3, warp.matchAny((long) (rank % 7) << 40));
    out.set(5 * rank + 4, warp.index() * 100 + warp.lane());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2})
  void lanesVoteAndFindTheirEquals(long seed) {
    TwinRun run = TwinRun.seeded(seed).grid(1, THREADS);
    GlobalInts out = run.ints(5 * THREADS);
    run.launch(WarpTest::votes, out);
    for (int rank = 0; rank < THREADS; rank++) {
      int warp = rank / 32;
      int ballot = 0;
      int fives = 0;
      int sevens = 0;
      for (int lane = 0; lane < 32; lane++) {
        int other = 32 * warp + lane;
        ballot |= other % 3 == 0 ? 1 << lane : 0;
        fives |= other % 5 == rank % 5 ? 1 << lane : 0;
        sevens |= other % 7 == rank % 7 ? 1 << lane : 0;
      }
      assertThat(out.get(5 * rank)).isEqualTo(ballot);
      assertThat(out.get(5 * rank + 1)).isEqualTo(warp == 1 ? 3 : warp == 0 ? 2 : 0);
      assertThat(out.get(5 * rank + 2)).isEqualTo(fives);
      assertThat(out.get(5 * rank + 3)).isEqualTo(sevens);
      assertThat(out.get(5 * rank + 4)).isEqualTo(warp * 100 + rank % 32);
    }
  }

  private static void reductions(ThreadBlock block, GlobalInts out, GlobalLongs wide) {
    Warp warp = block.warp();
    int lane = warp.lane();
    int value = value(lane + 1);
    out.set(lane, warp.reduceAdd(value));
    out.set(32 + lane, warp.reduceMin(value));
    out.set(64 + lane, warp.reduceMax(value));
    out.set(96 + lane, warp.reduceAnd(value | 0xff00));
    out.set(128 + lane, warp.reduceOr(value & 0xf0f0));
    out.set(160 + lane, warp.reduceXor(value));
    wide.set(lane, warp.reduceAdd((long) value));
    wide.set(32 + lane, warp.reduceMax((long) value << 20));
    wide.set(64 + lane, (long) warp.reduceAdd(0.25f * lane) + (long) warp.reduceMin(-2.5 * lane));
  }

  @Test
  void lanesReduce() {
    TwinRun run = TwinRun.seeded(2).grid(1, 32);
    GlobalInts out = run.ints(192);
    GlobalLongs wide = run.longs(96);
    run.launch(WarpTest::reductions, out, wide);
    int sum = 0;
    int least = Integer.MAX_VALUE;
    int greatest = Integer.MIN_VALUE;
    int and = -1;
    int or = 0;
    int xor = 0;
    long wideSum = 0;
    for (int lane = 0; lane < 32; lane++) {
      int value = value(lane + 1);
      sum += value;
      wideSum += value;
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
      and &= value | 0xff00;
      or |= value & 0xf0f0;
      xor ^= value;
    }
    for (int lane = 0; lane < 32; lane++) {
      assertThat(out.get(lane)).isEqualTo(sum);
      assertThat(out.get(32 + lane)).isEqualTo(least);
      assertThat(out.get(64 + lane)).isEqualTo(greatest);
      assertThat(out.get(96 + lane)).isEqualTo(and);
      assertThat(out.get(128 + lane)).isEqualTo(or);
      assertThat(out.get(160 + lane)).isEqualTo(xor);
      assertThat(wide.get(lane)).isEqualTo(wideSum);
      assertThat(wide.get(32 + lane)).isEqualTo((long) greatest << 20);
      assertThat(wide.get(64 + lane)).isEqualTo(124 - 77);
    }
  }

  private static void halves(ThreadBlock block, GlobalInts out) {
    Warp warp = block.warp();
    int lane = warp.lane();
    if (lane < 8) {
      int sum = warp.reduceAdd(0xff, lane);
      warp.sync(0xff);
      out.set(lane, sum + warp.shuffle(0xff, lane, 7 - lane));
    } else {
      int members = 0xffffff00;
      out.set(lane, warp.reduceAdd(members, lane) + Integer.bitCount(warp.ballot(members, true)));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3})
  void someLanesTalkAmongThemselves(long seed) {
    TwinRun run = TwinRun.seeded(seed).grid(1, 32);
    GlobalInts out = run.ints(32);
    run.launch(WarpTest::halves, out);
    for (int lane = 0; lane < 32; lane++) {
      assertThat(out.get(lane)).isEqualTo(lane < 8 ? 28 + 7 - lane : 468 + 24);
    }
  }

  private static void lastWarp(ThreadBlock block, GlobalInts out) {
    Warp warp = block.warp();
    int rank = block.threadRank();
    if (rank == 33) {
      return;
    }
    int ballot = warp.ballot(true);
    out.set(rank, rank < 32 ? ballot : ballot + 1000 * warp.reduceAdd(1));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3})
  void lanesThatAreNotThereAreNotWaitedFor(long seed) {
    TwinRun run = TwinRun.seeded(seed).grid(1, 40);
    GlobalInts out = run.ints(40);
    run.launch(WarpTest::lastWarp, out);
    assertThat(out.get(31)).isEqualTo(-1);
    assertThat(out.get(33)).isZero();
    assertThat(out.get(39)).isEqualTo(0b11111101 + 7000);
  }

  private static void readsFrom(ThreadBlock block, int lane, int leaves, int members) {
    int own = block.warp().lane();
    if (own == leaves || (members >>> own & 1) == 0) {
      return;
    }
    block.warp().shuffle(members, own, lane);
  }

  @Test
  void readingFromALaneThatTakesNoPartIsTold() {
    TwinRun run = TwinRun.byRank().grid(1, 20);
    assertThatThrownBy(() -> run.launch(WarpTest::readsFrom, 7, 7, -1))
        .hasMessageContaining(
            "of warp 0 reads from lane 7 in shuffle of all lanes, and that lane has returned");
    assertThatThrownBy(() -> run.launch(WarpTest::readsFrom, 20, 7, -1))
        .hasMessageContaining("that lane does not exist: the block has 20 threads");
    assertThatThrownBy(() -> run.launch(WarpTest::readsFrom, 9, 7, 0xff))
        .hasMessageContaining("in shuffle of lanes 0xff, and that lane is not among them");
    run.launch(WarpTest::readsFrom, 19, 7, -1);
  }

  private static void notAmongThem(ThreadBlock block) {
    block.warp().any(0xff, true);
  }

  @Test
  void whoIsNotAmongTheMembersMayNotCall() {
    assertThatThrownBy(() -> TwinRun.byRank().launch(WarpTest::notAmongThem))
        .hasMessageContaining("lane 8 of warp 0 calls any of lanes 0xff, but is not among them");
  }

  private static void alone(ThreadBlock block, GlobalInts out) {
    Warp warp = block.warp();
    out.set(block.threadRank(), warp.activeMask() + (warp.elect() ? 1000 : 0));
  }

  @Test
  void oneLaneIsElectedAndNothingIsSaidOfWhoIsActive() {
    TwinRun run = TwinRun.seeded(9).grid(1, 8);
    GlobalInts out = run.ints(8);
    run.launch(WarpTest::alone, out);
    assertThat(TwinRun.values(out)).containsExactly(1001, 2, 4, 8, 16, 32, 64, 128);
  }
}
