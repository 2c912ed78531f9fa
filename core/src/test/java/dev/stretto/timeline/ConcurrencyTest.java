package dev.stretto.timeline;

import static dev.stretto.timeline.Spans.in;
import static dev.stretto.timeline.Spans.kernel;
import static dev.stretto.timeline.Spans.out;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.Observer.Kind;
import dev.stretto.driver.LinkTraffic;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConcurrencyTest {
  private static Concurrency of(Span... spans) {
    return Concurrency.of(List.of(spans));
  }

  private static Span node(Kind kind, int node, long start, long end) {
    return new Span(
        kind,
        "node",
        0,
        "",
        1,
        "stream 1",
        1,
        node,
        "",
        "",
        0,
        false,
        0,
        start * 1000,
        end * 1000,
        LinkTraffic.NONE,
        Detail.NONE);
  }

  private static Span peer(long start, long end) {
    return new Span(
        Kind.PEER,
        "peer",
        0,
        "a",
        1,
        "s",
        1,
        -1,
        "a",
        "b",
        1,
        false,
        0,
        start * 1000,
        end * 1000,
        LinkTraffic.NONE,
        Detail.NONE);
  }

  @Test
  void nothingIsNothing() {
    assertThat(of()).isEqualTo(new Concurrency(0, List.of(), List.of()));
    assertThat(of().pair(Kind.KERNEL, Kind.KERNEL).seconds()).isZero();
    assertThat(of().table()).isEmpty();
  }

  @Test
  void eachPairHasItsTimeAndItsShareOfTheLesser() {
    Concurrency all = of(in(1, 0, 10), kernel(2, 6, 26), out(3, 8, 12));
    assertThat(all.seconds()).isEqualTo(26e-6);
    assertThat(all.pairs())
        .containsExactly(
            new Concurrency.Pair(Kind.HOST_TO_DEVICE, Kind.DEVICE_TO_HOST, 2e-6, 0.5),
            new Concurrency.Pair(Kind.HOST_TO_DEVICE, Kind.KERNEL, 4e-6, 0.4),
            new Concurrency.Pair(Kind.DEVICE_TO_HOST, Kind.KERNEL, 4e-6, 1));
    assertThat(all.pair(Kind.KERNEL, Kind.HOST_TO_DEVICE).seconds()).isEqualTo(4e-6);
  }

  @Test
  void kernelsRunBesideKernels() {
    Concurrency all = of(kernel(1, 0, 10), kernel(2, 5, 15), kernel(3, 6, 8), kernel(4, 20, 30));
    Concurrency.Pair pair = all.pair(Kind.KERNEL, Kind.KERNEL);
    assertThat(pair.seconds()).isEqualTo(5e-6);
    assertThat(pair.share()).isEqualTo(5.0 / 25, within(1e-12));
    assertThat(of(kernel(1, 0, 10)).pairs()).isEmpty();
    assertThat(of(kernel(1, 0, 10), kernel(1, 10, 20)).pair(Kind.KERNEL, Kind.KERNEL).seconds())
        .isZero();
  }

  @Test
  void enginesAreBusyOrIdle() {
    assertThat(of(in(1, 0, 10), in(2, 5, 12), kernel(3, 12, 20)).engines())
        .containsExactly(
            new Concurrency.EngineUse(0, "", Engine.HOST_TO_DEVICE, 12e-6, 8e-6),
            new Concurrency.EngineUse(0, "", Engine.KERNELS, 8e-6, 12e-6));
  }

  @Test
  void aCopyBetweenDevicesKeepsTheLinksOfBothBusy() {
    assertThat(of(peer(0, 10)).engines())
        .containsExactly(
            new Concurrency.EngineUse(0, "a", Engine.PEER, 10e-6, 0),
            new Concurrency.EngineUse(-1, "b", Engine.PEER, 10e-6, 0));
    assertThat(Overlap.of(List.of(peer(0, 10), kernel(2, 5, 20))).ratio()).isEqualTo(0.5);
  }

  @Test
  void nodesCountInPlaceOfTheirGraph() {
    Span launch = node(Kind.GRAPH, Span.NO_NODE, 0, 30);
    Span copy = node(Kind.HOST_TO_DEVICE, 0, 0, 10);
    Span kernel = node(Kind.KERNEL, 1, 5, 30);
    assertThat(of(launch, copy, kernel).pairs())
        .containsExactly(new Concurrency.Pair(Kind.HOST_TO_DEVICE, Kind.KERNEL, 5e-6, 0.5));
    assertThat(Overlap.of(List.of(launch, copy, kernel)))
        .isEqualTo(new Overlap(30e-6, 10e-6, 25e-6, 5e-6));
    assertThat(of(launch, in(2, 0, 10)).pair(Kind.GRAPH, Kind.HOST_TO_DEVICE).seconds())
        .isEqualTo(10e-6);
  }

  @Test
  void waitsOfStreamsAreNoWork() {
    Span wait = Spans.span(Kind.WAIT_VALUE, 1, 0, 100);
    assertThat(of(wait, kernel(2, 10, 20)))
        .isEqualTo(
            new Concurrency(
                10e-6,
                List.of(),
                List.of(new Concurrency.EngineUse(0, "", Engine.KERNELS, 10e-6, 0))));
  }

  @Test
  void theTableSaysIt() {
    assertThat(of(in(1, 0, 10), kernel(2, 6, 16), kernel(3, 6, 16)).table())
        .isEqualTo(
            """
            copy in beside kernel: 4.0 µs, 40 % of the shorter
            kernel beside another: 10.0 µs, 100 % of the shorter
            H2D engine: 10.0 µs busy, 6.0 µs idle
            kernels: 10.0 µs busy, 6.0 µs idle
            """);
  }
}
