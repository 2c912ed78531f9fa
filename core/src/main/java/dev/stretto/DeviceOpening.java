package dev.stretto;

import dev.stretto.driver.Driver;
import dev.stretto.route.DeviceRuntime;

/**
 * A device that was opened, before a program gets it.
 *
 * @param engine what runs it
 * @param driver whose it is
 * @param reason why it was chosen
 * @param keepsPlaces whether the lines of launches are kept
 */
record DeviceOpening(DeviceRuntime engine, Driver driver, String reason, boolean keepsPlaces) {
  /** Closes it, since no program will get it. */
  void close() {
    if (engine.close()) {
      DeviceNames.giveBack(engine.name());
    }
  }
}
