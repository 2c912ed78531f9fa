package dev.stretto.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stretto.Device;
import dev.stretto.driver.DeviceProperties;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "devices",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Lists the devices that --device can name.")
final class DevicesCommand implements Callable<Integer> {
  private static final String COLUMNS = "%-11s %-26s %10s %8s %8s  %s";

  private final Console console;

  @Option(names = "--json", description = "Prints one JSON object instead of a table.")
  private boolean json;

  @Option(
      names = "--measure-host",
      arity = "0..1",
      paramLabel = "FOLDER",
      fallbackValue = "",
      description = {
        "Measures this machine's host for a few seconds instead, with a temporary "
            + "file of 1 GiB in FOLDER, and prints the name of a virtual device with such "
            + "a host.",
        "Default for FOLDER: the system's folder for temporary files."
      })
  private @Nullable String measuredIn;

  DevicesCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (measuredIn != null) {
      printHost(HostSpeed.measure(measuredIn.isEmpty() ? null : Path.of(measuredIn)));
      return Main.DONE;
    }
    List<DeviceProperties> devices = Device.all();
    if (json) {
      printJson(devices);
    } else {
      printTable(devices);
    }
    return Main.DONE;
  }

  /** The name to use with {@code --device}. */
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
      console.println("");
      console.println(OpenDevices.whyNoGpu());
    }
  }

  private void printHost(HostSpeed host) {
    if (!json) {
      console.println(host.device());
      return;
    }
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("device", host.device())
        .put("fileReadBytesPerSecond", host.fileRead())
        .put("fileWriteBytesPerSecond", host.fileWrite())
        .put("fileWritesBytesPerSecond", host.fileWrites())
        .put("hostCopyBytesPerSecond", host.hostCopy())
        .put("cores", host.cores());
    JsonReport.print(console.out(), root);
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
