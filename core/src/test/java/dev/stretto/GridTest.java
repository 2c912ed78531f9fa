package dev.stretto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GridTest {
  @Test
  void twoAndThreeDimensionsAreGivenBlocksFirst() {
    assertThat(Grid.of(2, 3, 16, 8)).isEqualTo(new Grid(2, 3, 1, 16, 8, 1, 0));
    assertThat(Grid.of(2, 3, 4, 16, 8, 5)).isEqualTo(new Grid(2, 3, 4, 16, 8, 5, 0));
  }

  /** The least shape with a thread for each item: one block less would leave some out. */
  @Test
  void coveringHasAThreadForEachItemAndNoBlockTooMany() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 1000; i++) {
      long x = random.nextLong(1, 5000);
      long y = random.nextLong(1, 5000);
      long z = random.nextLong(1, 5000);
      int threadsX = random.nextInt(1, 33);
      int threadsY = random.nextInt(1, 33);
      int threadsZ = random.nextInt(1, 33);

      Grid plane = Grid.covering(x, y, threadsX, threadsY);
      Grid volume = Grid.covering(x, y, z, threadsX, threadsY, threadsZ);

      covers(plane.blocksX(), plane.threadsX(), threadsX, x);
      covers(plane.blocksY(), plane.threadsY(), threadsY, y);
      assertThat(plane.blocksZ() * plane.threadsZ()).isOne();
      covers(volume.blocksX(), volume.threadsX(), threadsX, x);
      covers(volume.blocksY(), volume.threadsY(), threadsY, y);
      covers(volume.blocksZ(), volume.threadsZ(), threadsZ, z);
    }
  }

  private static void covers(long blocks, int threads, int asked, long items) {
    assertThat(threads).isEqualTo(asked);
    assertThat(blocks * threads).isGreaterThanOrEqualTo(items);
    assertThat((blocks - 1) * threads).isLessThan(items);
  }

  @Test
  void whatNoGridHasIsRefusedWithTheNumbers() {
    assertThat(Grid.covering(Integer.MAX_VALUE, 65_535, 1, 1).blocksY()).isEqualTo(65_535);
    assertThatThrownBy(() -> Grid.covering(1, 65_536, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("65536 items in y at 1 a block need 65536 blocks; a grid has 1 to 65535 in y");
    assertThatThrownBy(() -> Grid.covering(1, 1, 1_000_000, 16, 4, 2))
        .hasMessage(
            "1000000 items in z at 2 a block need 500000 blocks; a grid has 1 to 65535 in z");
    assertThatThrownBy(() -> Grid.covering(1L << 40, 1, 32, 1))
        .hasMessageContaining("need 34359738368 blocks; a grid has 1 to 2147483647 in x");
    assertThatThrownBy(() -> Grid.covering(0, 5, 32, 1)).hasMessageContaining("0 items in x");
    assertThatThrownBy(() -> Grid.covering(5, -1, 32, 1)).hasMessageContaining("-1 items in y");
    assertThatThrownBy(() -> Grid.covering(5, 5, 32, 0))
        .hasMessage("blocks of 0 threads in y: has to be 1 or more");
    assertThatThrownBy(() -> Grid.covering(1L << 40, 1))
        .hasMessage(
            "1099511627776 items at 1 a block need 1099511627776 blocks; a grid has 1 to"
                + " 2147483647");
    assertThatThrownBy(() -> Grid.of(1, 0, 32, 1))
        .hasMessage(
            "a launch of (1, 0, 1) blocks of (32, 1, 1) threads: every extent has to be 1 or more");
  }
}
