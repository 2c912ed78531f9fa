package dev.stretto.driver.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BusyTimesTest {
  private static long reserve(BusyTimes times, long ready, long nanos) {
    return times.reserve(ready, start -> start + nanos);
  }

  @Test
  void workIsPutIntoTheFirstGapThatFits() {
    BusyTimes times = new BusyTimes();
    assertThat(reserve(times, 0, 1_000)).isZero();
    assertThat(reserve(times, 10_000, 1_000)).isEqualTo(10_000);
    assertThat(reserve(times, 500, 9_001)).isEqualTo(11_000);
    assertThat(reserve(times, 500, 9_000)).isEqualTo(1_000);
    assertThat(reserve(times, 0, 1)).isEqualTo(20_001);
  }

  @Test
  void workThatIsReadyWithinAReservationWaitsForItsEnd() {
    BusyTimes times = new BusyTimes();
    reserve(times, 1_000, 5_000);
    assertThat(reserve(times, 3_000, 10)).isEqualTo(6_000);
    assertThat(reserve(times, 0, 1_001)).isEqualTo(6_010);
  }

  @Test
  void aTransferIsSlowerWhileTheOtherEngineIsBusy() {
    BusyTimes other = new BusyTimes();
    reserve(other, 1_000, 2_000);
    // 1 byte a nanosecond alone, half of it shared: 1000 + 1000 + 500 bytes.
    assertThat(other.transferEnd(0, 2_500, 1e9, 0.5e9)).isEqualTo(3_500);
    assertThat(other.transferEnd(0, 1_500, 1e9, 0.5e9)).isEqualTo(2_000);
    assertThat(other.transferEnd(0, 900, 1e9, 0.5e9)).isEqualTo(900);
    assertThat(other.transferEnd(2_000, 1_000, 1e9, 0.5e9)).isEqualTo(3_500);
    assertThat(other.transferEnd(5_000, 1_000, 1e9, 0.5e9)).isEqualTo(6_000);
  }

  @Test
  void aMillionReservationsStayCheap() {
    BusyTimes times = new BusyTimes();
    long last = 0;
    for (int i = 0; i < 1_000_000; i++) {
      last = reserve(times, i * 3_000L, 1_000);
    }
    assertThat(last).isEqualTo(2_999_997_000L);
    // The oldest gaps were given up; the youngest were not.
    assertThat(reserve(times, 0, 1_000)).isCloseTo(last, within(7_000_000L));
    assertThat(reserve(times, last - 3_000, 1_000)).isLessThan(last);
  }
}
