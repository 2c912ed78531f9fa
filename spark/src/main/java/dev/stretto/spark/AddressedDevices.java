package dev.stretto.spark;

import dev.stretto.Device;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.fault.NoSuchDeviceException;
import java.util.ArrayList;
import java.util.List;

/** Opens the devices at the addresses that Spark has assigned to an executor. */
final class AddressedDevices {
  private AddressedDevices() {}

  /**
   * {@return the devices, in the order of the addresses; all or none}
   *
   * @throws NoSuchDeviceException if an address is no number, or no device is there
   */
  static List<OpenedDevice> open(String name, List<String> addresses) {
    List<Integer> numbers = addresses.stream().map(AddressedDevices::number).toList();
    if (name.equals(SparkSettings.CUDA)) {
      return openGpus(numbers);
    }
    List<Device> all = Device.openAll(name);
    List<OpenedDevice> opened = new ArrayList<>();
    for (int number : numbers) {
      if (number >= all.size()) {
        all.forEach(Device::close);
        throw new NoSuchDeviceException(
            "Spark has assigned the GPU with address %d to this executor, but %s is '%s',"
                    .formatted(number, SparkSettings.DEVICES, name)
                + " which has %d; name more devices there, or let the discovery script call"
                    .formatted(all.size())
                + " stretto devices --spark "
                + name);
      }
      opened.add(OpenedDevice.of(String.valueOf(number), all.get(number)));
    }
    for (int i = 0; i < all.size(); i++) {
      if (!numbers.contains(i)) {
        all.get(i).close();
      }
    }
    return List.copyOf(opened);
  }

  /** {@return all devices that there are, for local mode, in which Spark assigns no addresses} */
  static List<OpenedDevice> openAll(String name) {
    if (name.equals(SparkSettings.CUDA)) {
      return openGpus(
          Device.all().stream()
              .filter(device -> device.driver().equals(SparkSettings.CUDA))
              .map(DeviceProperties::ordinal)
              .toList());
    }
    List<OpenedDevice> opened = new ArrayList<>();
    for (Device device : Device.openAll(name)) {
      opened.add(OpenedDevice.of(String.valueOf(opened.size()), device));
    }
    return List.copyOf(opened);
  }

  private static List<OpenedDevice> openGpus(List<Integer> numbers) {
    List<OpenedDevice> opened = new ArrayList<>();
    for (int number : numbers) {
      try {
        opened.add(OpenedDevice.of(String.valueOf(number), Device.open("cuda:" + number)));
      } catch (NoSuchDeviceException e) {
        opened.forEach(each -> each.device().close());
        throw new NoSuchDeviceException(
            "Spark has assigned the GPU with address %d to this executor, but it cannot be opened: %s."
                    .formatted(number, e.getMessage())
                + " On a machine without GPUs, set "
                + SparkSettings.DEVICES
                + " to virtual devices, such as virtual:h200x2; otherwise let"
                + " spark.worker.resource.gpu.discoveryScript call stretto devices --spark",
            e);
      }
    }
    return List.copyOf(opened);
  }

  private static int number(String address) {
    if (!address.matches("[0-9]{1,4}")) {
      throw new NoSuchDeviceException(
          "the GPU has the address '%s', which is no number of a device: let".formatted(address)
              + " spark.worker.resource.gpu.discoveryScript call stretto devices --spark");
    }
    return Integer.parseInt(address);
  }
}
