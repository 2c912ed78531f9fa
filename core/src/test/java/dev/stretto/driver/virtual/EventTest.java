package dev.stretto.driver.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class EventTest {
  private final List<String> order = Collections.synchronizedList(new ArrayList<>());

  private void run(Rig rig, String name, long stream) {
    rig.launch(rig.kernel(() -> order.add(name)), stream);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=1", "seed=2", "seed=3", "seed=4", "seed=5"})
  void aStreamRunsItsOperationsInOrder(String config) {
    try (Rig rig = new Rig(config)) {
      long stream = rig.stream();
      long a = rig.pinned(100_000, 1);
      long b = rig.pinned(100_000, 2);
      long c = rig.pinned(100_000, 0);
      long x = rig.device.allocate(100_000);
      long y = rig.device.allocate(100_000);
      rig.toDevice(x, a, 100_000, stream);
      rig.device.copy(y, x, 100_000, CopyKind.DEVICE_TO_DEVICE, stream);
      rig.toDevice(x, b, 100_000, stream);
      rig.toHost(a, y, 100_000, stream);
      rig.device.fill(y, 8, 1, 100_000, stream);
      rig.toHost(b, x, 100_000, stream);
      rig.toHost(c, y, 100_000, stream);
      rig.await(stream);
      assertThat(Rig.view(a, 100_000).mismatch(Rig.view(rig.pinned(100_000, 1), 100_000)))
          .isEqualTo(-1);
      assertThat(Rig.view(b, 100_000).mismatch(Rig.view(rig.pinned(100_000, 2), 100_000)))
          .isEqualTo(-1);
      assertThat(Rig.view(c, 100_000).mismatch(Rig.view(rig.pinned(100_000, 8), 100_000)))
          .isEqualTo(-1);
    }
  }

  @Test
  void streamsRunConcurrently() throws InterruptedException {
    try (Rig rig = new Rig("")) {
      CountDownLatch both = new CountDownLatch(2);
      Runnable meet =
          () -> {
            both.countDown();
            try {
              assertThat(both.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          };
      long one = rig.stream();
      long two = rig.stream();
      rig.launch(rig.kernel(meet), one);
      rig.launch(rig.kernel(meet), two);
      rig.await(one);
      rig.await(two);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=1", "seed=2", "seed=3", "seed=4", "seed=5"})
  void aWaitHoldsBackWhatComesLater(String config) {
    try (Rig rig = new Rig(config)) {
      long one = rig.stream();
      long two = rig.stream();
      Gate gate = new Gate(rig, one);
      run(rig, "before", one);
      rig.device.waitEvent(two, rig.record(one));
      run(rig, "after", two);
      gate.open();
      rig.await(two);
      assertThat(order).containsExactly("before", "after");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=1", "seed=2", "seed=3", "seed=4", "seed=5"})
  void anEventStandsForWhatTheStreamHeldWhenItWasRecorded(String config) {
    try (Rig rig = new Rig(config)) {
      long stream = rig.stream();
      run(rig, "before", stream);
      long event = rig.record(stream);
      Gate gate = new Gate(rig, stream);
      rig.device.awaitEvent(event);
      assertThat(rig.device.isDone(event)).isTrue();
      assertThat(order).containsExactly("before");
      gate.open();
    }
  }

  @Test
  void recordingAgainForgetsTheEarlierRecording() {
    try (Rig rig = new Rig("")) {
      long stream = rig.stream();
      long event = rig.record(stream);
      rig.device.awaitEvent(event);
      assertThat(rig.device.isDone(event)).isTrue();
      try (Gate gate = new Gate(rig, stream)) {
        rig.device.recordEvent(event, stream);
        assertThat(rig.device.isDone(event)).isFalse();
        gate.open();
      }
      rig.device.awaitEvent(event);
    }
  }

  @Test
  void whoWaitsForAnEarlierRecordingStillDoes() {
    try (Rig rig = new Rig("")) {
      long held = rig.stream();
      long free = rig.stream();
      long waiting = rig.stream();
      try (Gate gate = new Gate(rig, held)) {
        long event = rig.record(held);
        rig.device.waitEvent(waiting, event);
        rig.device.recordEvent(event, free);
        rig.device.awaitEvent(event);
        long after = rig.record(waiting);
        assertThat(rig.device.isDone(after)).isFalse();
        rig.device.destroyEvent(event);
        assertThat(rig.device.isDone(after)).isFalse();
        gate.open();
        rig.device.awaitEvent(after);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=1"})
  void waitingForWhatWasNeverRecordedIsNothing(String config) {
    try (Rig rig = new Rig(config)) {
      long stream = rig.stream();
      long event = rig.device.createEvent(false);
      assertThat(rig.device.isDone(event)).isTrue();
      rig.device.awaitEvent(event);
      rig.device.waitEvent(stream, event);
      rig.await(stream);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=1", "seed=2", "seed=3"})
  void aDestroyedStreamRunsWhatItHolds(String config) {
    try (Rig rig = new Rig(config)) {
      long stream = rig.stream();
      Gate gate = new Gate(rig, stream);
      run(rig, "late", stream);
      long event = rig.record(stream);
      rig.device.destroyStream(stream);
      gate.open();
      rig.device.awaitEvent(event);
      assertThat(order).containsExactly("late");
      assertThatThrownBy(() -> rig.device.recordEvent(event, stream))
          .hasMessageContaining("INVALID_HANDLE")
          .hasMessageContaining("has no stream");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=1", "seed=2", "seed=3"})
  void aStreamMayWaitForAnotherDevicesEvent(String config) {
    VirtualDriver driver =
        new VirtualDriver(VirtualConfig.parse(config.isEmpty() ? "2" : "2," + config));
    try (var first = driver.open(0);
        var second = driver.open(1)) {
      long one = first.createStream(0);
      long two = second.createStream(0);
      long from = first.allocatePinned(1 << 20);
      long to = first.allocatePinned(1 << 20);
      Rig.view(from, 1 << 20).fill((byte) 4);
      long x = first.allocate(1 << 20);
      long y = second.allocate(1 << 20);
      long event = first.createEvent(false);
      long done = second.createEvent(false);
      first.copy(x, from, 1 << 20, CopyKind.HOST_TO_DEVICE, one);
      first.copy(to, x, 1 << 20, CopyKind.DEVICE_TO_HOST, one);
      first.recordEvent(event, one);
      second.waitEvent(two, event);
      second.copy(y, to, 1 << 20, CopyKind.HOST_TO_DEVICE, two);
      second.copy(from, y, 1 << 20, CopyKind.DEVICE_TO_HOST, two);
      second.recordEvent(done, two);
      second.awaitEvent(done);
      assertThat(Rig.view(from, 1 << 20).mismatch(Rig.view(to, 1 << 20))).isEqualTo(-1);
      assertThatThrownBy(() -> second.recordEvent(event, two))
          .isInstanceOf(DriverException.class)
          .hasMessageContaining("belongs to virtual device 0, not to device 1");
    }
  }

  @Test
  void timesAreAskedOfTimedAndDoneEventsOnly() {
    try (Rig rig = new Rig("")) {
      long stream = rig.stream();
      long untimed = rig.device.createEvent(false);
      long never = rig.device.createEvent(true);
      long done = rig.record(stream);
      rig.device.recordEvent(untimed, stream);
      rig.device.awaitEvent(untimed);
      assertThatThrownBy(() -> rig.device.elapsedNanos(done, untimed))
          .hasMessageContaining("created without timing");
      assertThatThrownBy(() -> rig.device.elapsedNanos(done, never))
          .hasMessageContaining("never recorded");
      try (Gate gate = new Gate(rig, stream)) {
        long late = rig.record(stream);
        assertThatThrownBy(() -> rig.device.elapsedNanos(done, late))
            .hasMessageContaining("NOT_READY");
        gate.open();
        rig.device.awaitEvent(late);
        assertThat(rig.device.elapsedNanos(done, late)).isPositive();
        assertThat(rig.device.eventNanos(untimed)).isPositive();
      }
    }
  }
}
