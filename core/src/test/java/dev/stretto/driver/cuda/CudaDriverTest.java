package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import org.junit.jupiter.api.Test;

class CudaDriverTest extends OnFakeCuda {
  @Test
  void functionsThatTheDriverLacksAreNamed() {
    fake.hide("cuMemPoolTrimTo");
    fake.hide("cuLaunchKernel");

    assertThat(fake.loadAfresh())
        .isEqualTo(
            "the NVIDIA driver says it supports CUDA 12.8, but lacks cuMemPoolTrimTo,"
                + " cuLaunchKernel");
  }

  @Test
  void anAbsentOptionalFunctionIsDoneWithout() {
    fake.set("version", 12_000);

    assertThat(fake.loadAfresh()).isInstanceOf(dev.stretto.driver.Driver.class);
  }

  @Test
  void aRefusedLibraryIsUnavailable() {
    fake.set("version", 11_000);

    assertThat(fake.loadAfresh()).asString().contains("CUDA 11.0, but 12.0 is needed");
  }

  @Test
  void nameAndCountAreTheDrivers() {
    assertThat(driver.name()).isEqualTo("cuda");
    assertThat(driver.deviceCount()).isEqualTo(2);
  }

  @Test
  void everyPropertyComesFromItsOwnAttribute() {
    DeviceProperties expected =
        new DeviceProperties(
            "Fake 1",
            "cuda",
            1,
            12_080,
            75_001,
            76_001,
            64 << 20,
            16_001,
            10_001,
            1_001,
            2_001,
            3_001,
            4_001,
            5_001,
            6_001,
            7_001,
            8_001,
            97 * 1024,
            12_001,
            40_001,
            13_001,
            36_001,
            37_001,
            38_001,
            "0000:1a:00.0",
            0,
            0);

    assertThat(driver.properties(1)).isEqualTo(expected);
    try (DriverDevice second = driver.open(1)) {
      assertThat(second.properties())
          .usingRecursiveComparison()
          .ignoringFields("greatestPriority")
          .isEqualTo(expected);
      assertThat(second.properties().greatestPriority()).isEqualTo(-5);
    }
  }

  @Test
  void askingForPropertiesCreatesNoContext() {
    DeviceProperties _ = driver.properties(1);

    assertThat(fake.calls()).noneMatch(call -> call.contains("PrimaryCtx"));
  }

  @Test
  void aDeviceThatIsNotThereIsRefused() {
    assertThat(failure(Kind.INVALID, () -> driver.open(2)))
        .hasMessage("there is no device 2; there are 2");
    failure(Kind.INVALID, () -> driver.open(-1));
    failure(Kind.INVALID, () -> driver.properties(7));
  }

  @Test
  void eachOpeningRetainsThePrimaryContextAndClosesForItself() {
    DriverDevice again = driver.open(0);
    assertThat(fake.retained(0)).isEqualTo(2);

    again.close();
    again.close();
    assertThat(fake.retained(0)).isEqualTo(1);

    device.close();
    assertThat(fake.retained(0)).isZero();
    assertThat(fake.live(FakeCuda.Kind.POOL)).isZero();
    assertThat(fake.live(FakeCuda.Kind.STREAM)).isZero();
  }

  @Test
  void aFailedOpeningLeavesNothingBehind() {
    fake.failNext("cuMemPoolCreate", 801);

    DriverException thrown = failure(Kind.OTHER, () -> driver.open(1));

    assertThat(thrown).hasMessageStartingWith("cuMemPoolCreate: ");
    assertThat(fake.retained(1)).isZero();
    assertThat(fake.live(FakeCuda.Kind.STREAM)).isEqualTo(1);
  }

  @Test
  void aDeviceInUseElsewhereIsAnOrdinaryError() {
    fake.failNext("cuDevicePrimaryCtxRetain", 46);

    assertThat(failure(Kind.OTHER, () -> driver.open(1)).code()).isEqualTo(46);
    driver.open(1).close();
  }

  @Test
  void aClosedDeviceRefusesEveryCall() {
    long stream = device.createStream(0);
    device.destroyStream(stream);
    device.close();
    assertThat(fake.calls()).isNotEmpty();

    assertThat(failure(Kind.INVALID, () -> device.allocate(1)))
        .hasMessage("device 0 has been closed by the program");
    failure(Kind.INVALID, () -> device.createStream(0));
    failure(Kind.INVALID, () -> device.isDone(1));
    failure(Kind.INVALID, device::freeBytes);
    assertThat(fake.calls()).isEmpty();
  }

  @Test
  void aGpuRunsInRealTimeAndHasToBePolled() {
    assertThat(device.clock().isModelled()).isFalse();
    assertThat(device.cooperation()).isEmpty();
    assertThat(device.onProgress(() -> {})).isFalse();
    assertThat(device.eventNanos(device.createEvent(true))).isZero();
  }
}
