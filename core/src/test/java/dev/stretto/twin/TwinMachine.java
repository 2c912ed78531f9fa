package dev.stretto.twin;

import dev.stretto.Device;
import dev.stretto.driver.Driver;
import dev.stretto.driver.cuda.CudaDriver;
import dev.stretto.driver.cuda.Loading;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import java.time.Duration;
import java.util.List;

/**
 * What twins run on: {@code cuda}, all GPUs of the machine, or a virtual machine of two devices by
 * the words of its configuration, {@code virtual:h200x2,seed=7}.
 *
 * @param name the name
 */
record TwinMachine(String name) {
  /** {@return the GPUs if there are any, or else virtual devices} */
  static TwinMachine present() {
    return new TwinMachine(CudaDriver.load() instanceof Loading.Ready ? "cuda" : "virtual:h200x2");
  }

  boolean isCuda() {
    return name.equals("cuda");
  }

  boolean isSeeded() {
    return name.contains("seed=");
  }

  /** {@return the driver of the GPUs, or a virtual one that nobody else uses} */
  Driver driver() {
    if (!isCuda()) {
      return new VirtualDriver(VirtualConfig.parse(name.substring("virtual:".length())));
    }
    return switch (CudaDriver.load()) {
      case Loading.Ready(CudaDriver cuda) -> cuda;
      case Loading.Unavailable(String reason) -> throw new IllegalStateException(reason);
    };
  }

  /** {@return all devices of a driver, opened} */
  static List<Device> open(Driver driver) {
    return Device.openAll(driver);
  }

  /** {@return how long work that is not held up may take to be done} */
  Duration patience() {
    return Duration.ofMillis(200);
  }

  /** {@return how long a call that has to wait is left waiting} */
  Duration delay() {
    return Duration.ofMillis(isCuda() ? 50 : isSeeded() ? 3 : 5);
  }

  @Override
  public String toString() {
    return name;
  }
}
