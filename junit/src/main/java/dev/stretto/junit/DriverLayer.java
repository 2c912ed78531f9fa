package dev.stretto.junit;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import org.jspecify.annotations.Nullable;

/**
 * Stands between Stretto and a driver, call by call.
 *
 * @param driver what carries out the calls
 * @param calls is told of each before it is made, and may have it fail; nothing is told if null
 */
record DriverLayer(Driver driver, @Nullable DriverCalls calls) implements Driver {
  @Override
  public String name() {
    return driver.name();
  }

  @Override
  public int deviceCount() {
    return driver.deviceCount();
  }

  @Override
  public DeviceProperties properties(int ordinal) {
    return driver.properties(ordinal);
  }

  @Override
  public DriverDevice open(int ordinal) {
    return DriverTaps.before(driver.open(ordinal), calls);
  }
}
