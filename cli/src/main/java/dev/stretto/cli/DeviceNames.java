package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.virtual.VirtualProfile;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The names that {@code --device} takes on this machine, for shells that complete them. */
final class DeviceNames implements Iterable<String> {
  @Override
  public Iterator<String> iterator() {
    List<String> names = new ArrayList<>();
    for (DeviceProperties device : Device.all()) {
      names.add(of(device));
    }
    for (VirtualProfile profile : VirtualProfile.all()) {
      names.add("virtual:" + profile.word());
    }
    return names.iterator();
  }

  /** The name of a device of {@link Device#all()}. */
  static String of(DeviceProperties device) {
    return device.driver().equals("virtual") ? "virtual" : device.driver() + ":" + device.ordinal();
  }
}
