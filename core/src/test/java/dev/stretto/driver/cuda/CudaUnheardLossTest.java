package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.contract.LoggedErrors;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.NoSuchDeviceException;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A GPU that is lost: who hears of it, and that it cannot be opened again. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaUnheardLossTest {
  private FakeCuda fake;
  private LoggedErrors logged;

  @BeforeEach
  void reset() {
    fake = FakeCuda.reset();
    logged = new LoggedErrors();
  }

  @AfterEach
  void stopListening() {
    logged.close();
  }

  static void idle(ThreadBlock block) {}

  private static Launch prepare(Device device) {
    return device.prepare(
        Grid.of(1, 1),
        DeviceKernel.of(
            KernelImage.ofPtx(".entry idle"), "idle", CudaUnheardLossTest.class, "idle"));
  }

  private Device open() {
    List<Device> all = Device.openAll(fake.driver());
    all.subList(1, all.size()).forEach(Device::close);
    return all.getFirst();
  }

  /** Waits until the driver's device is closed, and gives what was logged about losses. */
  private List<String> losses() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (fake.retained(0) > 0 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(fake.retained(0)).isZero();
    return logged.messages().stream().filter(each -> each.contains("is lost")).toList();
  }

  @Test
  void aFaultBehindTheLastCallIsFoundWhenTheStreamCloses() {
    try (Device device = open();
        Stream stream = device.stream()) {
      stream.launch(prepare(device)); // has no mark of its own
      fake.fail("cuStreamQuery", 700, 1);
    }
    assertThat(losses())
        .singleElement()
        .asString()
        .contains("cuda:0", "CUDA_ERROR_ILLEGAL_ADDRESS (700)", "no exception has reported it");
  }

  @Test
  void aFaultOfWorkThatStrettoDoesNotKnowIsFoundWhenTheDeviceCloses() {
    try (Device device = open();
        Stream stream = device.stream()) {
      stream.launch(prepare(device));
      stream.await();
      stream.close();
      fake.fail("cuEventQuery", 719, 1); // another library's kernel, say
    }
    assertThat(losses()).singleElement().asString().contains("cuda:0", "719");
  }

  @Test
  void aFaultOfOtherWorkIsToldToAThreadThatAwaitsAStreamWithNothingToDo() {
    try (Device device = open();
        Stream stream = device.stream()) {
      stream.launch(prepare(device));
      stream.await();
      fake.fail("cuEventQuery", 719, 1);
      assertThat(catchThrowableOfType(DeviceLostException.class, stream::await))
          .hasMessageContaining("719");
    }
  }

  @Test
  void aFaultThatTheProgramHasHeardOfIsNotLogged() {
    try (Device device = open();
        Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(100)) {
      fake.fail("cuMemsetD8Async", 700, 1);
      assertThat(
              catchThrowableOfType(DeviceLostException.class, () -> stream.fill(array, (byte) 1)))
          .isNotNull();
    }
    assertThat(losses()).isEmpty();
  }

  @Test
  void nothingIsLoggedOfADeviceThatIsFine() {
    try (Device device = open();
        Stream stream = device.stream()) {
      stream.launch(prepare(device));
    }
    assertThat(losses()).isEmpty();
    assertThat(logged.messages()).isEmpty();
  }

  // --- opening it again
  // -----------------------------------------------------------------------------------------------------

  private DeviceLostException lose(Device device) {
    try (Stream stream = device.stream()) {
      stream.launch(prepare(device));
      fake.fail("cuStreamQuery", 716, 1);
      return catchThrowableOfType(DeviceLostException.class, stream::await);
    }
  }

  @Test
  void aDeviceThatThisProcessHasLostCannotBeOpenedAgainAndTheMessageSaysWhyAndWhatToDo() {
    DeviceLostException lost;
    try (Device device = open()) {
      lost = lose(device);
    }
    fake.fail("cuDevicePrimaryCtxRetain", 716, 1); // what driver 580 does

    NoSuchDeviceException refused =
        catchThrowableOfType(NoSuchDeviceException.class, () -> Device.openAll(fake.driver()));

    assertThat(refused)
        .hasMessageStartingWith("cuda:0 cannot be opened again by this process")
        .hasMessageContaining("Start a new process")
        .hasMessageContaining(lost.getMessage())
        .hasMessageContaining("cuDevicePrimaryCtxRetain: CUDA error 716");
  }

  @Test
  void aDeviceThatWentWithAnotherOneNamesThatOne() {
    DeviceLostException lost;
    try (Device device = open()) {
      lost = lose(device);
    }
    fake.failLater("cuDevicePrimaryCtxRetain", 716, 1); // that of the second device

    NoSuchDeviceException refused =
        catchThrowableOfType(NoSuchDeviceException.class, () -> Device.openAll(fake.driver()));

    assertThat(refused)
        .hasMessageStartingWith("cuda:1 cannot be opened again by this process")
        .hasMessageContaining(lost.getMessage());
  }

  @Test
  void anOrdinaryRefusalSaysNoSuchThing() {
    fake.fail("cuDevicePrimaryCtxRetain", 2, 1);

    NoSuchDeviceException refused =
        catchThrowableOfType(NoSuchDeviceException.class, () -> Device.openAll(fake.driver()));

    assertThat(refused)
        .hasMessageStartingWith("cuda:0 cannot be opened: cuDevicePrimaryCtxRetain")
        .hasMessageNotContaining("new process");
  }
}
