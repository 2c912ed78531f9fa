package dev.stretto.junit;

import dev.stretto.Device;
import dev.stretto.Leak;
import dev.stretto.driver.Driver;
import dev.stretto.fault.StrettoException;
import dev.stretto.schedule.ScheduledDriver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The devices of one run, and what was lent to the test with them. */
final class RunDevices implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger("dev.stretto.junit");

  /** For work that may never end. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final List<Device> devices;

  /** Closed in the opposite order. */
  private final Deque<AutoCloseable> lent = new ArrayDeque<>();

  private RunDevices(List<Device> devices) {
    this.devices = List.copyOf(devices);
  }

  static RunDevices open(Run run, @Nullable DriverCalls calls) {
    List<Device> devices = new ArrayList<>();
    boolean all = false;
    try {
      for (String name : run.names()) {
        devices.addAll(
            run.isVirtual()
                ? Device.openAll(name, driver -> new DriverLayer(driver(run, driver), calls))
                : Device.openAll(name));
      }
      devices.forEach(Device::watchLeaks);
      all = true;
    } finally {
      if (!all) {
        devices.forEach(Device::close);
      }
    }
    return new RunDevices(devices);
  }

  /** {@return the driver of a run} */
  private static Driver driver(Run run, Driver driver) {
    return run.trace().isPresent() ? ScheduledDriver.replaying(run.trace().get()) : driver;
  }

  /** {@return devices that somebody else has opened and closes} */
  static RunDevices of(List<Device> devices) {
    return new RunDevices(devices);
  }

  List<Device> all() {
    return devices;
  }

  /** {@return the same, which is closed after the test} */
  <T extends AutoCloseable> T lend(T resource) {
    lent.push(resource);
    return resource;
  }

  /** Waits for everything that is under way; a device that is lost or closed has nothing. */
  void await() {
    for (Device device : devices) {
      if (device.isOpen() && !device.isLost()) {
        device.await();
      }
    }
  }

  /**
   * Lets what a test that has failed has left under way come to its end, so that it is not reported
   * as well.
   */
  void settle() {
    for (Device device : devices) {
      try {
        if (device.isOpen() && !device.isLost()) {
          boolean _ = device.await(PATIENCE);
        }
      } catch (StrettoException e) {
        LOGGER.log(System.Logger.Level.DEBUG, "after a failed test", e);
      }
    }
  }

  /** Closes what was lent. */
  void takeBack() {
    while (!lent.isEmpty()) {
      close(lent.pop());
    }
  }

  private static void close(AutoCloseable resource) {
    try {
      resource.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(resource + " cannot be closed", e);
    }
  }

  List<Leak> leaks() {
    return devices.stream().flatMap(device -> device.leaks().stream()).toList();
  }

  /** Closes the devices, and what was lent if the test has failed. */
  @Override
  public void close() {
    try {
      takeBack();
    } finally {
      devices.forEach(Device::close);
    }
  }
}
