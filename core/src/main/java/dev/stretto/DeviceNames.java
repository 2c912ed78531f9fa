package dev.stretto;

import dev.stretto.driver.Driver;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What opened devices are called. A GPU has one name, however often it is opened. Each opening of a
 * virtual device is a machine of its own, or may be, so its name differs from those of all virtual
 * devices that are open: {@code virtual:0}, {@code virtual:0#2}, {@code virtual:0#3}. Devices that
 * are opened together have the same number.
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

  /** {@return what a device is called if no other is called so} */
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

  /** The device of that name is closed, or was not opened after all. */
  static synchronized void giveBack(String name) {
    TAKEN.remove(name);
  }
}
