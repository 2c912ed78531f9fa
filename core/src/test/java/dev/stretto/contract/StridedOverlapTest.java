package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Extent;
import dev.stretto.Graph;
import dev.stretto.Pitches;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Copies of rows within one allocation: refused exactly if a byte is read and written. */
class StridedOverlapTest extends ContractTest {
  private static final int SIZE = 600;

  @Test
  void aColumnOfAMatrixIsCopiedToAnother() {
    byte[] matrix = bytes(32 * 64, 1);
    byte[] expected = matrix.clone();
    for (int row = 0; row < 32; row++) {
      System.arraycopy(matrix, row * 64 + 8, expected, row * 64 + 40, 16);
    }
    try (Stream stream = device.stream();
        GlobalBytes array = onDevice(stream, matrix)) {
      GlobalBytes from = array.slice(8, array.length() - 8);
      GlobalBytes to = array.slice(40, array.length() - 40);
      stream.copy2D(from, 64, to, 64, 16, 32);
      assertSame(read(stream, array), expected);
      stream.copy3D(from, new Pitches(64, 512), to, new Pitches(64, 512), new Extent(16, 8, 4));
      assertSame(read(stream, array), expected);
      try (Graph graph = Graph.capture(stream, () -> stream.copy2D(from, 64, to, 64, 16, 32))) {
        graph.launch(stream).await();
      }
      assertSame(read(stream, array), expected);
      assertThatThrownBy(() -> stream.copy2D(from, 64, to, 64, 33, 31))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("31 rows of 33 bytes")
          .hasMessageContaining("overlap");
      assertThatThrownBy(() -> Graph.capture(stream, () -> stream.copy2D(from, 64, to, 64, 33, 31)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void rowsAreRefusedExactlyIfAByteIsReadAndWritten() {
    SplittableRandom random = new SplittableRandom(7);
    int refused = 0;
    int made = 0;
    try (Stream stream = device.stream();
        GlobalBytes array = onDevice(stream, new byte[SIZE])) {
      for (int round = 0; round < (machine.isSeeded() ? 300 : 3_000); round++) {
        Extent extent =
            new Extent(1 + random.nextInt(9), 1 + random.nextInt(6), 1 + random.nextInt(4));
        Pitches source = pitches(random, extent);
        Pitches destination = random.nextInt(3) == 0 ? source : pitches(random, extent);
        int from = random.nextInt(SIZE - (int) span(source, extent) + 1);
        int to = random.nextInt(SIZE - (int) span(destination, extent) + 1);
        if (random.nextBoolean()) {
          int last = SIZE - (int) Math.max(span(source, extent), span(destination, extent));
          to = Math.clamp((long) from + random.nextInt(41) - 20, 0, last);
        }
        byte[] before = bytes(SIZE, round);
        stream.copy(before.clone(), array);
        byte[] expected = copied(before, from, source, to, destination, extent);
        GlobalBytes src = array.slice(from, SIZE - from);
        GlobalBytes dst = array.slice(to, SIZE - to);
        boolean overlap = expected == null;
        try {
          if (extent.planes() == 1) {
            stream.copy2D(src, source.row(), dst, destination.row(), extent.width(), extent.rows());
          } else {
            stream.copy3D(src, source, dst, destination, extent);
          }
          assertThat(overlap).as("%s %d %s %d %s", extent, from, source, to, destination).isFalse();
          assertSame(read(stream, array), expected);
          made++;
        } catch (IllegalArgumentException e) {
          assertThat(overlap).as("%s %d %s %d %s", extent, from, source, to, destination).isTrue();
          refused++;
        }
      }
    }
    assertThat(refused).isGreaterThan(50);
    assertThat(made).isGreaterThan(50);
  }

  private static Pitches pitches(SplittableRandom random, Extent extent) {
    long row = extent.width() + random.nextInt(12);
    long plane = (extent.rows() - 1) * row + extent.width() + random.nextInt(20);
    return new Pitches(row, plane);
  }

  private static long span(Pitches pitches, Extent extent) {
    return (extent.planes() - 1) * pitches.plane()
        + (extent.rows() - 1) * pitches.row()
        + extent.width();
  }

  /** Byte by byte; null if one is read and written. */
  private static byte[] copied(
      byte[] before, int from, Pitches source, int to, Pitches destination, Extent extent) {
    boolean[] read = new boolean[SIZE];
    boolean[] written = new boolean[SIZE];
    byte[] after = before.clone();
    for (int plane = 0; plane < extent.planes(); plane++) {
      for (int row = 0; row < extent.rows(); row++) {
        for (int i = 0; i < extent.width(); i++) {
          int src = (int) (from + plane * source.plane() + row * source.row() + i);
          int dst = (int) (to + plane * destination.plane() + row * destination.row() + i);
          read[src] = true;
          written[dst] = true;
          after[dst] = before[src];
        }
      }
    }
    for (int i = 0; i < SIZE; i++) {
      if (read[i] && written[i]) {
        return null;
      }
    }
    return after;
  }
}
