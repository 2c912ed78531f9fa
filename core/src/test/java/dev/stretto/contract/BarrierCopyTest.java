package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A thread that waits for a phase has all that was copied in it: whatever the copies become,
 * however many arrivals the barrier waits for, and whatever is left over behind whole pieces.
 */
class BarrierCopyTest extends ContractTest {
  private static final int[] ELEMENT_BYTES = {1, 2, 4, 8, 4, 8, 2, 2};
  private static final int[] LENGTHS = {1, 7, 16, 131, 524, 1019};

  /** Enqueues. */
  private interface Launch {
    void on(
        Stream stream,
        Grid grid,
        GlobalBytes in,
        GlobalBytes out,
        int count,
        int stride,
        int arriving,
        int type,
        int alignment);
  }

  private void copies(Launch launch) {
    SplittableRandom random = new SplittableRandom(5);
    try (Stream stream = device.stream()) {
      for (int type = 0; type < ELEMENT_BYTES.length; type++) {
        for (int alignment = 1; alignment <= 16; alignment *= 4) {
          int length = LENGTHS[random.nextInt(LENGTHS.length)];
          int count = Math.max(1, length / ELEMENT_BYTES[type]);
          copies(launch, stream, random, type, alignment, count);
        }
      }
      // As somebody wrote it who found the bytes behind whole pieces missing.
      copies(launch, stream, random, 4, 16, 131);
    }
  }

  private void copies(
      Launch launch, Stream stream, SplittableRandom random, int type, int alignment, int count) {
    int width = ELEMENT_BYTES[type];
    int stride = (count * width + 15) / 16 * 16 / width;
    int threads = 64 + random.nextInt(33);
    byte[] values = new byte[stride * width * BarrierCopies.ROUNDS];
    random.nextBytes(values);
    byte[] expected = new byte[values.length];
    for (int round = 0; round < BarrierCopies.ROUNDS; round++) {
      System.arraycopy(
          values, round * stride * width, expected, round * stride * width, count * width);
    }
    try (GlobalBytes in = device.allocateBytes(values.length);
        GlobalBytes out = device.allocateBytes(values.length)) {
      stream.copy(values, in);
      stream.fill(out, (byte) 0);
      Grid grid = Grid.of(1, threads);
      launch.on(stream, grid, in, out, count, stride, random.nextInt(threads), type, alignment);
      byte[] found = new byte[values.length];
      stream.copy(out, found).await();
      assertThat(found)
          .as("type %d, alignment %d, %d elements, %d threads", type, alignment, count, threads)
          .isEqualTo(expected);
    }
  }

  @Test
  void oneThreadArrivesForAllThatCopy() {
    copies(
        (stream, grid, in, out, count, stride, arriving, type, alignment) ->
            stream.launch(
                grid,
                BarrierCopies::oneArrivesForTheBlock,
                in,
                out,
                count,
                stride,
                arriving,
                type,
                alignment));
  }

  @Test
  void oneLaneArrivesForItsWarp() {
    copies(
        (stream, grid, in, out, count, stride, arriving, type, alignment) ->
            stream.launch(
                grid,
                BarrierCopies::oneArrivesForTheWarp,
                in,
                out,
                count,
                stride,
                arriving,
                type,
                alignment));
  }

  @Test
  void oneThreadCopiesAndAnotherArrives() {
    copies(
        (stream, grid, in, out, count, stride, arriving, type, alignment) ->
            stream.launch(
                grid,
                BarrierCopies::oneCopiesAndAnotherArrives,
                in,
                out,
                count,
                stride,
                arriving,
                type,
                alignment));
  }

  @Test
  void everyThreadArrivesForItself() {
    copies(
        (stream, grid, in, out, count, stride, arriving, type, alignment) ->
            stream.launch(
                grid,
                BarrierCopies::eachArrives,
                in,
                out,
                count,
                stride,
                arriving,
                type,
                alignment));
  }

  @Test
  void everyThreadCommitsAStage() {
    copies(
        (stream, grid, in, out, count, stride, arriving, type, alignment) ->
            stream.launch(
                grid, BarrierCopies::inAStage, in, out, count, stride, arriving, type, alignment));
  }
}
