package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.fault.NoSuchDeviceException;
import dev.stretto.settings.Settings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Several open devices.
 *
 * @param devices the devices
 * @param reason why these were chosen
 */
record OpenDevices(List<Device> devices, String reason) implements AutoCloseable {
  /** Replaces several GPUs on a machine that has none. */
  private static final String VIRTUAL = "virtual:h200x2";

  /** All GPUs, or otherwise virtual devices; or the device that the deployment's setting names. */
  static OpenDevices all() {
    if (Settings.DEVICE.isSet()) {
      Device device = Device.open();
      return new OpenDevices(List.of(device), device.reason());
    }
    List<DeviceProperties> present = Device.all();
    List<Device> opened = new ArrayList<>();
    try {
      for (int i = 0; i < present.size(); i++) {
        if (present.get(i).driver().equals("cuda")) {
          opened.add(Device.open(i));
        }
      }
    } catch (RuntimeException e) {
      opened.forEach(Device::close);
      throw e;
    }
    if (!opened.isEmpty()) {
      return new OpenDevices(List.copyOf(opened), "all GPUs of this machine");
    }
    return new OpenDevices(Device.openAll(VIRTUAL), VIRTUAL + ", because " + whyNoGpu());
  }

  /** Why no GPU can be used, on a machine where this is so. */
  static String whyNoGpu() {
    try (Device gpu = Device.openGpu()) {
      return gpu + " can be used by now";
    } catch (NoSuchDeviceException e) {
      return Faults.line(e);
    }
  }

  /**
   * The requested devices.
   *
   * @throws CommandFailure if one cannot be opened, or two would have the same name
   */
  static OpenDevices named(List<String> names) {
    List<Device> opened = new ArrayList<>();
    boolean done = false;
    try {
      Set<String> distinct = new HashSet<>();
      for (String name : names) {
        opened.addAll(DeviceOption.open(name, Device::openAll));
      }
      for (Device device : opened) {
        if (!distinct.add(device.name())) {
          throw CommandFailure.wrongCommandLine(
              "--device: two devices would have the name " + device.name());
        }
      }
      done = true;
    } finally {
      if (!done) {
        opened.forEach(Device::close);
      }
    }
    return new OpenDevices(List.copyOf(opened), String.join(" and ", names) + ", as was asked for");
  }

  boolean hasVirtual() {
    return devices.stream().anyMatch(Device::isVirtual);
  }

  List<String> names() {
    return devices.stream().map(Device::name).toList();
  }

  @Override
  public void close() {
    devices.forEach(Device::close);
  }
}
