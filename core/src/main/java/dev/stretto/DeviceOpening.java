package dev.stretto;

import dev.stretto.driver.Driver;
import dev.stretto.route.DeviceRuntime;

/**
 * A device that was opened and not yet handed to the program.
 *
 * @param engine the runtime of the device
 * @param driver the driver of the device
 * @param reason why it was chosen
 * @param keepsPlaces whether the source lines of launches are recorded
 */
record DeviceOpening(DeviceRuntime engine, Driver driver, String reason, boolean keepsPlaces) {
  /** Closes a device that the program will not get. */
  void close() {
    if (engine.close()) {
      DeviceNames.giveBack(engine.name());
    }
  }
}
