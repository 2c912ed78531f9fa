package dev.stretto;

import dev.stretto.driver.Driver;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The names of opened devices. A GPU has one name, even if it is opened several times. Each opening
 * of a virtual device may be a separate machine, so its name differs from those of all other open
 * virtual devices: {@code virtual:0}, {@code virtual:0#2}, {@code virtual:0#3}. Devices that are
 * opened together have the same number.
 */
final class DeviceNames {
  private static final Set<String> TAKEN = new HashSet<>();

  private DeviceNames() {}

  /** {@return a name for each device of a driver, to be given back when they are closed} */
  static List<String> take(Driver driver) {
    int count = driver.deviceCount();
    List<String> plain =
        IntStream.range(0, count).mapToObj(ordinal -> plain(driver, ordinal)).toList();
    if (count == 0 || !driver.properties(0).driver().equals(Devices.VIRTUAL)) {
      return plain;
    }
    return takeFree(plain);
  }

  /** {@return the name of a device if no other device has it} */
  static String plain(Driver driver, int ordinal) {
    return driver.name() + ":" + ordinal;
  }

  private static synchronized List<String> takeFree(List<String> plain) {
    List<String> names = plain;
    for (int opening = 2; names.stream().anyMatch(TAKEN::contains); opening++) {
      String suffix = "#" + opening;
      names = plain.stream().map(name -> name + suffix).toList();
    }
    TAKEN.addAll(names);
    return names;
  }

  /** Gives back the name of a device that is closed, or that could not be opened. */
  static synchronized void giveBack(String name) {
    TAKEN.remove(name);
  }
}
