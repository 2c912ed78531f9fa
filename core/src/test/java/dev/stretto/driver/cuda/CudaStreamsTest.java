package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class CudaStreamsTest extends OnFakeCuda {
  @Test
  void streamsDoNotBlockOnTheDefaultStreamAndPrioritiesAreClamped() {
    long ordinary = device.createStream(0);
    long urgent = device.createStream(-100);
    long lazy = device.createStream(100);

    assertThat(fake.calls())
        .containsExactly(
            "0 cuStreamCreateWithPriority 1 0",
            "0 cuStreamCreateWithPriority 1 -5",
            "0 cuStreamCreateWithPriority 1 0");
    device.destroyStream(ordinary);
    device.destroyStream(urgent);
    device.destroyStream(lazy);
    failure(Kind.INVALID, () -> device.destroyStream(lazy));
  }

  @Test
  void aBlockingStreamIsMadeWithoutTheFlag() {
    long stream = device.createBlockingStream(-100);

    assertThat(fake.calls()).containsExactly("0 cuStreamCreateWithPriority 0 -5");
    assertThat(device.waitsForLegacyStream(stream)).isTrue();
    device.destroyStream(stream);
  }

  @Test
  void eventsKeepTimeOnlyWhenAsked() {
    device.destroyEvent(device.createEvent(false));
    device.destroyEvent(device.createEvent(true));

    assertThat(fake.calls())
        .containsExactly(
            "0 cuEventCreate 2", "0 cuEventDestroy_v2", "0 cuEventCreate 0", "0 cuEventDestroy_v2");
  }

  @Test
  void aStreamIsIdleOnceItsWorkIsDone() {
    long stream = device.createStream(0);
    fake.set("notReady", 1);

    assertThat(device.isIdle(stream)).isFalse();
    assertThat(device.isIdle(stream)).isTrue();
    assertThat(failure(Kind.INVALID, () -> device.isIdle(0))).hasMessageContaining("stream is 0");
  }

  @Test
  void anEventThatIsNotReadyIsNotDone() {
    long event = device.createEvent(false);
    fake.set("notReady", 2);

    assertThat(device.isDone(event)).isFalse();
    assertThat(device.isDone(event)).isFalse();
    assertThat(device.isDone(event)).isTrue();
  }

  @Test
  void elapsedTimeIsInNanoseconds() {
    long stream = device.createStream(0);
    long start = device.createEvent(true);
    long end = device.createEvent(true);
    device.recordEvent(start, stream);
    device.recordEvent(end, stream);
    device.awaitEvent(end);

    assertThat(device.elapsedNanos(start, end)).isEqualTo(1_500_000);
    assertThat(device.elapsedNanos(end, start)).isEqualTo(-1_500_000);
  }

  @Test
  void recordingAndWaitingNameTheStreamAndTheEventInCudasOrder() {
    long stream = device.createStream(0);
    long event = device.createEvent(false);

    // The fake tells a stream from an event, so an exchange of the two would fail.
    device.recordEvent(event, stream);
    device.waitEvent(stream, event);

    failure(Kind.INVALID, () -> device.recordEvent(stream, event));
    failure(Kind.INVALID, () -> device.waitEvent(event, stream));
  }

  @Test
  void anEventOfOneDeviceCanBeAwaitedOnAnother() {
    try (DriverDevice second = driver.open(1)) {
      long event = device.createEvent(false);
      device.recordEvent(event, device.createStream(0));

      second.waitEvent(second.createStream(0), event);

      long foreign = second.createStream(0);
      failure(Kind.INVALID, () -> device.recordEvent(event, foreign));
    }
  }

  @Test
  void theDefaultStreamsAreThoseOfTheDevice() {
    fake.makeCurrent(-1);
    try (DriverDevice second = driver.open(1)) {
      long event = second.createEvent(false);
      assertThat(fake.calls()).isNotEmpty();

      second.recordEvent(event, DriverDevice.LEGACY_STREAM);
      second.waitEvent(DriverDevice.PER_THREAD_STREAM, event);

      assertThat(fake.calls())
          .filteredOn(call -> call.contains("Event"))
          .containsExactly("1 cuEventRecord", "1 cuStreamWaitEvent 0");
      assertThat(fake.current()).isEqualTo(-1);
      failure(Kind.INVALID, () -> second.destroyStream(DriverDevice.LEGACY_STREAM));
    }
  }

  @Test
  void aHandleOfZeroNeverReachesTheDriver() {
    long stream = device.createStream(0);
    long event = device.createEvent(false);
    assertThat(fake.calls()).hasSize(2);

    assertThat(failure(Kind.INVALID, () -> device.destroyStream(0)))
        .hasMessage("device 0: stream is 0, which is not valid");
    failure(Kind.INVALID, () -> device.destroyEvent(0));
    failure(Kind.INVALID, () -> device.recordEvent(0, stream));
    failure(Kind.INVALID, () -> device.recordEvent(event, 0));
    failure(Kind.INVALID, () -> device.waitEvent(0, event));
    failure(Kind.INVALID, () -> device.waitEvent(stream, 0));
    failure(Kind.INVALID, () -> device.isDone(0));
    failure(Kind.INVALID, () -> device.awaitEvent(0));
    failure(Kind.INVALID, () -> device.elapsedNanos(event, 0));
    failure(Kind.INVALID, () -> device.elapsedNanos(0, event));
    failure(Kind.INVALID, () -> device.unloadModule(0));
    failure(Kind.INVALID, () -> device.functionProperties(0));
    assertThat(fake.calls()).isEmpty();
  }

  @Test
  void aStreamsFlagsTellWhetherItWaitsForTheLegacyStream() {
    long ours = device.createStream(0);
    assertThat(device.waitsForLegacyStream(ours)).isFalse();
    assertThat(device.waitsForLegacyStream(DriverDevice.PER_THREAD_STREAM)).isTrue();
    failure(Kind.INVALID, () -> device.waitsForLegacyStream(0));
  }

  @Test
  void aStreamOfAnotherLibraryIsCheckedToBeOfThisDevice() {
    long ours = device.createStream(0);
    DriverDevice second = driver.open(1);
    long theirs = second.createStream(0);
    List<String> _ = fake.calls();
    device.checkStream(ours);
    assertThat(fake.calls()).containsExactly("0 cuStreamGetCtx");
    assertThat(failure(Kind.INVALID, () -> device.checkStream(theirs)))
        .hasMessageContaining("stream 0x%x belongs to context".formatted(theirs));
    failure(Kind.INVALID, () -> device.checkStream(4711));
    failure(Kind.INVALID, () -> device.checkStream(0));
    failure(Kind.INVALID, () -> device.checkStream(DriverDevice.LEGACY_STREAM));
    second.close();
  }
}
