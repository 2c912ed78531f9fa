package dev.stretto.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That two ends of a copy are said to overlap where a byte belongs to both, and nowhere else. */
class FootprintTest {
  private static final int CASES = 200_000;

  @Test
  void meetsWhereAByteBelongsToBoth() {
    SplittableRandom random = new SplittableRandom(1);
    int met = 0;
    for (int i = 0; i < CASES; i++) {
      long width = random.nextLong(1, 6);
      long rows = random.nextLong(1, 5);
      long planes = random.nextLong(1, 4);
      Footprint a = footprint(random, width, rows, planes);
      Footprint b = footprint(random, width, rows, planes);
      if (random.nextBoolean()) { // as within one matrix
        b = new Footprint(b.address(), width, a.pitch(), rows, a.plane(), planes);
      }
      boolean expected = bytes(a).intersects(bytes(b));
      assertThat(a.meets(b)).as("%s and %s", a, b).isEqualTo(expected);
      assertThat(b.meets(a)).as("%s and %s", b, a).isEqualTo(expected);
      met += expected ? 1 : 0;
    }
    assertThat(met).isBetween(CASES / 10, CASES * 9 / 10);
  }

  @Test
  void meetsWhereAByteOfRowsOfAnyShapesBelongsToBoth() {
    SplittableRandom random = new SplittableRandom(2);
    int met = 0;
    for (int i = 0; i < CASES; i++) {
      Footprint a = footprint(random);
      Footprint b = footprint(random);
      if (random.nextInt(3) == 0 && a.pitch() >= b.width() && a.plane() >= b.end() - b.address()) {
        b = new Footprint(b.address(), b.width(), a.pitch(), b.rows(), a.plane(), b.planes());
      }
      boolean expected = bytes(a).intersects(bytes(b));
      assertThat(a.meets(b)).as("%s and %s", a, b).isEqualTo(expected);
      assertThat(b.meets(a)).as("%s and %s", b, a).isEqualTo(expected);
      met += expected ? 1 : 0;
    }
    assertThat(met).isBetween(CASES / 10, CASES * 9 / 10);
  }

  @Test
  void coversOnlyWhatLiesInside() {
    SplittableRandom random = new SplittableRandom(3);
    int covered = 0;
    for (int i = 0; i < CASES; i++) {
      Footprint a =
          random.nextBoolean()
              ? footprint(random)
              : Footprint.of(random.nextLong(60), random.nextLong(1, 90));
      Footprint b = random.nextInt(4) == 0 ? a : footprint(random);
      BitSet outside = bytes(b);
      outside.andNot(bytes(a));
      if (a.covers(b)) {
        assertThat(outside.isEmpty()).as("%s covers %s", a, b).isTrue();
        covered++;
      } else if (a.isWhole()) {
        assertThat(outside.isEmpty()).as("%s does not cover %s", a, b).isFalse();
      }
    }
    assertThat(covered).isGreaterThan(CASES / 10);
  }

  private static Footprint footprint(SplittableRandom random) {
    return footprint(random, random.nextLong(1, 6), random.nextLong(1, 5), random.nextLong(1, 4));
  }

  private static Footprint footprint(SplittableRandom random, long width, long rows, long planes) {
    long pitch = width + random.nextLong(8);
    long plane = (rows - 1) * pitch + width + random.nextLong(12);
    return new Footprint(random.nextLong(60), width, pitch, rows, plane, planes);
  }

  private static BitSet bytes(Footprint footprint) {
    BitSet bytes = new BitSet();
    for (long z = 0; z < footprint.planes(); z++) {
      for (long y = 0; y < footprint.rows(); y++) {
        int begin =
            Math.toIntExact(footprint.address() + z * footprint.plane() + y * footprint.pitch());
        bytes.set(begin, begin + Math.toIntExact(footprint.width()));
      }
    }
    return bytes;
  }

  @Test
  @Timeout(1)
  void columnsOfOneMatrixTakeNoLongerForManyRows() {
    long rows = 1L << 40;
    Footprint left = Footprint.ofRows(0, 512, 1024, rows);
    assertThat(left.meets(Footprint.ofRows(512, 512, 1024, rows))).isFalse();
    assertThat(left.meets(Footprint.ofRows(511, 512, 1024, rows))).isTrue();
  }
}
