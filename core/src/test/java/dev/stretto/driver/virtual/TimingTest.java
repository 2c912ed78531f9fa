package dev.stretto.driver.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.HostClock;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * The figures of the model, under a seed that never runs what is only timed: memory is not even
 * touched.
 */
class TimingTest {
  private static final long GIB = 1L << 30;

  private final Rig rig = new Rig("seed=1");
  private final HostClock clock = rig.device.clock();

  private double rate(long bytes, long start, long end) {
    return bytes / (double) (rig.device.eventNanos(end) - rig.device.eventNanos(start));
  }

  /** A host address that counts as pinned and is never touched. */
  private static long unreal(Rig rig, long bytes) {
    rig.device.registerHost(1L << 40, bytes);
    return 1L << 40;
  }

  private long copy(CopyKind kind, long bytes, long stream) {
    long device = rig.device.allocate(bytes);
    long host = 1L << 40;
    if (kind == CopyKind.HOST_TO_DEVICE) {
      rig.toDevice(device, host, bytes, stream);
    } else if (kind == CopyKind.DEVICE_TO_HOST) {
      rig.toHost(host, device, bytes, stream);
    } else {
      rig.device.copy(rig.device.allocate(bytes), device, bytes, kind, stream);
    }
    return rig.record(stream);
  }

  @Test
  void pinnedCopiesRunAtTheLinksRate() {
    unreal(rig, GIB);
    long stream = rig.stream();
    long start = rig.record(stream);
    long down = copy(CopyKind.HOST_TO_DEVICE, GIB, stream);
    long up = copy(CopyKind.DEVICE_TO_HOST, GIB, stream);
    assertThat(rate(GIB, start, down)).isCloseTo(55.5, withPercentage(1));
    assertThat(rate(GIB, down, up)).isCloseTo(55.4, withPercentage(1));
  }

  @Test
  void bothWaysTogetherMoveWhatTheLinkMoves() {
    unreal(rig, GIB);
    long one = rig.stream();
    long two = rig.stream();
    long start = rig.record(one);
    long down = copy(CopyKind.HOST_TO_DEVICE, GIB, one);
    long up = copy(CopyKind.DEVICE_TO_HOST, GIB, two);
    long last = rig.device.eventNanos(down) > rig.device.eventNanos(up) ? down : up;
    assertThat(rate(2 * GIB, start, last)).isCloseTo(101.7, withPercentage(1));
  }

  @Test
  void bothWaysInChunksMoveNearlyTheSame() {
    unreal(rig, GIB);
    long one = rig.stream();
    long two = rig.stream();
    long start = rig.record(one);
    long last = start;
    for (int i = 0; i < 16; i++) {
      copy(CopyKind.HOST_TO_DEVICE, GIB / 16, one);
      last = copy(CopyKind.DEVICE_TO_HOST, GIB / 16, two);
    }
    // A little more: of two that meet only the one submitted later is slowed down.
    assertThat(rate(2 * GIB, start, last)).isCloseTo(101.7, withPercentage(3));
  }

  @Test
  void oneCopyEngineServesBothWaysInTurn() {
    try (Rig single = new Rig("seed=1,engines=1")) {
      unreal(single, GIB);
      long one = single.stream();
      long two = single.stream();
      long device = single.device.allocate(GIB);
      long start = single.record(one);
      single.toDevice(device, 1L << 40, GIB, one);
      single.toHost(1L << 40, device, GIB, two);
      long end = single.record(two);
      assertThat(
              2 * GIB / (double) (single.device.eventNanos(end) - single.device.eventNanos(start)))
          .isCloseTo(55.5, withPercentage(1));
    }
  }

  @Test
  void copiesOfOneDirectionShareTheirEngine() {
    unreal(rig, GIB);
    long one = rig.stream();
    long two = rig.stream();
    long start = rig.record(one);
    copy(CopyKind.HOST_TO_DEVICE, GIB, one);
    long end = copy(CopyKind.HOST_TO_DEVICE, GIB, two);
    assertThat(rate(2 * GIB, start, end)).isCloseTo(55.5, withPercentage(1));
  }

  @Test
  void smallCopiesTakeWhatWasMeasured() {
    unreal(rig, GIB);
    long stream = rig.stream();
    long device = rig.device.allocate(GIB);
    long[][] measured = {{4 << 10, 2_600}, {64 << 10, 3_700}, {1 << 20, 21_700}, {4 << 20, 78_000}};
    for (long[] m : measured) {
      long start = rig.record(stream);
      for (int i = 0; i < 100; i++) {
        rig.toDevice(device, 1L << 40, m[0], stream);
      }
      long end = rig.record(stream);
      assertThat(rig.device.eventNanos(end) - rig.device.eventNanos(start))
          .as("%d bytes", m[0])
          .isCloseTo(100 * m[1], withPercentage(3));
      clock.atLeast(rig.device.eventNanos(end));
    }
  }

  @Test
  void callsTakeTheHostsTime() {
    unreal(rig, GIB);
    long stream = rig.stream();
    long device = rig.device.allocate(64);
    long before = clock.now();
    rig.toDevice(device, 1L << 40, 64, stream);
    assertThat(clock.now() - before).isEqualTo(1_600);
    rig.launch(rig.kernel(() -> {}), stream);
    assertThat(clock.now() - before).isEqualTo(4_300);
    long event = rig.record(stream);
    rig.device.waitEvent(stream, event);
    assertThat(clock.now() - before).isEqualTo(4_550);
  }

  @Test
  void localCopiesAndFillsRunAtTheMemorysRate() {
    long stream = rig.stream();
    long start = rig.record(stream);
    long copied = copy(CopyKind.DEVICE_TO_DEVICE, GIB, stream);
    assertThat(2 * rate(GIB, start, copied)).isCloseTo(4220, withPercentage(1));
  }

  @Test
  void pageableCopiesHoldTheHostBack() {
    try (Rig real = new Rig("")) {
      long bytes = 32 << 20;
      long stream = real.stream();
      long device = real.device.allocate(bytes);
      try (var arena = Arena.ofConfined()) {
        var host = arena.allocate(bytes);
        long before = real.device.clock().now();
        real.device.copyPageable(device, host, CopyKind.HOST_TO_DEVICE, stream);
        long middle = real.device.clock().now();
        real.device.copyPageable(device, host, CopyKind.DEVICE_TO_HOST, stream);
        long after = real.device.clock().now();
        assertThat(bytes / (double) (middle - before)).isCloseTo(8.4, withPercentage(1));
        assertThat(bytes / (double) (after - middle)).isCloseTo(14.6, withPercentage(1));
      }
    }
  }

  @Test
  void aCopyOfAnIdleStreamIsNotHeldBackByOneThatStartsLater() {
    unreal(rig, GIB);
    long late = rig.stream();
    long early = rig.stream();
    rig.launch(rig.kernel((first, last, parameters, memory) -> {}, 50_000_000), late);
    long lateDone = copy(CopyKind.HOST_TO_DEVICE, GIB, late);
    long earlyDone = copy(CopyKind.HOST_TO_DEVICE, 1 << 20, early);
    assertThat(rig.device.eventNanos(earlyDone)).isLessThan(100_000);
    assertThat(rig.device.eventNanos(lateDone)).isGreaterThan(60_000_000);
  }

  @Test
  void waitsCarryTimesFromStreamToStream() {
    long one = rig.stream();
    long two = rig.stream();
    rig.launch(rig.kernel((first, last, parameters, memory) -> {}, 1_000_000), one);
    long event = rig.record(one);
    rig.device.waitEvent(two, event);
    long after = rig.record(two);
    assertThat(rig.device.eventNanos(after)).isEqualTo(rig.device.eventNanos(event));
  }

  @Test
  void awaitingMovesTheHostToTheEventAndALittleFurther() {
    long stream = rig.stream();
    rig.launch(rig.kernel((first, last, parameters, memory) -> {}, 1_000_000), stream);
    long event = rig.record(stream);
    rig.device.awaitEvent(event);
    assertThat(clock.now()).isEqualTo(rig.device.eventNanos(event) + 5_000);
    long now = clock.now();
    rig.device.awaitEvent(event);
    assertThat(clock.now()).isEqualTo(now);
  }

  @Test
  void copiesAndKernelsOverlap() {
    unreal(rig, GIB);
    long compute = rig.stream();
    long copies = rig.stream();
    long start = rig.record(compute);
    rig.launch(rig.kernel((first, last, parameters, memory) -> {}, 19_000_000), compute);
    long kernelDone = rig.record(compute);
    long copied = copy(CopyKind.HOST_TO_DEVICE, GIB, copies);
    assertThat(rig.device.eventNanos(kernelDone) - rig.device.eventNanos(start))
        .isCloseTo(19_000_000, within(10_000L));
    assertThat(rate(GIB, start, copied)).isCloseTo(55.5, withPercentage(1));
  }

  @Test
  void aThreadBeginsAtTheTimeOfItsParentAndGoesItsOwnWay() throws InterruptedException {
    clock.set(1_000);
    AtomicLong begun = new AtomicLong();
    for (Thread.Builder builder : new Thread.Builder[] {Thread.ofPlatform(), Thread.ofVirtual()}) {
      Thread child =
          builder.start(
              () -> {
                begun.set(clock.now());
                clock.set(5_000);
              });
      child.join();
      assertThat(begun).hasValue(1_000);
      assertThat(clock.now()).isEqualTo(1_000);
    }
    clock.atLeast(500);
    assertThat(clock.now()).isEqualTo(1_000);
    assertThat(clock.cores()).isEqualTo(16);
    assertThat(clock.isModelled()).isTrue();
    assertThat(clock.copyNanos(10_300)).isEqualTo(1_000);
  }
}
