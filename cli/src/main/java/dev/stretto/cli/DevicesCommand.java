package dev.stretto.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stretto.Device;
import dev.stretto.driver.DeviceProperties;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "devices",
    mixinStandardHelpOptions = true,
    description = "Lists the devices that --device can name.")
final class DevicesCommand implements Callable<Integer> {
  private static final String COLUMNS = "%-11s %-26s %10s %8s %8s  %s";

  private final Console console;

  @Option(names = "--json", description = "Prints one JSON object instead of a table.")
  private boolean json;

  DevicesCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    List<DeviceProperties> devices = Device.all();
    if (json) {
      printJson(devices);
    } else {
      printTable(devices);
    }
    return Main.DONE;
  }

  /** The name that {@code --device} takes. */
  private static String name(DeviceProperties device) {
    return device.driver().equals("virtual") ? "virtual" : device.driver() + ":" + device.ordinal();
  }

  private void printTable(List<DeviceProperties> devices) {
    console.println(
        COLUMNS.formatted("device", "product", "memory", "SMs", "compute", "copy engines"));
    for (DeviceProperties device : devices) {
      console.println(
          COLUMNS.formatted(
              name(device),
              device.name(),
              ByteSize.show(device.totalBytes()),
              device.multiprocessors(),
              device.computeMajor() + "." + device.computeMinor(),
              device.copyEngines()));
    }
    if (devices.stream().allMatch(device -> device.driver().equals("virtual"))) {
      try (Device opened = Device.open()) {
        console.println("");
        console.println(opened.reason());
      }
    }
  }

  private void printJson(List<DeviceProperties> devices) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    ArrayNode array = root.putArray("devices");
    for (DeviceProperties device : devices) {
      array
          .addObject()
          .put("device", name(device))
          .put("name", device.name())
          .put("driver", device.driver())
          .put("totalBytes", device.totalBytes())
          .put("multiprocessors", device.multiprocessors())
          .put("computeMajor", device.computeMajor())
          .put("computeMinor", device.computeMinor())
          .put("copyEngines", device.copyEngines())
          .put("driverVersion", device.driverVersion())
          .put("pciBusId", device.pciBusId());
    }
    JsonReport.print(console.out(), root);
  }
}
