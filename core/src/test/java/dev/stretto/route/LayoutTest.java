package dev.stretto.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** That the pieces of a staged copy are all of it, once, and fit. */
class LayoutTest {
  private static final Layout.Cut FOUR = new Layout.Cut(4, Layout.Cut.LEAST, 1 << 20);

  private static Layout.Cut cut(SplittableRandom random, long most) {
    return new Layout.Cut(
        random.nextInt(1, 25),
        random.nextBoolean() ? Layout.Cut.LEAST : Layout.Cut.LEAST_ALONE,
        most);
  }

  @Test
  void aLoneCopyIsCutFinerUpToAFewMebibytes() {
    Layout.Cut alone = new Layout.Cut(24, Layout.Cut.LEAST_ALONE, 4 << 20);
    Layout.Cut among = new Layout.Cut(6, Layout.Cut.LEAST, 4 << 20);
    assertThat(alone.pieceBytes(100_000)).isEqualTo(64 << 10);
    assertThat(alone.pieceBytes(256 << 10)).isEqualTo(64 << 10);
    assertThat(alone.pieceBytes(1 << 20)).isEqualTo(128 << 10);
    assertThat(alone.pieceBytes(4 << 20)).isEqualTo(256 << 10);
    assertThat(alone.pieceBytes(1 << 30)).isEqualTo(4 << 20);
    assertThat(among.pieceBytes(256 << 10)).isEqualTo(256 << 10);
    assertThat(among.pieceBytes(6 << 20)).isEqualTo(1 << 20);
  }

  @Test
  void everyByteOfEveryShapeLiesInExactlyOnePieceThatFits() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 2_000; round++) {
      long width = 1 + random.nextLong(1L << random.nextInt(1, 22));
      long rows = 1 + random.nextLong(random.nextBoolean() ? 3 : 500);
      long hostPitch = width + (random.nextBoolean() ? 0 : random.nextLong(1000));
      long devicePitch = width + (random.nextBoolean() ? 0 : random.nextLong(1000));
      long most = 1L << random.nextInt(16, 23);
      Layout layout = Layout.of(rows, width, hostPitch, devicePitch, cut(random, most));
      check(layout, rows, width, hostPitch, devicePitch, most);
    }
  }

  private static void check(
      Layout layout, long rows, long width, long hostPitch, long devicePitch, long most) {
    long next = 0; // the byte of the packed rows that comes next
    for (long piece = 0; piece < layout.pieces(); piece++) {
      assertThat(layout.widthOf(piece) * layout.rowsOf(piece)).isBetween(1L, most);
      for (long row = 0; row < layout.rowsOf(piece); row++) {
        long host = layout.hostOffset(piece, row);
        long device = layout.deviceOffset(piece, row);
        assertThat(host).isEqualTo(next / width * hostPitch + next % width);
        assertThat(device).isEqualTo(next / width * devicePitch + next % width);
        next += layout.widthOf(piece);
      }
    }
    assertThat(next).isEqualTo(rows * width);
  }

  @Test
  void denseRowsAreOneLongRow() {
    Layout layout = Layout.of(1000, 1000, 1000, 1000, FOUR);
    assertThat(layout.rows()).isEqualTo(1);
    assertThat(layout.width()).isEqualTo(1_000_000);
    assertThat(Layout.of(1000, 1000, 1001, 1000, FOUR).rows()).isEqualTo(1000);
  }

  @Test
  void piecesCoverEveryByteOfEveryPlaneOnce() {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 1000; i++) {
      long width = 1 + random.nextLong(1L << random.nextInt(1, 18));
      long rows = 1 + random.nextLong(20);
      long planes = 1 + random.nextLong(20);
      Layout.Pitch host = pitch(random, width, rows);
      Layout.Pitch device = pitch(random, width, rows);
      long most = 1L << random.nextInt(16, 23);
      Layout layout = Layout.of(rows, planes, width, host, device, cut(random, most));
      long next = 0;
      for (long piece = 0; piece < layout.pieces(); piece++) {
        long row = 0;
        while (row < layout.rowsOf(piece)) {
          long atOnce = layout.rowsAtOnce(piece, row);
          assertThat(atOnce).isPositive();
          for (long end = row + atOnce; row < end; row++) {
            for (long byteOfRow : new long[] {0, layout.widthOf(piece) - 1}) {
              long at = next + byteOfRow;
              long expectedRow = at / width;
              assertThat(layout.hostOffset(piece, row) + byteOfRow)
                  .isEqualTo(host.offset(expectedRow, rows) + at % width);
              assertThat(layout.deviceOffset(piece, row) + byteOfRow)
                  .isEqualTo(device.offset(expectedRow, rows) + at % width);
            }
            next += layout.widthOf(piece);
          }
        }
        assertThat(row).isEqualTo(layout.rowsOf(piece));
      }
      assertThat(next).isEqualTo(rows * width * planes);
    }
  }

  private static Layout.Pitch pitch(SplittableRandom random, long width, long rows) {
    long row = width + (random.nextBoolean() ? 0 : random.nextLong(100));
    return new Layout.Pitch(row, rows * row + (random.nextBoolean() ? 0 : random.nextLong(100)));
  }
}
