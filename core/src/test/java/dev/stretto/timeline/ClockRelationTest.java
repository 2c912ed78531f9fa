package dev.stretto.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.timeline.ClockRelation.Sample;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ClockRelationTest {
  private static final double SECOND = 1e9;

  @Test
  void aComparisonShiftsAllTimes() {
    ClockRelation relation = new ClockRelation();
    relation.add(new Sample(1_000, 51_000, 300));
    assertThat(relation.hostNanos(1_000)).isEqualTo(51_000);
    assertThat(relation.hostNanos(0)).isEqualTo(50_000);
    assertThat(relation.hostNanos(9_000)).isEqualTo(59_000);
    assertThat(relation.uncertaintyNanos()).isEqualTo(300);
  }

  @Test
  void betweenTwoComparisonsNoTimeIsMoreWrongThanTheyAre() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      double drift = 1 + random.nextDouble(-1e-4, 1e-4);
      double from = random.nextDouble(0, SECOND);
      double to = from + random.nextDouble(1, 100 * SECOND);
      ClockRelation relation = new ClockRelation();
      relation.add(sample(random, from, drift));
      relation.add(sample(random, to, drift));
      double at = random.nextDouble(from, to);
      assertThat(relation.hostNanos(at))
          .isCloseTo(7 * SECOND + at * drift, within(relation.uncertaintyNanos() + 1));
    }
  }

  private static Sample sample(SplittableRandom random, double device, double drift) {
    double uncertainty = random.nextDouble(0, 10_000);
    double error = random.nextDouble(-1, 1) * uncertainty;
    return new Sample(device, 7 * SECOND + device * drift + error, uncertainty);
  }

  @Test
  void aDriftThatIsKnownWellGoesOn() {
    ClockRelation relation = new ClockRelation();
    relation.add(new Sample(0, 0, 1_000));
    relation.add(new Sample(10 * SECOND, 10 * SECOND + 100_000, 1_000));
    assertThat(relation.hostNanos(20 * SECOND)).isCloseTo(20 * SECOND + 200_000, within(10.0));
    assertThat(relation.hostNanos(-10 * SECOND)).isCloseTo(-10 * SECOND - 100_000, within(10.0));
  }

  @Test
  void aDriftThatIsNotIsNotAssumed() {
    ClockRelation relation = new ClockRelation();
    relation.add(new Sample(0, 0, 5_000));
    relation.add(new Sample(20_000, 25_000, 5_000));
    assertThat(relation.hostNanos(SECOND)).isEqualTo(SECOND + 5_000);
    assertThat(relation.hostNanos(-SECOND)).isEqualTo(-SECOND);
    assertThat(relation.hostNanos(10_000)).isEqualTo(12_500);
  }

  @Test
  void withoutAComparisonTimesStay() {
    assertThat(new ClockRelation().hostNanos(5)).isEqualTo(5);
    assertThat(new ClockRelation().uncertaintyNanos()).isZero();
  }
}
