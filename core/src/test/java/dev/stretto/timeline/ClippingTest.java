package dev.stretto.timeline;

import static dev.stretto.timeline.Spans.in;
import static dev.stretto.timeline.Spans.kernel;
import static dev.stretto.timeline.Spans.out;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClippingTest {
  private static List<String> clip(boolean oneCopyEngine, Span... spans) {
    return new Clipping(oneCopyEngine)
        .clip(new ArrayList<>(List.of(spans)), List.of()).stream()
            .map(
                span ->
                    "%s %d: %d-%d"
                        .formatted(
                            span.kind(),
                            span.stream(),
                            span.startNanos() / 1000,
                            span.endNanos() / 1000))
            .toList();
  }

  @Test
  void aCopyBeginsWhenItsEngineIsFree() {
    assertThat(clip(false, in(1, 0, 10), in(2, 0, 20), in(3, 1, 30)))
        .containsExactly(
            "HOST_TO_DEVICE 1: 0-10", "HOST_TO_DEVICE 2: 10-20", "HOST_TO_DEVICE 3: 20-30");
  }

  @Test
  void directionsHaveEnginesOfTheirOwn() {
    assertThat(clip(false, in(1, 0, 10), out(2, 2, 12)))
        .containsExactly("HOST_TO_DEVICE 1: 0-10", "DEVICE_TO_HOST 2: 2-12");
  }

  @Test
  void unlessTheDeviceHasOneCopyEngineOnly() {
    assertThat(clip(true, in(1, 0, 10), out(2, 2, 12)))
        .containsExactly("HOST_TO_DEVICE 1: 0-10", "DEVICE_TO_HOST 2: 10-12");
  }

  @Test
  void kernelsMayRunSideBySide() {
    assertThat(clip(false, kernel(1, 0, 10), kernel(2, 2, 12)))
        .containsExactly("KERNEL 1: 0-10", "KERNEL 2: 2-12");
  }

  @Test
  void aStreamDoesOneThingAfterTheOther() {
    assertThat(clip(false, in(1, 0, 10), kernel(1, 9, 12)))
        .containsExactly("HOST_TO_DEVICE 1: 0-10", "KERNEL 1: 10-12");
  }

  @Test
  void theFirstBeginningIsZeroAndItsStreamIsTheFirst() {
    assertThat(clip(false, in(7, 110, 120), in(3, 100, 105)))
        .containsExactly("HOST_TO_DEVICE 1: 0-5", "HOST_TO_DEVICE 2: 10-20");
  }

  @Test
  void nothingRunsBeforeItIsEnqueuedAndSomethingRunsAtOnce() {
    Span prompt = in(1, 100, 110).at(5_000_000, 100_000, 110_000);
    Span late = in(1, 110, 120).at(5_001_000, 110_000, 120_000);
    List<Span> spans = new Clipping(false).clip(new ArrayList<>(List.of(prompt, late)), List.of());
    assertThat(spans).extracting(Span::enqueuedNanos).containsExactly(0L, 1000L);
  }
}
