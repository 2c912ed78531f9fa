package dev.stretto.timeline;

import static dev.stretto.timeline.Spans.in;
import static dev.stretto.timeline.Spans.kernel;
import static dev.stretto.timeline.Spans.out;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.Observer.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverlapTest {
  private static Overlap of(Span... spans) {
    return Overlap.of(List.of(spans));
  }

  @Test
  void nothingIsNothing() {
    assertThat(Overlap.of(List.of())).isEqualTo(new Overlap(0, 0, 0, 0));
    assertThat(Overlap.of(List.of()).ratio()).isZero();
  }

  @Test
  void stepByStepNothingOverlaps() {
    assertThat(of(in(1, 0, 10), kernel(1, 10, 13), out(1, 13, 20)))
        .isEqualTo(new Overlap(20e-6, 17e-6, 3e-6, 0));
  }

  @Test
  void aCopyBesideAKernelCountsForAsLongAsBothRun() {
    Overlap overlap = of(in(1, 0, 10), kernel(2, 6, 16));
    assertThat(overlap.togetherSeconds()).isEqualTo(4e-6);
    assertThat(overlap.ratio()).isEqualTo(0.4, within(1e-12));
  }

  @Test
  void copiesOfBothDirectionsOverlap() {
    assertThat(of(in(1, 0, 10), out(2, 0, 10)).ratio()).isEqualTo(1);
  }

  @Test
  void twoCopiesOfOneDirectionDoNotAndCountOnce() {
    assertThat(of(in(1, 0, 10), in(2, 5, 15))).isEqualTo(new Overlap(15e-6, 15e-6, 0, 0));
  }

  @Test
  void whatRunsThreefoldCountsOnce() {
    assertThat(of(in(1, 0, 10), kernel(2, 0, 10), out(3, 0, 10)))
        .isEqualTo(new Overlap(10e-6, 10e-6, 10e-6, 10e-6));
  }

  @Test
  void copiesOnTheDeviceAreCopiesAndFillsAreNeither() {
    Span local = Spans.span(Kind.DEVICE_TO_DEVICE, 1, 0, 10);
    Span fill = Spans.span(Kind.FILL, 2, 0, 10);
    assertThat(of(local, fill)).isEqualTo(new Overlap(10e-6, 10e-6, 0, 0));
    assertThat(of(local, kernel(3, 5, 10)).ratio()).isEqualTo(0.5);
  }

  @Test
  void timeIsFromTheFirstBeginningToTheLastEnd() {
    assertThat(of(in(1, 5, 6), out(1, 99, 100)).seconds()).isEqualTo(95e-6);
  }
}
