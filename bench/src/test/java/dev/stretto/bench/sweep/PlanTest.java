package dev.stretto.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTest {
  private static final long GIB = 1L << 30;

  @ParameterizedTest
  @CsvSource({
    "4K,   2000, 2000, 2000",
    "256K, 1024, 1024, 1024",
    "16M,  16,   16,   16",
    "64M,  4,    16,   16",
    "256M, 2,    16,   4",
    "1G,   2,    16,   1",
  })
  void smallOperationsAreManyAndLargeOnesGoToEveryStream(
      String size, int alone, int onStreams, int pieces) {
    Plan plan = new Plan(Plan.sizes(Plan.SIZES), 2000, GIB);
    long bytes = Plan.size(size);
    assertThat(plan.operations(bytes, 1, Plan.HOST_BYTES)).isEqualTo(alone);
    assertThat(plan.operations(bytes, 16, Plan.HOST_BYTES)).isEqualTo(onStreams);
    assertThat(plan.pieces(bytes, Plan.HOST_BYTES)).isEqualTo(pieces);
  }

  @Test
  void theMemoryOfADirectionSufficesForEverySize() {
    assertThat(new Plan(Plan.sizes("4K,1M"), 2000, GIB).bytes(Plan.HOST_BYTES)).isEqualTo(GIB / 4);
    assertThat(new Plan(Plan.sizes(Plan.SIZES), 2000, GIB).bytes(Plan.DEVICE_BYTES)).isEqualTo(GIB);
    assertThat(new Plan(Plan.sizes("3M"), 100, 40 << 20).bytes(Plan.HOST_BYTES))
        .isEqualTo(8 * (3L << 20));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "4", "K", "0K", "-1M", "4T"})
  void whatIsNoSizeIsRefused(String text) {
    assertThatThrownBy(() -> Plan.sizes("4K," + text)).isInstanceOf(IllegalArgumentException.class);
  }
}
