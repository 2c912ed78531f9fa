package dev.stretto;

import dev.stretto.fault.NoSuchDeviceException;
import dev.stretto.settings.Settings;
import java.util.List;
import java.util.Optional;

/**
 * The system property with which a deployment chooses the device that {@link Device#open()}
 * returns.
 */
final class DeviceProperty {
  private static final String GPU = "gpu";

  private DeviceProperty() {}

  /**
   * The device that the property asks for, or nothing if it is not set.
   *
   * @throws dev.stretto.fault.SettingException if its value names no device, or several
   * @throws NoSuchDeviceException if there is no such device, or it cannot be opened
   */
  static Optional<DeviceOpening> open() {
    return Settings.DEVICE.value().map(DeviceProperty::open);
  }

  private static DeviceOpening open(String value) {
    String said = Settings.DEVICE.option() + "=" + value;
    try {
      return open(value, said + " says so");
    } catch (IllegalArgumentException e) {
      throw Settings.DEVICE.refused(value, e);
    } catch (NoSuchDeviceException e) {
      throw new NoSuchDeviceException(said + ": " + e.getMessage(), e);
    }
  }

  private static DeviceOpening open(String value, String reason) {
    if (value.equals(GPU)) {
      return Devices.openGpu(reason);
    }
    List<DeviceOpening> devices = Devices.openNamed(value, reason);
    if (devices.size() != 1) {
      devices.forEach(DeviceOpening::close);
      throw new IllegalArgumentException(
          "'" + value + "' names " + devices.size() + " devices: name one");
    }
    return devices.getFirst();
  }
}
