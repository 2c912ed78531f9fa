package dev.stretto.examples.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every step is attention as it is defined, on devices that look at each of its copies. */
@Timeout(120)
class FlashAttentionTest {
  private static final boolean THOROUGH = Boolean.getBoolean("stretto.thorough");

  private record Case(Shape shape, boolean bfloat) {}

  private static final List<Case> CASES =
      List.of(
          new Case(new Shape(1, 1, 1, 64, 64, 64, false), true),
          // A query alone, and a key that is alone in its block.
          new Case(new Shape(2, 1, 1, 1, 129, 64, false), true),
          // Three heads of queries for one of keys; the first queries see no key at all.
          new Case(new Shape(1, 3, 1, 130, 70, 128, true), true),
          new Case(new Shape(1, 2, 2, 33, 200, 64, true), false),
          new Case(new Shape(1, 2, 1, 70, 150, 128, false), false));

  /** In an ordinary build each step gets one or two of them. */
  static Stream<Arguments> casesOfEachStep() {
    int all = CASES.size();
    int share = THOROUGH ? 1 : 4;
    return Stream.of(FlashAttention.Step.values())
        .flatMap(
            step ->
                IntStream.range(0, all)
                    .filter(i -> (i + step.ordinal()) % share == 0)
                    .mapToObj(CASES::get)
                    .map(it -> Arguments.of(step, it.shape, it.bfloat)));
  }

  @ParameterizedTest
  @MethodSource("casesOfEachStep")
  void isAttentionAsItIsDefined(FlashAttention.Step step, Shape shape, boolean bfloat) {
    assertRight("virtual", step, shape, bfloat, 0);
  }

  /** From block to block, which are taken from the last to the first. */
  @ParameterizedTest
  @EnumSource
  void isRightWhereScoresGetGreaterAndWhereTheyGetSmaller(FlashAttention.Step step) {
    Shape shape = new Shape(1, 1, 1, 40, 300, 64, false);

    assertRight("virtual", step, shape, true, 1);
    assertRight("virtual", step, shape, true, -1);
  }

  @ParameterizedTest
  @EnumSource
  void isRightInAnyOrderOfThreads(FlashAttention.Step step) {
    Shape shape = new Shape(1, 1, 1, 64, 200, 64, true);

    for (int seed = 1; seed <= (THOROUGH ? 3 : 1); seed++) {
      assertRight("virtual:h200,seed=" + seed, step, shape, true, 0);
    }
  }

  private static void assertRight(
      String name, FlashAttention.Step step, Shape shape, boolean bfloat, double trend) {
    try (Device device = Device.open(name);
        AttentionRun run = new AttentionRun(device, shape, bfloat, trend)) {
      run.forget();
      run.stream().launch(run.prepare(step));

      AttentionRun.Deviation error = run.error(run.allRows());

      assertThat(error.isSmall(bfloat)).as("%s of %s on %s: %s", step, shape, name, error).isTrue();
    }
  }

  @Test
  void aResultThatWasNeverWrittenIsFarOff() {
    try (Device device = Device.open("virtual");
        AttentionRun run = new AttentionRun(device, CASES.getFirst().shape, true)) {
      run.forget();

      assertThat(run.error(run.allRows()).isSmall(true)).isFalse();
    }
  }

  @Test
  void whatDoesNotFitTheShapeIsRefused() {
    assertThatThrownBy(() -> new Shape(1, 3, 2, 64, 64, 64, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("evenly");
    assertThatThrownBy(() -> new Shape(1, 1, 1, 64, 64, 96, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("96 numbers");
    try (Device device = Device.open("virtual");
        GlobalBfloats one = device.allocateBfloats(64 * 64);
        GlobalFloats lse = device.allocateFloats(65)) {
      Shape shape = CASES.getFirst().shape;

      assertThatThrownBy(
              () ->
                  FlashAttention.prepare(
                      device, FlashAttention.Step.TUNED, shape, one, one, one, one, lse))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("lse has 65 numbers and should have 64");
    }
  }
}
