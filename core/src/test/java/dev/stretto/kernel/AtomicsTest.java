package dev.stretto.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.Int4;
import dev.stretto.memory.Long2;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What atomic operations do, alone and among many blocks. */
@Timeout(60)
class AtomicsTest {
  private static void count(
      ThreadBlock block, GlobalInts ints, GlobalLongs longs, GlobalFloats floats, GlobalDoubles d) {
    int rank = block.threadRank();
    Atomics.add(ints, 0, 1);
    Atomics.max(ints, 1, (int) block.globalIndexX());
    Atomics.min(ints, 2, -(int) block.globalIndexX());
    Atomics.or(ints, 3, 1 << (rank % 32));
    Atomics.xor(ints, 4, 1 << (rank % 32));
    Atomics.and(ints, 5, ~(1 << (rank % 16)));
    Atomics.increment(ints, 6, 9);
    Atomics.add(longs, 0, 1L << 33, Scope.SYSTEM);
    Atomics.max(longs, 1, block.globalIndexX() << 33);
    Atomics.add(floats, 0, 0.5f);
    Atomics.add(d, 0, 0.25);
  }

  @Test
  void nothingIsLostAmongBlocksThatRunAtTheSameTime() throws Exception {
    int blocks = 400;
    TwinRun run = TwinRun.byRank().grid(blocks, 64);
    GlobalInts ints = run.ints(7);
    GlobalLongs longs = run.longs(2);
    GlobalFloats floats = run.floats(1);
    GlobalDoubles doubles = run.doubles(1);
    ints.set(5, -1);
    KernelMethod.Of4<GlobalInts, GlobalLongs, GlobalFloats, GlobalDoubles> kernel =
        AtomicsTest::count;
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> parts = new ArrayList<>();
      for (int part = 0; part < 4; part++) {
        int from = part * 100;
        parts.add(
            threads.submit(
                () -> run.launchPart(from, from + 100, kernel, ints, longs, floats, doubles)));
      }
      for (Future<?> part : parts) {
        part.get();
      }
    }
    int all = blocks * 64;
    assertThat(TwinRun.values(ints))
        .containsExactly(all, all - 1, 1 - all, -1, 0, -1 << 16, all % 10);
    assertThat(longs.get(0)).isEqualTo((long) all << 33);
    assertThat(longs.get(1)).isEqualTo((long) (all - 1) << 33);
    assertThat(floats.get(0)).isEqualTo(0.5f * all);
    assertThat(doubles.get(0)).isEqualTo(0.25 * all);
  }

  private static void olds(ThreadBlock block, GlobalInts array, GlobalInts old) {
    old.set(0, Atomics.add(array, 0, 5));
    old.set(1, Atomics.exchange(array, 0, 7));
    old.set(2, Atomics.compareAndExchange(array, 0, 8, 100));
    old.set(3, Atomics.compareAndExchange(array, 0, 7, 9));
    old.set(4, Atomics.min(array, 0, 20));
    old.set(5, Atomics.max(array, 0, 20));
    old.set(6, Atomics.and(array, 0, 6));
    old.set(7, Atomics.or(array, 0, 9));
    old.set(8, Atomics.xor(array, 0, 1));
    old.set(9, Atomics.increment(array, 0, 12));
    old.set(10, Atomics.increment(array, 0, 12));
    old.set(11, Atomics.decrement(array, 0, 12));
    old.set(12, Atomics.decrement(array, 0, 5));
    Atomics.storeRelease(array, 0, -3);
    old.set(13, Atomics.loadAcquire(array, 0));
    old.set(14, Atomics.increment(array, 0, -1));
  }

  @Test
  void eachReturnsWhatWasThereBefore() {
    TwinRun run = TwinRun.byRank().grid(1, 1);
    GlobalInts array = run.ints(1);
    GlobalInts old = run.ints(15);
    array.set(0, 1);
    run.launch(AtomicsTest::olds, array, old);
    assertThat(TwinRun.values(old))
        .containsExactly(1, 6, 7, 7, 9, 9, 20, 4, 13, 12, 0, 1, 0, -3, -3);
    assertThat(array.get(0)).isEqualTo(-2);
  }

  private static void shared(ThreadBlock block, GlobalInts out, GlobalLongs wide) {
    SharedInts ints = block.sharedInts(4);
    SharedLongs longs = block.sharedLongs(2);
    SharedFloats floats = block.sharedFloats(1);
    SharedDoubles doubles = block.sharedDoubles(1);
    int rank = block.threadRank();
    if (rank == 0) {
      ints.set4(0, new Int4(0, 0, -1, 0));
      longs.set2(0, new Long2(0, 0));
      floats.set(0, 0);
      doubles.set(0, 0);
    }
    block.sync();
    Atomics.add(ints, 0, rank);
    Atomics.max(ints, 1, rank);
    Atomics.and(ints, 2, ~(1 << (rank % 32)));
    Atomics.increment(ints, 3, 6);
    Atomics.add(longs, 0, rank);
    Atomics.compareAndExchange(longs, 1, 0, 17);
    Atomics.add(floats, 0, 1.5f);
    Atomics.add(doubles, 0, 2.5);
    block.sync();
    if (rank == 0) {
      for (int i = 0; i < 4; i++) {
        out.set(i, ints.get(i));
      }
      wide.set(0, longs.get(0));
      wide.set(1, longs.get(1));
      wide.set(2, (long) floats.get(0));
      wide.set(3, (long) doubles.get(0));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2})
  void theyWorkOnSharedMemoryToo(long seed) {
    TwinRun run = TwinRun.seeded(seed).grid(1, 64);
    GlobalInts out = run.ints(4);
    GlobalLongs wide = run.longs(4);
    run.launch(AtomicsTest::shared, out, wide);
    assertThat(TwinRun.values(out)).containsExactly(2016, 63, 0, 64 % 7);
    assertThat(new long[] {wide.get(0), wide.get(1), wide.get(2), wide.get(3)})
        .containsExactly(2016, 17, 96, 160);
  }

  private static void addFloat(ThreadBlock block, float value, GlobalFloats array) {
    Atomics.add(array, 0, value);
  }

  @Test
  void floatsInGlobalMemoryAreAddedWithoutSubnormalOnes() {
    TwinRun run = TwinRun.byRank().grid(1, 1);
    GlobalFloats array = run.floats(1);
    run.launch(AtomicsTest::addFloat, Float.MIN_VALUE, array);
    assertThat(array.get(0)).isZero();
    array.set(0, Float.MIN_NORMAL * 1.5f);
    run.launch(AtomicsTest::addFloat, -Float.MIN_NORMAL, array);
    assertThat(array.get(0)).isZero();
    run.launch(AtomicsTest::addFloat, Float.MIN_NORMAL, array);
    assertThat(array.get(0)).isEqualTo(Float.MIN_NORMAL);
  }

  private static void lastBlockFirst(ThreadBlock block, GlobalInts flag, GlobalInts out) {
    int rank = block.threadRank();
    // Each thread waits for the one after it, so that a loop over the ranks would never end.
    if (rank < block.size() - 1) {
      while (Atomics.loadAcquire(flag, rank + 1) == 0) {}
    }
    out.set(rank, rank == block.size() - 1 ? 1 : out.get(rank + 1) + 1);
    Atomics.storeRelease(flag, rank, 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2})
  void aThreadThatLooksAgainAndAgainLetsOthersGoOn(long seed) {
    TwinRun run = TwinRun.seeded(seed).grid(1, 32);
    GlobalInts flag = run.ints(32);
    GlobalInts out = run.ints(32);
    run.launch(AtomicsTest::lastBlockFirst, flag, out);
    assertThat(out.get(0)).isEqualTo(32);
  }

  private static void locked(ThreadBlock block, GlobalInts lock, GlobalInts count) {
    while (Atomics.compareAndExchange(lock, 0, 0, 1) != 0) {
      Ptx.nanosleep(100);
    }
    Atomics.fence(Scope.DEVICE);
    count.set(0, count.get(0) + 1);
    Atomics.fence(Scope.DEVICE);
    Atomics.exchange(lock, 0, 0);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2})
  void aLockKeepsOthersOut(long seed) {
    TwinRun run = TwinRun.seeded(seed).grid(4, 64);
    GlobalInts lock = run.ints(1);
    GlobalInts count = run.ints(1);
    run.launch(AtomicsTest::locked, lock, count);
    assertThat(count.get(0)).isEqualTo(256);
  }

  private static void unlocked(ThreadBlock block, GlobalInts count) {
    int seen = count.get(0);
    block.warp().sync();
    count.set(0, seen + 1);
  }

  @Test
  void withoutThemUpdatesRace() {
    TwinRun run = TwinRun.seeded(1).grid(1, 64);
    GlobalInts count = run.ints(1);
    assertThatThrownBy(() -> run.launch(AtomicsTest::unlocked, count))
        .hasMessageContaining("missing-barrier: ")
        .hasMessageContaining("or use Atomics");
  }

  private static void outside(ThreadBlock block, GlobalInts array) {
    Atomics.add(array, array.length(), 1);
  }

  @Test
  void anElementThatIsNotThereIsRefused() {
    TwinRun run = TwinRun.byRank();
    GlobalInts array = run.ints(8);
    assertThatThrownBy(() -> run.launch(AtomicsTest::outside, array.slice(0, 4)))
        .hasMessageContaining("out of bounds");
  }
}
