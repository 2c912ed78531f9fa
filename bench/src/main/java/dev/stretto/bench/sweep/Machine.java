package dev.stretto.bench.sweep;

import dev.stretto.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The devices of a sweep. A second GPU is opened only for the ways that copy to it, so that the
 * others run as in a program that uses one.
 */
final class Machine implements AutoCloseable {
  private static final String FIRST_GPU = "cuda:0";
  private static final String SECOND_GPU = "cuda:1";

  private final String name;
  private final List<Device> devices;
  private final DeviceData data;

  Machine(String name) {
    this.name = name;
    this.devices = new ArrayList<>(Device.openAll(name));
    this.data = new DeviceData(device());
  }

  static String firstGpu() {
    return FIRST_GPU;
  }

  Device device() {
    return devices.getFirst();
  }

  /** For what lies in device memory. */
  DeviceData data() {
    return data;
  }

  /** The second device, if there is one. */
  Optional<Device> peer() {
    if (devices.size() == 1 && name.equals(FIRST_GPU) && hasSecondGpu()) {
      devices.add(Device.open(SECOND_GPU));
    }
    return devices.stream().skip(1).findFirst();
  }

  private static boolean hasSecondGpu() {
    return Device.all().stream().filter(device -> device.driver().equals("cuda")).count() > 1;
  }

  @Override
  public void close() {
    data.close();
    devices.forEach(Device::close);
  }
}
