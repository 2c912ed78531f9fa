package dev.stretto.route;

import dev.stretto.driver.Driver;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The open devices of one driver, and the objects that they share: the lock that guards their
 * streams and, for a seeded driver, the queues that have to be polled after a step.
 */
public final class OpenDevices {
  private static final Map<Driver, OpenDevices> OF_DRIVERS = new WeakHashMap<>();

  private final DriverLock lock = new DriverLock();
  private final List<DeviceState> devices = new CopyOnWriteArrayList<>();
  private final Looks looks = new Looks();
  private final Questions questions = new Questions();
  private final Standstill standstill = new Standstill(this);

  private OpenDevices() {}

  /** {@return the open devices of a driver} */
  public static OpenDevices of(Driver driver) {
    synchronized (OF_DRIVERS) {
      return OF_DRIVERS.computeIfAbsent(driver, _ -> new OpenDevices());
    }
  }

  /** {@return the lock that guards the streams of all of them} */
  DriverLock lock() {
    return lock;
  }

  /** {@return all open devices: a step may happen on any of them} */
  List<DeviceState> all() {
    return devices;
  }

  /** Adds a device that was opened. */
  void add(DeviceState device) {
    devices.add(device);
    if (device.cooperation() != null) {
      standstill.watch();
    }
  }

  /** Removes a device that was closed. */
  void remove(DeviceState device) {
    devices.remove(device);
  }

  /** {@return the streams of a seeded driver that have to be polled} */
  Looks looks() {
    return looks;
  }

  /** {@return the questions that threads have asked a seeded driver} */
  Questions questions() {
    return questions;
  }

  /** {@return what lets a seeded driver go on if no thread awaits anything} */
  Standstill standstill() {
    return standstill;
  }
}
