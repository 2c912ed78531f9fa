package dev.stretto.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stretto.Device;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.virtual.VirtualProfile;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "devices",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Lists the devices that --device can name, and the products that virtual devices model."
    })
final class DevicesCommand implements Callable<Integer> {
  private static final String COLUMNS = "%-11s %-26s %10s %8s %8s  %s";
  private static final String PROFILES = "%-11s %-24s %10s %7s %8s %8s  %s";

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

  @Option(
      names = "--spark",
      arity = "0..1",
      paramLabel = "NAME",
      fallbackValue = "",
      description = {
        "Prints the addresses of the GPUs instead, as Spark's discovery scripts do; or those of "
            + "the virtual devices NAME, such as virtual:h200x2."
      })
  private @Nullable String forSpark;

  DevicesCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (measuredIn != null) {
      printHost(HostSpeed.measure(measuredIn.isEmpty() ? null : Path.of(measuredIn)));
      return Main.DONE;
    }
    if (forSpark != null) {
      SparkAddresses.of(forSpark).print(console.out());
      return Main.DONE;
    }
    List<DeviceProperties> devices = Device.all();
    List<VirtualProfile> profiles = VirtualProfile.all();
    if (json) {
      printJson(devices, profiles);
    } else {
      printTable(devices);
      printProfiles(profiles);
    }
    return Main.DONE;
  }

  private void printTable(List<DeviceProperties> devices) {
    console.println(
        COLUMNS.formatted("device", "product", "memory", "SMs", "compute", "copy engines"));
    for (DeviceProperties device : devices) {
      console.println(
          COLUMNS.formatted(
              DeviceNames.of(device),
              device.name(),
              ByteSize.show(device.totalBytes()),
              device.multiprocessors(),
              device.computeMajor() + "." + device.computeMinor(),
              device.copyEngines()));
    }
    if (devices.stream().allMatch(device -> device.driver().equals("virtual"))) {
      console.println("");
      console.printWrapped(OpenDevices.whyNoGpu());
    }
  }

  private void printProfiles(List<VirtualProfile> profiles) {
    console.println("");
    console.println(
        "virtual:h200 and so on model these products; virtual:h200x8 is eight of them:");
    console.println(
        PROFILES.formatted("profile", "product", "memory", "compute", "traffic", "host", "peers"));
    for (VirtualProfile profile : profiles) {
      DeviceProperties properties = profile.properties();
      console.println(
          PROFILES.formatted(
              profile.word(),
              product(profile),
              ByteSize.show(properties.totalBytes()),
              properties.computeMajor() + "." + properties.computeMinor(),
              gigabytes(profile.memoryTraffic()),
              gigabytes(profile.toHost()),
              peers(profile)));
    }
    console.println("GB/s of traffic of its memory, of copies to the host, and to another device.");
  }

  /** The product's name, without the word that says that the device is virtual. */
  private static String product(VirtualProfile profile) {
    return profile.properties().name().replace(" (virtual)", "").replaceFirst("^NVIDIA ", "");
  }

  private static String peers(VirtualProfile profile) {
    return profile.betweenDevices() == 0 ? "none" : gigabytes(profile.betweenDevices());
  }

  private static String gigabytes(double bytesPerSecond) {
    return String.format(Locale.ROOT, "%.0f", bytesPerSecond / 1e9);
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

  private void printJson(List<DeviceProperties> devices, List<VirtualProfile> profiles) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    ArrayNode array = root.putArray("devices");
    for (DeviceProperties device : devices) {
      array
          .addObject()
          .put("device", DeviceNames.of(device))
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
    ArrayNode products = root.putArray("profiles");
    for (VirtualProfile profile : profiles) {
      DeviceProperties properties = profile.properties();
      products
          .addObject()
          .put("device", "virtual:" + profile.word())
          .put("models", product(profile))
          .put("totalBytes", properties.totalBytes())
          .put("multiprocessors", properties.multiprocessors())
          .put("computeMajor", properties.computeMajor())
          .put("computeMinor", properties.computeMinor())
          .put("copyEngines", properties.copyEngines())
          .put("toDeviceBytesPerSecond", profile.toDevice())
          .put("toHostBytesPerSecond", profile.toHost())
          .put("memoryBytesPerSecond", profile.memoryTraffic())
          .put("link", profile.link().name())
          .put("linkBytesPerSecond", profile.betweenDevices());
    }
    JsonReport.print(console.out(), root);
  }
}
