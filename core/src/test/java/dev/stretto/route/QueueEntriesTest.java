package dev.stretto.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphPlan.Step;
import dev.stretto.driver.GraphWork;
import dev.stretto.driver.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueEntriesTest {
  private static final GraphWork KERNEL =
      new GraphWork.Kernel(
          1, LaunchShape.of(1, 1, 1, 1, 1, 1, 0), MemorySegment.NULL, MemorySegment.NULL);

  /** Kernels in so many chains side by side. */
  private static GraphPlan kernels(int count, int chains) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      steps.add(new Step(KERNEL, i < chains ? List.of() : List.of(i - chains)));
    }
    return new GraphPlan(steps);
  }

  /** What an H200 was seen to take: 1,021 entries in all, divided by the launches. */
  @ParameterizedTest
  @CsvSource({
    "64, 1, 1",
    "64, 2, 1",
    "64, 4, 1",
    "64, 8, 1",
    "64, 16, 2",
    "64, 32, 4",
    "64, 64, 8",
    "16, 16, 2",
    "256, 256, 51"
  })
  void noFewerAreCountedThanAGpuTakes(int kernels, int chains, int measured) {
    assertThat(QueueEntries.of(kernels(kernels, chains))).isBetween(measured, 2 * measured);
  }

  @Test
  void copiesAndFillsCountOneByOne() {
    GraphWork copy = GraphWork.Copy.of(1, 2, 3, CopyKind.DEVICE_TO_DEVICE);
    GraphWork fill = new GraphWork.Fill(1, 0, 4, 5);
    Step first = new Step(copy, List.of());
    Step second = new Step(fill, List.of(0));
    assertThat(QueueEntries.of(new GraphPlan(List.of(first, second)))).isEqualTo(2);
  }

  @Test
  void aGraphOfNothingTakesOne() {
    GraphPlan plan = new GraphPlan(List.of(new Step(new GraphWork.Empty(), List.of())));
    assertThat(QueueEntries.of(plan)).isEqualTo(1);
  }
}
