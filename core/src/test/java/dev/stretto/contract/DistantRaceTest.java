package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * That seeds find a race by its result, however much unrelated work the program awaits between the
 * two ends. Its order is not checked: otherwise it is refused.
 */
@WithOrder("off")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DistantRaceTest {
  private static final int SEEDS = 200;
  private static final int LENGTH = 64;

  /** What comes between the two ends. */
  enum Between {
    A_STREAM_OF_ITS_OWN,
    THE_STREAM_OF_THE_SECOND_END,
    SEVERAL_STREAMS,
    A_NEW_STREAM_EACH_TIME,
    COPIES_OF_HEAP_ARRAYS
  }

  /** What the two ends are. */
  enum Ends {
    COPIED_THEN_COPIED_ON,
    COPIED_THEN_READ_BY_A_KERNEL,
    READ_THEN_OVERWRITTEN
  }

  /** One program. */
  record Distance(Ends ends, Between between, int k) {}

  static List<Distance> distances() {
    return java.util.stream.Stream.of(Ends.values())
        .flatMap(
            ends ->
                EnumSet.allOf(Between.class).stream()
                    .flatMap(
                        between ->
                            IntStream.of(0, 3, 64).mapToObj(k -> new Distance(ends, between, k))))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("distances")
  void aTenthOfTheSeedsFindIt(Distance distance) {
    assertThat(wrong(distance, false)).as("seeds with a wrong result").isGreaterThanOrEqualTo(20);
  }

  @ParameterizedTest
  @MethodSource("distances")
  void withTheWaitEverySeedIsRight(Distance distance) {
    assertThat(wrong(new Distance(distance.ends, distance.between, Math.min(4, distance.k)), true))
        .as("seeds with a wrong result")
        .isZero();
  }

  private static int wrong(Distance distance, boolean waits) {
    int wrong = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      wrong += isRight(distance, waits, seed) ? 0 : 1;
    }
    return wrong;
  }

  private static boolean isRight(Distance distance, boolean waits, int seed) {
    try (Device device = Device.open("virtual:h200,seed=" + seed);
        Stream first = device.stream("first");
        Stream second = device.stream("second");
        GlobalInts x = device.allocateInts(LENGTH);
        GlobalInts y = device.allocateInts(LENGTH)) {
      first.fill(x, 1).await();
      second.fill(y, 1).await();
      int[] result = new int[LENGTH];
      if (distance.ends == Ends.READ_THEN_OVERWRITTEN) {
        first.copy(x, y);
      } else {
        first.fill(x, 7);
      }
      between(device, second, distance);
      if (waits) {
        second.waitFor(first.record());
      }
      switch (distance.ends) {
        case COPIED_THEN_COPIED_ON -> second.copy(x, result).await();
        case COPIED_THEN_READ_BY_A_KERNEL -> {
          second.launch(Grid.of(1, LENGTH), RaceKernels::doubled, x, y);
          second.copy(y, result).await();
        }
        case READ_THEN_OVERWRITTEN -> {
          second.fill(x, 7).await();
          first.await();
          second.copy(y, result).await();
        }
      }
      int expected =
          switch (distance.ends) {
            case COPIED_THEN_COPIED_ON -> 7;
            case COPIED_THEN_READ_BY_A_KERNEL -> 14;
            case READ_THEN_OVERWRITTEN -> 1;
          };
      first.await();
      return IntStream.of(result).allMatch(each -> each == expected);
    }
  }

  private static void between(Device device, Stream second, Distance distance) {
    try (GlobalInts other = device.allocateInts(LENGTH);
        Stream third = device.stream("third");
        Stream fourth = device.stream("fourth");
        Stream fifth = device.stream("fifth")) {
      List<Stream> several = List.of(third, fourth, fifth);
      for (int i = 0; i < distance.k; i++) {
        switch (distance.between) {
          case A_STREAM_OF_ITS_OWN -> third.fill(other, i).await();
          case THE_STREAM_OF_THE_SECOND_END -> second.fill(other, i).await();
          case SEVERAL_STREAMS -> several.get(i % 3).fill(other, i).await();
          case COPIES_OF_HEAP_ARRAYS -> third.copy(new int[LENGTH], other).await();
          case A_NEW_STREAM_EACH_TIME -> {
            try (Stream fresh = device.stream()) {
              fresh.fill(other, i).await();
            }
          }
        }
      }
    }
  }
}
