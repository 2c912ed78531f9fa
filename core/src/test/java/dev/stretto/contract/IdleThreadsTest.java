package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Threads between two barriers that only compare their index with a number that all have in common
 * do the same as if each of them had a turn.
 */
class IdleThreadsTest {
  private static final int BLOCKS = 3;
  private static final int MOST = 96;

  private static final int BELOW = 0;
  private static final int UP_TO = 1;
  private static final int ABOVE = 2;
  private static final int FROM = 3;
  private static final int AT = 4;
  private static final int NOT_AT = 5;
  private static final int MIRRORED = 6;
  private static final int RELATIONS = 7;

  private static int rank(ThreadBlock block) {
    return block.threadIndexX() + block.threadIndexY() * block.blockSizeX();
  }

  /** The relation is captured, so that each is a kernel of its own. */
  private static void compared(ThreadBlock block, GlobalInts out, int bound, int relation) {
    SharedInts tile = block.sharedInts(MOST);
    int rank = rank(block);
    int x = block.threadIndexX();
    int count = block.blockSizeX() * block.blockSizeY();
    tile.set(rank, rank);
    block.sync();
    boolean has =
        switch (relation) {
          case BELOW -> x < bound;
          case UP_TO -> x <= bound;
          case ABOVE -> x > bound;
          case FROM -> x >= bound;
          case AT -> x == bound;
          case NOT_AT -> x != bound;
          default -> bound > x;
        };
    int kept = bound + 1;
    if (has) {
      tile.set(rank, tile.get(rank) + 1000);
      kept = kept + x;
    }
    block.sync();
    int other = tile.get((rank + 1) % count);
    block.sync();
    out.set(block.blockIndexX() * (long) count + rank, other * 31 + kept);
  }

  private static boolean has(int x, int bound, int relation) {
    return switch (relation) {
      case BELOW, MIRRORED -> x < bound;
      case UP_TO -> x <= bound;
      case ABOVE -> x > bound;
      case FROM -> x >= bound;
      case AT -> x == bound;
      default -> x != bound;
    };
  }

  private static KernelMethod.Of2<GlobalInts, Integer> kernel(int relation) {
    return switch (relation) {
      case BELOW -> (block, out, bound) -> compared(block, out, bound, BELOW);
      case UP_TO -> (block, out, bound) -> compared(block, out, bound, UP_TO);
      case ABOVE -> (block, out, bound) -> compared(block, out, bound, ABOVE);
      case FROM -> (block, out, bound) -> compared(block, out, bound, FROM);
      case AT -> (block, out, bound) -> compared(block, out, bound, AT);
      case NOT_AT -> (block, out, bound) -> compared(block, out, bound, NOT_AT);
      default -> (block, out, bound) -> compared(block, out, bound, MIRRORED);
    };
  }

  static List<Arguments> relations() {
    List<Arguments> all = new ArrayList<>();
    for (String device : new String[] {"virtual:h200", "virtual:a100,seed=5"}) {
      for (int relation = 0; relation < RELATIONS; relation++) {
        all.add(Arguments.of(device, relation));
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("relations")
  void aBranchOnTheIndexTakesTheThreadsThatItSays(String name, int relation) {
    int[] bounds = {Integer.MIN_VALUE, -1, 0, 1, 31, 32, 63, 95, 96, 97, Integer.MAX_VALUE};
    try (Device device = Device.open(name);
        Stream stream = device.stream()) {
      for (int rows = 1; rows <= 3; rows += 2) {
        int columns = MOST / rows;
        try (GlobalInts out = device.allocateInts((long) BLOCKS * MOST)) {
          for (int bound : bounds) {
            Grid grid = new Grid(BLOCKS, 1, 1, columns, rows, 1, 0);
            stream.launch(grid, kernel(relation), out, bound);
            int[] found = new int[BLOCKS * MOST];
            stream.copy(out, found).await();
            assertThat(found)
                .as("bound %d, %d rows", bound, rows)
                .isEqualTo(expected(columns, bound, relation));
          }
        }
      }
    }
  }

  private static int[] expected(int columns, int bound, int relation) {
    return IntStream.range(0, BLOCKS * MOST)
        .map(
            i -> {
              int next = (i % MOST + 1) % MOST;
              int other = next + (has(next % columns, bound, relation) ? 1000 : 0);
              int x = i % MOST % columns;
              int kept = bound + 1 + (has(x, bound, relation) ? x : 0);
              return other * 31 + kept;
            })
        .toArray();
  }

  /** The bound is kept from barrier to barrier, and the loop has no known length. */
  @Kernel
  static void tree(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(128);
    int rank = block.threadIndexX();
    int levels = 0;
    tile.set(rank, in.get(block.globalIndexX()));
    block.sync();
    for (int half = block.blockSizeX() / 2; half > 0; half >>= 1) {
      if (rank < half) {
        tile.set(rank, tile.get(rank) + tile.get(rank + half));
      }
      levels++;
      block.sync();
    }
    if (rank == 0) {
      out.set(block.blockIndexX(), tile.get(0) + levels * 1_000_000);
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aTreeOfUnknownHeightAddsAllNumbers(String name) {
    for (int threads = 1; threads <= 128; threads *= 2) {
      int[] in = IntStream.range(0, BLOCKS * threads).map(i -> i * i % 101).toArray();
      int[] sums = new int[BLOCKS];
      for (int i = 0; i < in.length; i++) {
        sums[i / threads] += in[i];
      }
      for (int i = 0; i < BLOCKS; i++) {
        sums[i] += Integer.numberOfTrailingZeros(threads) * 1_000_000;
      }
      try (Device device = Device.open(name);
          Stream stream = device.stream();
          GlobalInts from = device.allocateInts(in.length);
          GlobalInts to = device.allocateInts(BLOCKS)) {
        stream.copy(in, from);
        stream.launch(Grid.of(BLOCKS, threads), IdleThreadsTest::tree, from, to);
        int[] found = new int[BLOCKS];
        stream.copy(to, found).await();
        assertThat(found).as("%d threads", threads).isEqualTo(sums);
      }
    }
  }

  /** Threads that have nothing to do return, and others meet without them. */
  @Kernel
  static void leaving(ThreadBlock block, GlobalInts out, int stay) {
    SharedInts tile = block.sharedInts(MOST);
    int rank = block.threadIndexX();
    long place = block.globalIndexX();
    tile.set(rank, rank + 1);
    out.set(place, out.get(place) + 1); // a thread that began anew would show
    block.sync();
    if (rank >= stay) {
      return;
    }
    int sum = tile.get(MOST - 1 - rank);
    block.sync();
    tile.set(rank, sum);
    block.sync();
    out.set(place, out.get(place) * 1000 + tile.get(stay - 1 - rank));
  }

  @ParameterizedTest
  @MethodSource("devices")
  void threadsThatReturnEarlyLeaveTheOthersTheirBarriers(String name) {
    for (int stay : new int[] {0, 1, 40, MOST}) {
      try (Device device = Device.open(name);
          Stream stream = device.stream();
          GlobalInts out = device.allocateInts((long) BLOCKS * MOST)) {
        stream.fill(out, 0);
        stream.launch(Grid.of(BLOCKS, MOST), IdleThreadsTest::leaving, out, stay);
        int[] found = new int[BLOCKS * MOST];
        stream.copy(out, found).await();
        int[] expected =
            IntStream.range(0, found.length)
                .map(i -> i % MOST < stay ? 1000 + MOST - (stay - 1 - i % MOST) : 1)
                .toArray();
        assertThat(found).as("%d stay", stay).isEqualTo(expected);
      }
    }
  }

  static List<String> devices() {
    return List.of("virtual:h200", "virtual:a100", "virtual:h200,seed=3");
  }
}
