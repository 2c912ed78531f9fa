package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Kernels that copy asynchronously have the right bytes, whatever the copies become. */
class AsyncCopyTest extends ContractTest {
  private static final int[] LENGTHS = {1, 3, 4, 511, 512, 513, 516, 5_000, 12_004};

  /** Enqueues. */
  private interface Launch {
    void on(Stream stream, GlobalInts in, GlobalInts out, int n);
  }

  private void changes(int multiple, Launch launch) {
    try (Stream stream = device.stream()) {
      for (int length : LENGTHS) {
        int n = length / multiple * multiple;
        if (n > 0) {
          int[] values = new SplittableRandom(length).ints(n).toArray();
          try (GlobalInts in = device.allocateInts(n);
              GlobalInts out = device.allocateInts(n)) {
            stream.copy(values, in);
            launch.on(stream, in, out, n);
            int[] found = new int[n];
            stream.copy(out, found).await();
            assertThat(found)
                .as("%d elements", n)
                .isEqualTo(Arrays.stream(values).map(value -> value * 31 + 7).toArray());
          }
        }
      }
    }
  }

  private static int tiles(int n) {
    return (n + CopyKernels.TILE - 1) / CopyKernels.TILE;
  }

  @Test
  void aGroupOfCopiesIsWaitedFor() {
    changes(
        1,
        (stream, in, out, n) ->
            stream.launch(Grid.of(tiles(n), 96), CopyKernels::byGroup, in, out, n, 1));
  }

  @Test
  void aGroupOfWideCopiesIsWaitedFor() {
    changes(
        2,
        (stream, in, out, n) ->
            stream.launch(Grid.of(tiles(n), 96), CopyKernels::byGroup, in, out, n, 8));
    changes(
        4,
        (stream, in, out, n) ->
            stream.launch(Grid.of(tiles(n), 64), CopyKernels::byGroup, in, out, n, 16));
  }

  @Test
  void aBarrierKnowsOfCopies() {
    changes(
        1,
        (stream, in, out, n) ->
            stream.launch(Grid.of(3, 96), CopyKernels::byBarrier, in, out, n, 4));
    changes(
        4,
        (stream, in, out, n) ->
            stream.launch(Grid.of(3, 96), CopyKernels::byBarrier, in, out, n, 16));
  }

  @Test
  void whatIsLeftBehindWideCopiesIsCopiedToo() {
    changes(
        1,
        (stream, in, out, n) ->
            stream.launch(Grid.of(3, 96), CopyKernels::byBarrier, in, out, n, 16));
    changes(
        1,
        (stream, in, out, n) ->
            stream.launch(Grid.of(3, 96), CopyKernels::byPipeline, in, out, n, 2, 16));
  }

  @Test
  void aPipelineHasSeveralTilesOnTheirWay() {
    changes(
        1,
        (stream, in, out, n) ->
            stream.launch(Grid.of(2, 96), CopyKernels::byPipeline, in, out, n, 1, 4));
    changes(
        1,
        (stream, in, out, n) ->
            stream.launch(Grid.of(2, 96), CopyKernels::byPipeline, in, out, n, 3, 4));
    changes(
        4,
        (stream, in, out, n) ->
            stream.launch(Grid.of(2, 64), CopyKernels::byPipeline, in, out, n, 2, 16));
    changes(
        4,
        (stream, in, out, n) ->
            stream.launch(Grid.of(2, 64), CopyKernels::byPipeline, in, out, n, 4, 16));
  }

  @Test
  void someThreadsProduceAndOthersConsume() {
    changes(
        1,
        (stream, in, out, n) ->
            stream.launch(Grid.of(2, 96), CopyKernels::byRoles, in, out, n, 2, 4));
    changes(
        4,
        (stream, in, out, n) ->
            stream.launch(Grid.of(2, 128), CopyKernels::byRoles, in, out, n, 3, 16));
  }

  @Test
  void aThreadCopiesForItself() {
    changes(
        1,
        (stream, in, out, n) -> stream.launch(Grid.of(2, 128), CopyKernels::byThread, in, out, n));
  }

  @Test
  void bulkCopiesGoBothWays() {
    changes(
        CopyKernels.TILE,
        (stream, in, out, n) -> stream.launch(Grid.of(tiles(n), 96), CopyKernels::byBulk, in, out));
  }

  @Test
  void bytesAreCopiedFromAndToAnywhere() {
    byte[] values = new byte[2_000];
    new SplittableRandom(3).nextBytes(values);
    try (Stream stream = device.stream();
        GlobalBytes in = device.allocateBytes(values.length);
        GlobalBytes out = device.allocateBytes(values.length)) {
      stream.copy(values, in);
      for (int first = 0; first < 5; first++) {
        for (int count : new int[] {0, 1, 2, 15, 16, 17, 1000}) {
          stream.fill(out, (byte) 9);
          stream.launch(Grid.of(1, 64), CopyKernels::bytes, in, out, first, count);
          byte[] found = new byte[values.length];
          stream.copy(out, found).await();
          byte[] expected = new byte[values.length];
          Arrays.fill(expected, (byte) 9);
          System.arraycopy(values, first, expected, first, count);
          assertThat(found).as("%d bytes from %d", count, first).isEqualTo(expected);
        }
      }
    }
  }
}
