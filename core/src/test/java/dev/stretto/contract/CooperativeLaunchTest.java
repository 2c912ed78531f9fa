package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Occupancy;
import dev.stretto.Stream;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.LaunchException;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import org.junit.jupiter.api.Test;

/** Launches whose blocks all run at the same time, and wait for each other. */
class CooperativeLaunchTest extends ContractTest {
  /** Passes values around a ring of blocks; each round reads what the neighbour wrote before. */
  @Kernel
  static void ring(ThreadBlock block, GlobalInts here, GlobalInts there, int rounds) {
    int i = (int) block.globalIndexX();
    int all = (int) block.grid().size();
    int next = (i + block.blockSizeX()) % all;
    for (int round = 0; round < rounds; round++) {
      there.set(i, here.get(next) + 1);
      block.grid().sync();
      here.set(i, there.get(next) + 1);
      block.grid().sync();
    }
  }

  /** The same, where threads do other things between arriving and waiting. */
  @Kernel
  static void later(ThreadBlock block, GlobalInts here, GlobalInts there) {
    int i = (int) block.globalIndexX();
    int all = (int) block.grid().size();
    there.set(i, here.get(i) + 1);
    int arrival = block.grid().arrive();
    here.set(i, 7 * i);
    block.grid().waitForAll(arrival);
    here.set(i, here.get(i) + there.get((i + block.blockSizeX()) % all));
  }

  @Kernel
  static void ranks(ThreadBlock block, GlobalLongs out) {
    long rank = block.grid().threadRank();
    out.set(
        rank,
        1000000 * block.grid().size() + 10000L * block.grid().blocks() + block.grid().blockRank());
  }

  /** Blocks of a cooperative launch may wait for each other in their own way too. */
  @Kernel
  static void handed(ThreadBlock block, GlobalInts turns) {
    int last = block.grid().blocks() - 1;
    int mine = last - block.grid().blockRank();
    while (Atomics.loadAcquire(turns, 0) != mine) {
      // until it is the block's turn, the last one's first
    }
    Atomics.storeRelease(turns, 0, mine + 1);
  }

  @Kernel
  static void leaves(ThreadBlock block, GlobalInts out) {
    if (block.blockIndexX() == 1) {
      return;
    }
    block.grid().sync();
    out.set(block.blockIndexX(), 1);
  }

  private static int[] ring(int[] from, int step, int rounds) {
    int[] here = from.clone();
    for (int round = 0; round < 2 * rounds; round++) {
      int[] there = new int[here.length];
      for (int i = 0; i < here.length; i++) {
        there[i] = here[(i + step) % here.length] + 1;
      }
      here = there;
    }
    return here;
  }

  private static int[] numbers(int count) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = 31 * i;
    }
    return numbers;
  }

  private void ringOf(Grid grid, int rounds) {
    int all = grid.blocksX() * grid.threadsX();
    int[] from = numbers(all);
    try (Stream stream = device.stream();
        GlobalInts here = device.allocateInts(all);
        GlobalInts there = device.allocateInts(all)) {
      int[] out = new int[all];
      stream.copy(from, here);
      stream.launch(grid.cooperative(), CooperativeLaunchTest::ring, here, there, rounds);
      stream.copy(here, out).await();
      assertThat(out).isEqualTo(ring(from, grid.threadsX(), rounds));
    }
  }

  @Test
  void eachRoundSeesWhatOtherBlocksWroteInTheRoundBefore() {
    ringOf(Grid.of(1, 32), 3);
    ringOf(Grid.of(2, 64), 3);
    ringOf(Grid.of(7, 33), 2);
    ringOf(Grid.of(24, 128), 2);
  }

  @Test
  void allBlocksThatTheDeviceHasRoomForMeet() {
    int threads = 1024;
    Launch one = prepare(Grid.of(1, threads));
    ringOf(Grid.of(one.occupancy().residentBlocks(), threads), machine().isVirtual() ? 1 : 20);
  }

  private Launch prepare(Grid grid) {
    GlobalInts array = device.allocateInts(1);
    return device.prepare(grid.cooperative(), CooperativeLaunchTest::ring, array, array, 0);
  }

  @Test
  void aLaunchOfOneBlockMoreIsRefusedWithTheNumbers() {
    Launch one = prepare(Grid.of(1, 256));
    Occupancy room = one.occupancy();
    Launch most = prepare(Grid.of(room.residentBlocks(), 256));
    assertThat(most.grid().isCooperative()).isTrue();
    assertThatThrownBy(() -> prepare(Grid.of(room.residentBlocks() + 1, 256)))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("with " + (room.residentBlocks() + 1) + " blocks of 256 threads")
        .hasMessageContaining(
            "room for %d of them at the same time, %d on each of %d multiprocessors"
                .formatted(
                    room.residentBlocks(), room.blocksPerMultiprocessor(), room.multiprocessors()));
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(1)) {
      assertThatThrownBy(
              () ->
                  stream.launch(
                      Grid.of(1 << 20, 32).cooperative(),
                      CooperativeLaunchTest::ring,
                      array,
                      array,
                      0))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining("1048576 blocks");
    }
  }

  @Test
  void aKernelThatMeetsTheGridCannotBeLaunchedOtherwise() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(32)) {
      assertThatThrownBy(
              () -> stream.launch(Grid.of(1, 32), CooperativeLaunchTest::ring, array, array, 1))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining("Grid.cooperative()");
      stream.launch(Grid.of(1, 32), CooperativeLaunchTest::ranks, device.allocateLongs(32));
      stream.await();
    }
  }

  @Test
  void workBetweenArrivingAndWaitingSeesNothingYetAndAllBehind() {
    int all = 5 * 64;
    int[] from = numbers(all);
    int[] wanted = new int[all];
    for (int i = 0; i < all; i++) {
      wanted[i] = 7 * i + from[(i + 64) % all] + 1;
    }
    try (Stream stream = device.stream();
        GlobalInts here = device.allocateInts(all);
        GlobalInts there = device.allocateInts(all)) {
      int[] out = new int[all];
      stream.copy(from, here);
      stream.launch(Grid.of(5, 64).cooperative(), CooperativeLaunchTest::later, here, there);
      stream.copy(here, out).await();
      assertThat(out).isEqualTo(wanted);
    }
  }

  @Test
  void everyThreadOfTheLaunchHasANumber() {
    try (Stream stream = device.stream();
        GlobalLongs out = device.allocateLongs(2 * 3 * 4 * 30)) {
      stream.launch(new Grid(2, 3, 4, 5, 3, 2, 0), CooperativeLaunchTest::ranks, out);
      long[] got = new long[2 * 3 * 4 * 30];
      stream.copy(out, got).await();
      for (int i = 0; i < got.length; i++) {
        assertThat(got[i]).isEqualTo(720_000_000L + 240_000 + i / 30);
      }
    }
  }

  @Test
  void blocksMayWaitForThoseWithHigherNumbers() {
    try (Stream stream = device.stream();
        GlobalInts turns = device.allocateInts(1)) {
      stream.fill(turns, 0);
      stream.launch(Grid.of(40, 1).cooperative(), CooperativeLaunchTest::handed, turns);
      int[] out = new int[1];
      stream.copy(turns, out).await();
      assertThat(out[0]).isEqualTo(40);
    }
  }

  @Test
  void aGraphKeepsThatALaunchIsCooperative() {
    int all = 6 * 64;
    int[] from = numbers(all);
    try (Stream stream = device.stream();
        GlobalInts here = device.allocateInts(all);
        GlobalInts there = device.allocateInts(all);
        Graph graph =
            Graph.capture(
                stream,
                () ->
                    stream.launch(
                        Grid.of(6, 64).cooperative(),
                        CooperativeLaunchTest::ring,
                        here,
                        there,
                        2))) {
      int[] out = new int[all];
      stream.copy(from, here);
      stream.launch(graph);
      stream.launch(graph);
      stream.copy(here, out).await();
      assertThat(out).isEqualTo(ring(from, 64, 4));
    }
  }

  @Test
  void clustersMeetToo() {
    assumeTrue(device.properties().computeMajor() >= 9);
    ringOf(Grid.of(16, 64).withCluster(4, 1, 1), 3);
  }

  @Test
  void aBlockThatLeavesBeforeTheOthersMeetIsNamed() {
    assumeTrue(machine().isVirtual()); // a GPU would wait for ever
    try (Stream stream = device.stream()) {
      GlobalInts out = device.allocateInts(4);
      stream.launch(Grid.of(4, 32).cooperative(), CooperativeLaunchTest::leaves, out);
      assertThatThrownBy(stream::await)
          .isInstanceOf(DeviceLostException.class)
          .hasStackTraceContaining("waits for block (1, 0, 0), which has returned");
    }
  }
}
