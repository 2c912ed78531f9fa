package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.contract.DriverTap.Call;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.memory.GlobalInts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a test puts between Stretto and the driver of devices that it opens by name. */
class DriverLayerTest {
  @Test
  void theLayerSeesTheCallsOfAllDevicesThatTheNameStandsFor() {
    FaultyDriver[] layer = new FaultyDriver[1];
    List<Device> devices =
        Device.openAll(
            "virtual:h200x2,seed=3",
            driver ->
                layer[0] =
                    new FaultyDriver(driver, Call.ALLOCATE, 2, DriverException.Kind.OUT_OF_MEMORY));
    assertThat(devices).hasSize(2).allMatch(Device::isSeeded);
    layer[0].arm();
    try (GlobalInts first = devices.get(0).allocateInts(10)) {
      assertThat(first.isOpen()).isTrue();
      assertThatThrownBy(() -> devices.get(1).allocateInts(10))
          .isInstanceOf(OutOfDeviceMemoryException.class);
    }
    devices.forEach(Device::close);
  }

  @Test
  void aNameThatNamesNoDeviceIsRefusedBeforeTheLayerIsAsked() {
    assertThatThrownBy(
            () ->
                Device.openAll(
                    "virtual:h2000",
                    _ -> {
                      throw new AssertionError("asked");
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("h2000");
  }
}
