package dev.stretto;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.cuda.CudaDriver;
import dev.stretto.driver.cuda.Loading;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import dev.stretto.fault.NoSuchDeviceException;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.Loss;
import dev.stretto.route.OpenDevices;
import dev.stretto.route.OperationClasses;
import dev.stretto.settings.OrderMode;
import dev.stretto.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Finds and opens devices, by number or by name. */
final class Devices {
  static final String VIRTUAL = "virtual";
  private static final String FIRST_GPU = "the first GPU of this machine";
  private static final String NO_GPU = "no GPU can be used: ";

  /** What begins before the driver of the GPUs starts. */
  private static volatile Runnable beforeStart = () -> {};

  private Devices() {}

  /** Has something begin just before the driver of the GPUs starts for a program that opens one. */
  static void beforeStart(Runnable begin) {
    beforeStart = begin;
  }

  static List<DeviceProperties> all() {
    List<DeviceProperties> all = new ArrayList<>();
    if (CudaDriver.load() instanceof Loading.Ready(CudaDriver cuda)) {
      for (int i = 0; i < cuda.deviceCount(); i++) {
        all.add(cuda.properties(i));
      }
    }
    all.add(new VirtualDriver(VirtualConfig.DEFAULT).properties(0));
    return List.copyOf(all);
  }

  static DeviceOpening openAny() {
    return DeviceProperty.open().orElseGet(Devices::openFirst);
  }

  private static DeviceOpening openFirst() {
    return switch (CudaDriver.load(beforeStart)) {
      case Loading.Ready(CudaDriver cuda) -> open(cuda, 0, FIRST_GPU);
      case Loading.Unavailable(String why) -> standIn("Device.open()", NO_GPU + why);
    };
  }

  static DeviceOpening openGpu() {
    return openGpu(FIRST_GPU);
  }

  static DeviceOpening openGpu(String reason) {
    return open(cuda(), 0, reason);
  }

  static DeviceOpening openNumber(int index) {
    List<DeviceProperties> all = all();
    String noGpu = CudaDriver.load() instanceof Loading.Unavailable(String why) ? NO_GPU + why : "";
    if (index < 0 || index >= all.size()) {
      throw new NoSuchDeviceException(
          "there is no device "
              + index
              + ": this machine has "
              + all.size()
              + ", the virtual one included"
              + (noGpu.isEmpty() ? "" : "; " + noGpu));
    }
    DeviceProperties properties = all.get(index);
    String reason = "number " + index + " of this machine's devices was asked for";
    if (!properties.driver().equals(VIRTUAL)) {
      return open(cuda(), properties.ordinal(), reason);
    }
    return noGpu.isEmpty()
        ? virtual(VirtualConfig.DEFAULT, reason).getFirst()
        : standIn("Device.open(" + index + ")", reason + ", and " + noGpu);
  }

  /** Opens a virtual device for a program that may have expected a GPU. */
  private static DeviceOpening standIn(String call, String reason) {
    DeviceOpening device = virtual(VirtualConfig.DEFAULT, reason).getFirst();
    StandIn.opened(call, reason);
    return device;
  }

  static List<DeviceOpening> openNamed(String name) {
    return openNamed(name, name + " was asked for");
  }

  static List<DeviceOpening> openNamed(String name, String reason) {
    return openNamed(name, reason, UnaryOperator.identity());
  }

  /** Opens the devices that a name stands for, with something between Stretto and their driver. */
  static List<DeviceOpening> openNamed(String name, String reason, UnaryOperator<Driver> layer) {
    if (name.equals(VIRTUAL)) {
      return openAll(layer.apply(new VirtualDriver(VirtualConfig.DEFAULT)), reason);
    }
    if (name.startsWith(VIRTUAL + ":")) {
      VirtualConfig config = VirtualConfig.parse(name.substring(VIRTUAL.length() + 1));
      return openAll(layer.apply(new VirtualDriver(config)), reason, config.order());
    }
    if (name.startsWith(GpuName.CUDA)) {
      GpuName gpu = GpuName.of(name);
      return List.of(open(layer.apply(cuda()), gpu.ordinal(), reason, gpu.order()));
    }
    throw new IllegalArgumentException(
        "'"
            + name
            + "' names no device: say cuda:N, virtual, or virtual: with words such as h200,seed=7");
  }

  private static CudaDriver cuda() {
    return switch (CudaDriver.load(beforeStart)) {
      case Loading.Ready(CudaDriver cuda) -> cuda;
      case Loading.Unavailable(String reason) -> throw new NoSuchDeviceException(NO_GPU + reason);
    };
  }

  private static List<DeviceOpening> virtual(VirtualConfig config, String reason) {
    VirtualDriver driver = new VirtualDriver(config);
    return openAll(driver, reason);
  }

  /** Opens a virtual device that does not count among those of the program. */
  static DeviceOpening openUnnamed(String purpose) {
    return open(
        new VirtualDriver(VirtualConfig.DEFAULT), 0, purpose, purpose, Optional.of(OrderMode.OFF));
  }

  /** Opens every device of a driver. */
  static List<DeviceOpening> openAll(Driver driver, String reason) {
    return openAll(driver, reason, Optional.empty());
  }

  private static List<DeviceOpening> openAll(
      Driver driver, String reason, Optional<OrderMode> order) {
    List<String> names = DeviceNames.take(driver);
    List<DeviceOpening> devices = new ArrayList<>();
    boolean all = false;
    try {
      for (String name : names) {
        devices.add(open(driver, devices.size(), name, reason, order));
      }
      all = true;
    } finally {
      if (!all) {
        devices.forEach(DeviceOpening::close);
        names.subList(devices.size(), names.size()).forEach(DeviceNames::giveBack);
      }
    }
    return List.copyOf(devices);
  }

  private static DeviceOpening open(Driver driver, int ordinal, String reason) {
    return open(driver, ordinal, reason, Optional.empty());
  }

  private static DeviceOpening open(
      Driver driver, int ordinal, String reason, Optional<OrderMode> order) {
    if (ordinal < 0 || ordinal >= driver.deviceCount()) {
      throw new NoSuchDeviceException(
          "there is no "
              + DeviceNames.plain(driver, ordinal)
              + ": the driver has "
              + driver.deviceCount()
              + " devices");
    }
    return open(driver, ordinal, DeviceNames.plain(driver, ordinal), reason, order);
  }

  private static DeviceOpening open(
      Driver driver, int ordinal, String name, String reason, Optional<OrderMode> order) {
    boolean keepsPlaces = Settings.LAUNCH_PLACES.value();
    Settings.deviceOpens(); // checks all settings before the driver opens anything
    DriverDevice opened;
    try {
      opened = driver.open(ordinal);
    } catch (DriverException e) {
      throw new NoSuchDeviceException(refusal(driver, ordinal, e), e);
    }
    opened.nameDevice(name);
    DeviceRuntime engine =
        engine(opened, OpenDevices.of(driver), name, order.orElseGet(Settings.ORDER::value));
    return new DeviceOpening(engine, driver, reason, keepsPlaces);
  }

  private static DeviceRuntime engine(
      DriverDevice opened, OpenDevices open, String name, OrderMode order) {
    OperationClasses.load();
    try {
      return new DeviceRuntime(opened, open, name, order);
    } catch (OutOfMemoryError e) {
      opened.close();
      throw new NoSuchDeviceException(
          name
              + " cannot be opened: the process cannot start a thread to poll it; raise the limit"
              + " of processes (ulimit -u, pids.max of the container) or have fewer threads",
          e);
    }
  }

  /**
   * Explains why a device cannot be opened. Once a process has lost a device, an NVIDIA driver
   * gives that process no context on it again (580: {@code cuDevicePrimaryCtxRetain} fails with the
   * error code of the loss, even if everything was closed before).
   */
  private static String refusal(Driver driver, int ordinal, DriverException e) {
    String name = driver.name() + ":" + ordinal;
    if (e.kind() != DriverException.Kind.LOST) {
      return name + " cannot be opened: " + e.getMessage();
    }
    String before = Loss.inThisProcessOf(driver.name());
    return "%s cannot be opened again by this process: the driver does not give a process a device back that was lost in it. Start a new process. %s. The driver says: %s"
        .formatted(
            name,
            before.isEmpty()
                ? "It was lost by work that did not go through Stretto"
                : "Lost before: " + before,
            e.getMessage());
  }
}
