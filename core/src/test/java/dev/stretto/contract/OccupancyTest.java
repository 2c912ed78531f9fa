package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Occupancy;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.LaunchException;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import org.junit.jupiter.api.Test;

/** How many blocks a device holds at the same time. */
class OccupancyTest extends ContractTest {
  @Kernel
  static void one(ThreadBlock block, GlobalInts ints) {
    if (block.globalIndexX() == 0) {
      ints.set(0, 1);
    }
  }

  @Kernel
  static void shares(ThreadBlock block, GlobalInts ints) {
    SharedInts shared = block.sharedInts(4096);
    int i = block.threadRank();
    shared.set(i, i);
    block.sync();
    ints.set(i, shared.get(31 - i));
  }

  private Launch prepare(Grid grid) {
    return device.prepare(grid, OccupancyTest::one, device.allocateInts(1024));
  }

  @Test
  void smallBlocksOfASmallKernelAreLimitedByTheirThreads() {
    Launch launch = prepare(Grid.of(10, 256));
    Occupancy occupancy = launch.occupancy();
    assertThat(occupancy)
        .isEqualTo(device.occupancy(launch.kernel(), 256, 0))
        .isEqualTo(prepare(new Grid(1, 1, 1, 16, 4, 4, 0)).occupancy());
    assertThat(occupancy.threadsPerMultiprocessor()).isBetween(1024, 2048);
    assertThat(occupancy.residentBlocks())
        .isEqualTo(occupancy.blocksPerMultiprocessor() * device.properties().multiprocessors());
    for (int threads = 1; threads <= 1024; threads++) {
      Occupancy other = device.occupancy(launch.kernel(), threads, 0);
      assertThat(other.blocksPerMultiprocessor())
          .as("with %d threads", threads)
          .isBetween(1, 32)
          .isGreaterThanOrEqualTo(
              device
                  .occupancy(launch.kernel(), Math.min(1024, threads + 1), 0)
                  .blocksPerMultiprocessor());
      assertThat(other.threadsPerMultiprocessor()).isLessThanOrEqualTo(2048);
    }
  }

  @Test
  void sharedMemoryOfBothKindsLimitsThem() {
    Launch launch = prepare(Grid.of(1, 32));
    int most = device.properties().sharedBytesPerBlockOptIn();
    assertThat(device.occupancy(launch.kernel(), 32, most).blocksPerMultiprocessor()).isEqualTo(1);
    assertThat(device.occupancy(launch.kernel(), 32, most / 2 - 1024).blocksPerMultiprocessor())
        .isEqualTo(2);
    Launch sharing = device.prepare(Grid.of(1, 32), OccupancyTest::shares, device.allocateInts(32));
    int static16 = sharing.occupancy().blocksPerMultiprocessor();
    assertThat(static16)
        .isLessThan(launch.occupancy().blocksPerMultiprocessor())
        .isEqualTo(device.occupancy(launch.kernel(), 32, 16384).blocksPerMultiprocessor());
  }

  @Test
  void theBestBlockHasTheMostThreadsResidentAndIsTheLargestOfSuch() {
    Launch launch = prepare(Grid.of(1, 32));
    Occupancy best = device.bestOccupancy(launch.kernel(), threads -> 0);
    Occupancy greedy = device.bestOccupancy(launch.kernel(), threads -> 128 * threads);
    for (int threads = 32; threads <= 1024; threads += 32) {
      int with = device.occupancy(launch.kernel(), threads, 0).threadsPerMultiprocessor();
      assertThat(with).isLessThanOrEqualTo(best.threadsPerMultiprocessor());
      assertThat(with < best.threadsPerMultiprocessor() || threads <= best.threadsPerBlock())
          .isTrue();
      assertThat(
              device.occupancy(launch.kernel(), threads, 128 * threads).threadsPerMultiprocessor())
          .isLessThanOrEqualTo(greedy.threadsPerMultiprocessor());
    }
    assertThat(greedy.sharedBytes()).isEqualTo(128 * greedy.threadsPerBlock());
  }

  @Test
  void whatNoBlockCanHaveIsRefusedWithTheNumbers() {
    Launch launch = prepare(Grid.of(1, 32));
    int most = device.properties().sharedBytesPerBlockOptIn();
    assertThatThrownBy(() -> device.occupancy(launch.kernel(), 1025, 0))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("1025 threads per block: it can have 1 to 1024");
    assertThatThrownBy(() -> device.occupancy(launch.kernel(), 0, 0))
        .isInstanceOf(LaunchException.class);
    assertThatThrownBy(() -> device.occupancy(launch.kernel(), 32, -1))
        .isInstanceOf(LaunchException.class);
    assertThatThrownBy(() -> device.occupancy(launch.kernel(), 32, most + 1))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("it can have 0 to " + most);
    assertThatThrownBy(() -> device.bestOccupancy(launch.kernel(), threads -> most + threads))
        .isInstanceOf(LaunchException.class);
    device.close();
    assertThatThrownBy(launch::occupancy).isInstanceOf(ClosedException.class);
  }
}
