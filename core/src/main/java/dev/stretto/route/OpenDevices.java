package dev.stretto.route;

import dev.stretto.driver.Driver;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The open devices of one driver, however often it is opened, and what they share: the lock that
 * guards their streams, and, of a seeded driver, what a step of any of them has to look at.
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

  /** {@return what guards the streams of all of them} */
  DriverLock lock() {
    return lock;
  }

  /** {@return all that are open: a step may be one of any of them} */
  List<DeviceState> all() {
    return devices;
  }

  /** A device was opened. */
  void add(DeviceState device) {
    devices.add(device);
    if (device.cooperation() != null) {
      standstill.watch();
    }
  }

  /** It was closed. */
  void remove(DeviceState device) {
    devices.remove(device);
  }

  /** Which streams of a seeded driver are to be looked at. */
  Looks looks() {
    return looks;
  }

  /** What threads ask of a seeded driver. */
  Questions questions() {
    return questions;
  }

  /** Has a seeded driver go on where nobody awaits anything. */
  Standstill standstill() {
    return standstill;
  }
}
