package dev.stretto.route;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How staging buffers are shared out. */
class SlotsTest {
  @Test
  void oneCopyNeverTakesAllOfThem() {
    for (int width = 1; width < 200; width++) {
      assertThat(Slots.depth(width)).isBetween(2, 31);
    }
  }
}
