package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class CudaLossTest extends OnFakeCuda {
  private DriverException lose() {
    long event = device.createEvent(false);
    fake.failNext("cuEventQuery", 700);
    DriverException thrown = failure(Kind.LOST, () -> device.isDone(event));
    List<String> _ = fake.calls();
    return thrown;
  }

  @Test
  void aStickyErrorLosesTheDevice() {
    DriverException thrown = lose();

    assertThat(thrown.code()).isEqualTo(700);
    assertThat(thrown)
        .hasMessage(
            "cuEventQuery: CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory access was"
                + " encountered (device 0)");
  }

  @Test
  void laterCallsFailAtOnceWithTheFirstReason() {
    long stream = device.createStream(0);
    long event = device.createEvent(false);
    long memory = device.allocate(64);
    lose();

    DriverException later =
        failure(
            Kind.LOST, () -> device.copy(memory, memory, 64, CopyKind.DEVICE_TO_DEVICE, stream));

    assertThat(later.code()).isEqualTo(700);
    assertThat(later)
        .hasMessageStartingWith("device 0 is lost since cuEventQuery: CUDA_ERROR_ILLEGAL_ADDRESS");
    failure(Kind.LOST, () -> device.allocate(1));
    failure(Kind.LOST, () -> device.free(memory));
    failure(Kind.LOST, () -> device.allocatePinned(1));
    failure(Kind.LOST, () -> device.isDone(event));
    failure(Kind.LOST, () -> device.recordEvent(event, stream));
    failure(Kind.LOST, () -> device.waitEvent(stream, event));
    failure(Kind.LOST, () -> device.awaitEvent(event));
    failure(Kind.LOST, () -> device.createStream(0));
    failure(Kind.LOST, () -> device.createEvent(true));
    failure(Kind.LOST, () -> device.destroyEvent(event));
    failure(Kind.LOST, () -> device.fill(memory, 0, 1, 1, stream));
    failure(Kind.LOST, () -> device.loadModule(new byte[] {1}));
    failure(Kind.LOST, device::freeBytes);
    assertThat(fake.calls()).isEmpty();
  }

  @Test
  void otherDevicesGoOn() {
    try (DriverDevice second = driver.open(1)) {
      lose();

      second.free(second.allocate(64));
      second.destroyStream(second.createStream(0));
    }
  }

  @Test
  void aLostDeviceClosesQuietlyAndCanBeOpenedAgain() {
    lose();
    fake.fail("cuStreamSynchronize", 700, 1);
    fake.fail("cuMemPoolDestroy", 700, 1);
    fake.fail("cuDevicePrimaryCtxRelease_v2", 700, 1);

    device.close();

    device = driver.open(0);
    device.free(device.allocate(64));
  }

  @Test
  void anUnknownErrorIsNotTakenForALoss() {
    long event = device.createEvent(false);
    fake.failNext("cuEventQuery", 999);

    assertThat(failure(Kind.OTHER, () -> device.isDone(event)))
        .hasMessage("cuEventQuery: CUDA error 999 (device 0)");
    assertThat(device.isDone(event)).isTrue();
  }

  @Test
  void theErrorOfEarlierWorkIsReportedByWhicheverCallComesNext() {
    long stream = device.createStream(0);
    long memory = device.allocate(64);
    fake.failNext("cuMemcpyDtoDAsync_v2", 719);

    DriverException thrown =
        failure(
            Kind.LOST, () -> device.copy(memory, memory, 64, CopyKind.DEVICE_TO_DEVICE, stream));

    assertThat(thrown).hasMessageStartingWith("cuMemcpyDtoDAsync: CUDA error 719; 64 bytes to");
  }
}
