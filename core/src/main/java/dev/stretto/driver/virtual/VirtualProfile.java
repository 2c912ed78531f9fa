package dev.stretto.driver.virtual;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.PeerProperties.Link;
import java.util.List;

/**
 * A product that virtual devices model, and how fast the model is. Rates are in bytes per second.
 *
 * @param word its name behind {@code virtual:}
 * @param properties those of the product
 * @param toDevice pinned copies from host to device, one copy at a time
 * @param toHost pinned copies from device to host
 * @param memoryTraffic reads and writes of device memory together
 * @param link how two of them are linked
 * @param betweenDevices one copy from one of them to another, or 0 if they have no access
 */
public record VirtualProfile(
    String word,
    DeviceProperties properties,
    double toDevice,
    double toHost,
    double memoryTraffic,
    Link link,
    double betweenDevices) {

  /** {@return all products that can be modelled} */
  public static List<VirtualProfile> all() {
    return DeviceProfile.all().stream().map(VirtualProfile::of).toList();
  }

  private static VirtualProfile of(DeviceProfile profile) {
    return new VirtualProfile(
        profile.word(),
        profile.product(),
        profile.model().toDevice(),
        profile.model().toHost(),
        profile.model().memoryTraffic(),
        profile.peers().link(),
        profile.peers().alone());
  }
}
