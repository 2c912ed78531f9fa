package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.ForeignWork;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A stream goes on after another library's work, whatever the program's part of it throws. */
class ForeignWorkThatThrowsTest {
  private record Work(String throwing) implements ForeignWork {
    @Override
    public boolean enqueue(long stream, Consumer<RuntimeException> failed) {
      return !throwing.equals("awaitEnqueued");
    }

    @Override
    public void awaitEnqueued() {
      fail("awaitEnqueued");
    }

    @Override
    public boolean mayWaitForOthers() {
      fail("mayWaitForOthers");
      return false;
    }

    private void fail(String what) {
      if (throwing.equals(what)) {
        throw new IllegalStateException("no answer: " + what);
      }
      if (throwing.equals(what + "'s error")) {
        throw new AssertionError("no answer: " + what);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "virtual, awaitEnqueued, false",
    "virtual, mayWaitForOthers, false",
    "virtual, mayWaitForOthers, true",
    "virtual, mayWaitForOthers's error, true",
    "'virtual:h200,seed=3', awaitEnqueued, false",
    "'virtual:h200,seed=4', awaitEnqueued, true",
    "'virtual:h200,seed=3', mayWaitForOthers, false",
    "'virtual:h200,seed=3', mayWaitForOthers, true",
    "'virtual:h200,seed=3', mayWaitForOthers's error, false",
  })
  void theStreamGoesOnAndTellsWhy(String name, String throwing, boolean isHeldBack) {
    int[] found = new int[4];
    try (Device device = Device.open(name);
        Stream stream = device.stream();
        GlobalInts array = device.allocateInts(4)) {
      stream.fill(array, 1);
      if (isHeldBack) {
        Event _ = stream.then(() -> {});
      }
      Event event = stream.call(new Work(throwing), List.of(), List.of(array));
      assertThatThrownBy(event::await).hasStackTraceContaining("no answer");
      stream.fill(array, 7);
      stream.copy(array, found).await();
    }
    assertThat(found).containsOnly(7);
  }
}
