package dev.stretto.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stretto.Device;
import dev.stretto.driver.DeviceProperties;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.IntStream;

/** The addresses of devices, as Spark reads them from a discovery script. */
record SparkAddresses(List<String> addresses) {
  /**
   * {@return the numbers of the GPUs, or of the devices of a name}
   *
   * @param name of virtual devices; empty for the GPUs
   * @throws CommandFailure if there is no GPU, or the name is invalid or cannot be opened
   */
  static SparkAddresses of(String name) {
    return name.isEmpty() ? ofGpus() : ofVirtual(name);
  }

  /** Spark's worker would refuse an empty list too, but it would not say what to do. */
  private static SparkAddresses ofGpus() {
    List<String> gpus =
        Device.all().stream()
            .filter(device -> device.driver().equals("cuda"))
            .map(DeviceProperties::ordinal)
            .map(String::valueOf)
            .toList();
    if (gpus.isEmpty()) {
      throw new CommandFailure(
          "%s; for virtual devices, write --spark virtual:h200x2, and set spark.stretto.devices to"
                  .formatted(OpenDevices.whyNoGpu())
              + " the same name");
    }
    return new SparkAddresses(gpus);
  }

  private static SparkAddresses ofVirtual(String name) {
    if (!name.startsWith("virtual")) {
      throw CommandFailure.wrongCommandLine(
          "--spark: '%s' names no virtual devices; without a name, it prints the GPUs"
              .formatted(name));
    }
    List<Device> devices = DeviceOption.open("--spark", name, Device::openAll);
    devices.forEach(Device::close);
    return new SparkAddresses(
        IntStream.range(0, devices.size()).mapToObj(String::valueOf).toList());
  }

  /** One line, which is all that Spark takes. */
  void print(PrintStream out) {
    ObjectNode root = new ObjectMapper().createObjectNode().put("name", "gpu");
    ArrayNode array = root.putArray("addresses");
    addresses.forEach(array::add);
    out.println(root);
  }
}
