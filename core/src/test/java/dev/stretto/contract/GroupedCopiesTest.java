package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalInts;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.Test;

/** Parts of a block copy, wait and exchange values by themselves. */
class GroupedCopiesTest extends ContractTest {
  /** Many: most blocks of a device without a seed are not watched. */
  private static final int BLOCKS = 12;

  private static final int[] ALIGNMENTS = {1, 4, 8, 16, 64};

  /** A kernel that gets a constant. */
  interface Grouped extends KernelMethod.Of3<GlobalInts, GlobalInts, Integer> {}

  static void check(Device device, int blocks, Grouped kernel, int alignment) {
    int length = blocks * GroupedCopies.PARTS * GroupedCopies.PART;
    int[] numbers = new int[length];
    int[] wanted = new int[length];
    for (int i = 0; i < length; i++) {
      numbers[i] = 7 * i;
      int in = i % GroupedCopies.PART;
      wanted[i] = 7 * (i - in + GroupedCopies.PART - 1 - in) + 1;
    }
    int[] got = new int[length];
    try (Stream stream = device.stream();
        GlobalInts in = device.allocateInts(length);
        GlobalInts out = device.allocateInts(length)) {
      stream.copy(numbers, in);
      stream.fill(out, -1);
      stream.launch(Grid.of(blocks, GroupedCopies.THREADS), kernel, in, out, alignment);
      stream.copy(out, got).await();
    }
    assertThat(got).as("alignment %d", alignment).isEqualTo(wanted);
  }

  private void forEachAlignment(Grouped kernel) {
    for (int alignment : ALIGNMENTS) {
      check(device, BLOCKS, kernel, alignment);
    }
  }

  @Test
  void aTileCopiesAndWaitsByItself() {
    forEachAlignment(GroupedCopies::byTile);
  }

  @Test
  void aTileHasAPipelineOfItsOwn() {
    forEachAlignment(GroupedCopies::tilesAhead);
  }

  @Test
  void aTileLeavesItsPipelineWithAStageUnderWay() {
    forEachAlignment(GroupedCopies::tilesLeave);
  }

  @Test
  void aPartOfATileBringsAStageForAll() {
    forEachAlignment(GroupedCopies::lanesTakeTurns);
  }

  @Test
  void aStageOfATileHasCopiesInBothDirections() {
    forEachAlignment(GroupedCopies::tilesBringAndStore);
    forEachAlignment(GroupedCopies::lanesStoreInTurns);
  }

  @Test
  void aTileStoresByItself() {
    forEachAlignment(GroupedCopies::tilesStore);
  }

  @Test
  void aWarpHasAPipelineOfItsOwn() {
    forEachAlignment(GroupedCopies::warpsAhead);
  }

  @Test
  void someLanesOfAWarpProduceForTheOthers() {
    forEachAlignment(GroupedCopies::lanesProduce);
  }

  @Test
  void theWarpThatProducesNeedNotBeTheFirst() {
    forEachAlignment(GroupedCopies::aWarpProduces);
  }

  @Test
  void someWarpsCopyAndWaitWithoutTheOthers() {
    forEachAlignment(GroupedCopies::byHalves);
  }

  @Test
  void someWarpsHaveAPipelineOfTheirOwn() {
    forEachAlignment(GroupedCopies::someWarpsAhead);
    forEachAlignment(GroupedCopies::rolesOfSomeWarps);
  }

  @Test
  void lanesOfATileExchangeValues() {
    for (int lanes : new int[] {2, 4, 8, 16, 32}) {
      assertThat(exchanged(lanes)).as("%d lanes", lanes).isEqualTo(expected(lanes));
    }
  }

  private static int[] inputs() {
    int[] inputs = new int[GroupedCopies.THREADS];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = i * i * 31 % 997 + 3;
    }
    return inputs;
  }

  private int[] exchanged(int lanes) {
    int[] got = new int[GroupedCopies.THREADS * GroupedCopies.EXCHANGES];
    try (Stream stream = device.stream();
        GlobalInts in = device.allocateInts(GroupedCopies.THREADS);
        GlobalInts out = device.allocateInts(got.length)) {
      stream.copy(inputs(), in);
      stream.launch(Grid.of(1, GroupedCopies.THREADS), GroupedCopies::exchanges, in, out, lanes);
      stream.copy(out, got).await();
    }
    return got;
  }

  private static int[] expected(int lanes) {
    int[] values = inputs();
    int[] expected = new int[GroupedCopies.THREADS * GroupedCopies.EXCHANGES];
    for (int i = 0; i < values.length; i++) {
      int first = i - i % lanes;
      int rank = i - first;
      int sum = (int) joined(values, first, lanes, Long::sum);
      int least = (int) joined(values, first, lanes, Math::min);
      int most = (int) joined(values, first, lanes, Math::max);
      int even = 0;
      int alike = 0;
      int sameBit = 0;
      boolean fifth = false;
      boolean noSeventh = true;
      for (int lane = 0; lane < lanes; lane++) {
        int other = values[first + lane];
        even |= (1 - (other & 1)) << lane;
        alike |= (other & 3) == (values[i] & 3) ? 1 << lane : 0;
        sameBit |= (other & 1) == (values[i] & 1) ? 1 << lane : 0;
        fifth |= other % 5 == 0;
        noSeventh &= other % 7 != 0;
      }
      int[] of = {
        rank,
        lanes,
        i / lanes,
        (int) (((1L << lanes) - 1) << first % 32),
        values[first + (rank + 3) % lanes],
        values[rank >= 1 ? i - 1 : i],
        values[rank + 1 < lanes ? i + 1 : i],
        values[i ^ 1],
        values[first + 1],
        values[rank >= 2 ? i - 2 : i],
        values[rank + 2 < lanes ? i + 2 : i],
        values[first + lanes - 1 - rank],
        even,
        fifth ? 1 : 0,
        noSeventh ? 1 : 0,
        alike,
        sameBit,
        sum,
        least - most,
        (int)
            (joined(values, first, lanes, (a, b) -> a & b)
                ^ joined(values, first, lanes, (a, b) -> a | b)
                ^ joined(values, first, lanes, (a, b) -> a ^ b)),
        sum + most,
        sum + least,
        sum + most,
        values[first + lanes - 1]
      };
      System.arraycopy(of, 0, expected, i * GroupedCopies.EXCHANGES, of.length);
    }
    return expected;
  }

  private static long joined(int[] values, int first, int lanes, LongBinaryOperator operator) {
    long result = values[first];
    for (int lane = 1; lane < lanes; lane++) {
      result = operator.applyAsLong(result, values[first + lane]);
    }
    return result;
  }

  @Test
  void tilesOfAWarpDoNotWaitForEachOther() {
    int[] values = inputs();
    int[] wanted = values.clone();
    for (int first = 0; first < values.length; first += 8) {
      int turns = 1 + first / 8 % 4;
      for (int turn = 0; turn < turns; turn++) {
        int sum = (int) joined(wanted, first, 8, Long::sum);
        for (int lane = 7; lane >= 0; lane--) {
          wanted[first + lane] = sum + wanted[first + Math.max(0, lane - 1)];
        }
      }
    }
    int[] got = new int[values.length];
    try (Stream stream = device.stream();
        GlobalInts in = device.allocateInts(values.length);
        GlobalInts out = device.allocateInts(values.length)) {
      stream.copy(values, in);
      stream.launch(Grid.of(1, values.length), GroupedCopies::tilesDiverge, in, out);
      stream.copy(out, got).await();
    }
    assertThat(got).isEqualTo(wanted);
  }
}
