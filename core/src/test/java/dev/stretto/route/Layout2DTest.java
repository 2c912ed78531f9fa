package dev.stretto.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** That the pieces of a staged copy are all of it, once, and fit. */
class Layout2DTest {
  @Test
  void everyByteOfEveryShapeLiesInExactlyOnePieceThatFits() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 2_000; round++) {
      long width = 1 + random.nextLong(1L << random.nextInt(1, 22));
      long rows = 1 + random.nextLong(random.nextBoolean() ? 3 : 500);
      long hostPitch = width + (random.nextBoolean() ? 0 : random.nextLong(1000));
      long devicePitch = width + (random.nextBoolean() ? 0 : random.nextLong(1000));
      long most = 1L << random.nextInt(16, 23);
      Layout2D layout =
          Layout2D.of(rows, width, hostPitch, devicePitch, random.nextInt(1, 13), most);
      check(layout, rows, width, hostPitch, devicePitch, most);
    }
  }

  private static void check(
      Layout2D layout, long rows, long width, long hostPitch, long devicePitch, long most) {
    long next = 0; // the byte of the packed rows that comes next
    for (long piece = 0; piece < layout.pieces(); piece++) {
      assertThat(layout.widthOf(piece) * layout.rowsOf(piece)).isBetween(1L, most);
      for (long row = 0; row < layout.rowsOf(piece); row++) {
        long host = layout.hostOffset(piece) + row * layout.hostPitch();
        long device = layout.deviceOffset(piece) + row * layout.devicePitch();
        assertThat(host).isEqualTo(next / width * hostPitch + next % width);
        assertThat(device).isEqualTo(next / width * devicePitch + next % width);
        next += layout.widthOf(piece);
      }
    }
    assertThat(next).isEqualTo(rows * width);
  }

  @Test
  void denseRowsAreOneLongRow() {
    Layout2D layout = Layout2D.of(1000, 1000, 1000, 1000, 4, 1 << 20);
    assertThat(layout.rows()).isEqualTo(1);
    assertThat(layout.width()).isEqualTo(1_000_000);
    assertThat(Layout2D.of(1000, 1000, 1001, 1000, 4, 1 << 20).rows()).isEqualTo(1000);
  }
}
